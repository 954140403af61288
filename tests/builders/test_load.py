"""The built folder through the real ``datasets`` client."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import av
import datasets
import numpy as np
import pytest
from datasets import Image, IterableDataset, Video, load_dataset

from builders.build import build
from builders.conservation.schema import CONFIGS
from physprobe.video import decode_frames
from tests.support.raw_conservation import HEIGHT, WIDTH, make_raw


def test_no_name_gives_questions(built_mini: Path) -> None:
    loaded = load_dataset(str(built_mini))
    assert list(loaded) == ["test"]
    row = loaded["test"][0]
    assert row["question_id"] == "number_uniform_lower_near_3_conserving__direct_3_uniform"
    assert len(loaded["test"]) == 960
    assert isinstance(row["options"], list)
    assert isinstance(row["frame_indices"][0], int)


def test_videos_are_bytes_without_any_cast(built_mini: Path) -> None:
    videos = load_dataset(str(built_mini), "videos", split="test")
    assert videos.features["video"] == Video(decode=False)
    row = videos[0]
    with av.open(io.BytesIO(row["video"]["bytes"])) as container:
        assert sum(1 for _ in container.decode(video=0)) == row["num_frames"] == 24
    assert decode_frames(row["video"]["bytes"], [23])[0].shape == (HEIGHT, WIDTH, 3)
    assert row["quantities"]["moved"] == [3.0] * 24
    recast = videos.cast_column("video", Video(decode=False))[0]
    assert recast["video"] == row["video"]


def test_static_images_decode(built_mini: Path) -> None:
    static = load_dataset(str(built_mini), "static", split="test")
    videos = load_dataset(str(built_mini), "videos", split="test")
    assert static.features["image"] == Image()
    assert len(static) == len(videos) == 24
    for row, clip in zip(static, videos, strict=True):
        (last,) = decode_frames(clip["video"]["bytes"], [row["frame_index"]])
        np.testing.assert_array_equal(np.asarray(row["image"]), last)


@pytest.mark.parametrize("config", [spec.name for spec in CONFIGS])
def test_streaming_gives_the_same_rows(built_mini: Path, config: str) -> None:
    stored = load_dataset(str(built_mini), config, split="test")
    stream = load_dataset(str(built_mini), config, split="test", streaming=True)
    assert isinstance(stream, IterableDataset)
    assert list(stream) == list(stored)


def test_an_edited_dataset_is_seen(dataset: Path, tmp_path: Path) -> None:
    """Same place, same names, other content: the cache must not answer with the old rows."""
    assert load_dataset(str(dataset), "videos", split="test")[0]["seed"] == 0
    shutil.rmtree(dataset)
    build(make_raw(tmp_path / "raw", seed=1), dataset)
    assert load_dataset(str(dataset), "videos", split="test")[0]["seed"] == 1
    elsewhere = build(make_raw(tmp_path / "raw2", seed=2), tmp_path / "else" / dataset.name).out
    assert load_dataset(str(elsewhere), "videos", split="test")[0]["seed"] == 2


def test_shards_count_as_one_split(raw_mini: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builders.build.write_config", small_shards)
    out = build(raw_mini, tmp_path / "sharded" / "conservationbench").out
    assert len(list(out.glob("videos/*.parquet"))) > 3
    whole = load_dataset(str(out), "videos", split="test")
    assert len(set(whole["video_id"][:])) == 24


def small_shards(*args: object) -> object:
    from builders.shards import write_config

    return write_config(*args, shard_bytes=15_000)  # type: ignore[arg-type]


def test_the_code_on_the_card_runs(built_mini: Path, tmp_path: Path) -> None:
    card = (built_mini / "README.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", card, flags=re.DOTALL)
    assert len(blocks) == 4
    code = "\n".join(blocks).replace("physprobe/conservationbench", str(built_mini))
    code += "\nassert len(questions) == 960 and len(frames) == 24 and len(shown) == 3\n"
    code += "assert static[0]['image'].size == (64, 48)\n"
    code += "assert all((frames[k] == s).all() for k, s in zip(question['frame_indices'], shown))\n"
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "home")}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_this_checks_a_supported_version() -> None:
    major = int(datasets.__version__.split(".")[0])
    assert 3 <= major <= 5
