from __future__ import annotations

import math

import pytest

from physprobe.analysis.scaling import size_in_name


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("Qwen/Qwen2.5-VL-7B-Instruct", 7),
        ("llava-onevision-qwen2-0.5b-ov-hf", 0.5),
        ("InternVL3-78B", 78),
        ("Mixtral-8x7B-Instruct", 56),
        ("Qwen3-VL-30B-A3B-Instruct", 30),
        ("simulated-001-12.8B", 12.8),
        ("gemma-3n-E4B", math.nan),
        ("gpt-4.1-mini", math.nan),
        ("blip2-opt", math.nan),
    ],
)
def test_size(name, size):
    assert size_in_name(name) == pytest.approx(size, nan_ok=True)
