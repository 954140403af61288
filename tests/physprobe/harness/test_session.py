from __future__ import annotations

import pytest

from physprobe.errors import UserError
from physprobe.harness import session


def test_a_model_is_named_by_what_was_asked_for() -> None:
    expected = "qwen2_5_vl device_map=cpu,pretrained=DIR"
    assert session.describe("qwen2_5_vl", "pretrained=DIR,device_map=cpu") == expected
    assert session.describe("qwen2_5_vl", {"pretrained": "DIR", "device_map": "cpu"}) == expected
    assert session.describe("physprobe_oracle", None) == session.describe("physprobe_oracle", "")
    assert session.describe(object(), "") == "object"


def test_keys_are_no_part_of_the_name() -> None:
    assert session.describe("openai", "api_key=sk-123,model=m,hf_token=t") == "openai model=m"


def test_the_model_is_known_inside_an_evaluation_only() -> None:
    with session.evaluating("outer", ""):
        with session.evaluating("inner", "seed=1"):
            assert session.model() == "inner seed=1"
        assert session.model() == "outer"
    with pytest.raises(UserError, match="can't tell which model"):
        session.model()
