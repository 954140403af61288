"""Where datasets are looked for, and what a wrong place gets."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import datasets
import huggingface_hub
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from physprobe import data
from physprobe.data import DatasetIdentity, content_sha256, dataset_identity, dataset_path, load_config
from physprobe.errors import UserError
from physprobe.hub import reach

NAME = "conservationbench"

CARD = """---
configs:
- config_name: questions
  default: true
  data_files: [{split: test, path: questions/test-*.parquet}]
- config_name: videos
  data_files: [{split: test, path: videos/test-*.parquet}]
dataset_info:
- config_name: videos
  features:
  - {name: video_id, dtype: string}
  - {name: video, dtype: VIDEO}
---
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one dataset in it, set as PHYSPROBE_DATA."""
    folder = tmp_path / "data" / NAME
    for name in ("questions", "videos"):
        (folder / name).mkdir(parents=True)
    pq.write_table(pa.table({"question_id": ["q"]}), folder / "questions" / "test-0.parquet")
    video = pa.array([{"bytes": b"mp4", "path": "a.mp4"}])
    pq.write_table(pa.table({"video_id": ["a"], "video": video}), folder / "videos" / "test-0.parquet")
    (folder / "README.md").write_text(CARD.replace("VIDEO", "{video: {decode: false}}"))
    monkeypatch.setenv("PHYSPROBE_DATA", str(folder.parent))
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    return folder.parent


@pytest.mark.parametrize("value", [None, "", "  "])
def test_default_is_the_organisation(value: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PHYSPROBE_DATA", raising=False)
    if value is not None:
        monkeypatch.setenv("PHYSPROBE_DATA", value)
    assert dataset_path(NAME) == "physprobe/conservationbench"


@pytest.mark.parametrize("organisation", ["my-lab", "lab_2", "a.b"])
def test_another_organisation(organisation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PHYSPROBE_DATA", organisation)
    assert dataset_path(NAME) == f"{organisation}/conservationbench"


def test_an_existing_folder(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert dataset_path(NAME) == str(place / NAME)
    monkeypatch.chdir(place.parent)
    monkeypatch.setenv("PHYSPROBE_DATA", "data")  # relative, and a possible organisation: the folder wins
    assert dataset_path(NAME) == str(place / NAME)
    monkeypatch.setenv("HOME", str(place.parent))
    monkeypatch.setenv("PHYSPROBE_DATA", "~/data")
    assert dataset_path(NAME) == str(place / NAME)


@pytest.mark.parametrize("value", ["/none/here", "./none", "../none", "none/here", "~/none-here"])
def test_a_missing_folder(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PHYSPROBE_DATA", value)
    with pytest.raises(UserError, match="there is no such folder; set it to the folder that holds"):
        dataset_path(NAME)


@pytest.mark.parametrize("value", ["two words", "-dash", "a:b"])
def test_neither_folder_nor_organisation(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PHYSPROBE_DATA", value)
    with pytest.raises(UserError, match="neither a folder nor a Hub organisation"):
        dataset_path(NAME)


def test_a_folder_without_the_dataset(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UserError, match=r"holds no quantiphy/; build it with  python -m builders build"):
        dataset_path("quantiphy")
    monkeypatch.setenv("PHYSPROBE_DATA", str(place / NAME))
    with pytest.raises(UserError, match="is the dataset itself; set it to the folder above"):
        dataset_path(NAME)


def test_load(place: Path) -> None:
    assert load_config(NAME, "questions").to_dict() == {"question_id": ["q"]}
    assert load_config(NAME, "videos")[0]["video"] == {"bytes": b"mp4", "path": "a.mp4"}


def test_videos_stay_undecoded_whatever_the_card_says(place: Path) -> None:
    (place / NAME / "README.md").write_text(CARD.replace("VIDEO", "video"))
    assert load_config(NAME, "videos")[0]["video"] == {"bytes": b"mp4", "path": "a.mp4"}


def write_questions(place: Path, name: str) -> None:
    pq.write_table(pa.table({"question_id": [name]}), place / NAME / "questions" / "test-0.parquet")


def test_an_edited_folder_is_seen_though_its_card_is_the_same(place: Path) -> None:
    """By us, and by whoever loads it next from the same cache, as lmms-eval does."""
    assert load_config(NAME, "questions")["question_id"][:] == ["q"]
    write_questions(place, "r")  # as many bytes
    assert load_config(NAME, "questions")["question_id"][:] == ["r"]
    assert datasets.load_dataset(str(place / NAME), split="test")["question_id"][:] == ["r"]


def test_a_damaged_folder_is_refused_though_the_cache_holds_it_intact(place: Path) -> None:
    load_config(NAME, "questions")
    (place / NAME / "questions" / "test-0.parquet").write_bytes(b"PAR1")
    with pytest.raises(UserError, match="can't load questions/test"):
        load_config(NAME, "questions")


def test_what_others_copied_into_the_cache_is_not_trusted(place: Path) -> None:
    datasets.load_dataset(str(place / NAME), "questions")
    write_questions(place, "r")
    assert load_config(NAME, "questions")["question_id"][:] == ["r"]


def test_another_folder_of_the_same_name_and_card_is_another_dataset(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    shutil.copytree(place, other)
    load_config(NAME, "questions")
    write_questions(other, "r")
    for file in place.rglob("*"):
        times = file.stat().st_atime_ns, file.stat().st_mtime_ns
        os.utime(other / file.relative_to(place), ns=times)
    monkeypatch.setenv("PHYSPROBE_DATA", str(other))
    assert load_config(NAME, "questions")["question_id"][:] == ["r"]
    monkeypatch.setenv("PHYSPROBE_DATA", str(place))
    assert load_config(NAME, "questions")["question_id"][:] == ["q"]


def test_an_unchanged_folder_is_copied_once(place: Path, tmp_path: Path) -> None:
    load_config(NAME, "questions")
    (copy,) = tmp_path.glob("cache/**/*.arrow")
    before = copy.stat()
    load_config(NAME, "questions")
    assert (copy.stat().st_ino, copy.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_lmms_eval_finds_our_copy_where_it_keeps_its_own(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LMMS_EVAL_DATASETS_CACHE", str(tmp_path / "lmms"))
    load_config(NAME, "questions")
    assert [*tmp_path.glob("lmms/**/.physprobe-source")]
    assert not [*tmp_path.glob("cache/**/*.arrow")]


def test_unknown_config_and_split(place: Path) -> None:
    with pytest.raises(UserError, match=r"unknown config of .* 'static'; valid: questions, videos"):
        load_config(NAME, "static")
    with pytest.raises(UserError, match=r"can't load questions/train of .*builders verify"):
        load_config(NAME, "questions", split="train")


def test_damaged_dataset(place: Path) -> None:
    (place / NAME / "questions" / "test-0.parquet").write_bytes(b"PAR1")
    with pytest.raises(UserError, match="can't load questions/test"):
        load_config(NAME, "questions")


def test_unreachable_hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PHYSPROBE_DATA", "nobody-here")
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path)
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(
        UserError, match="set PHYSPROBE_DATA to a folder of built datasets, or check your network"
    ):
        load_config(NAME, "questions")


MANIFEST = {"dataset_version": "1.2.0", "configs": {"videos": {"sha256": "b"}, "questions": {"sha256": "a"}}}
COMMIT = "0123456789abcdef" * 2 + "01234567"


def test_a_folder_says_in_which_state_it_is(place: Path) -> None:
    (place / NAME / "manifest.json").write_text(json.dumps(MANIFEST))
    content = content_sha256({"questions": "a", "videos": "b"})
    assert dataset_identity(NAME) == DatasetIdentity(NAME, "1.2.0", content, None)
    assert content != content_sha256({"questions": "b", "videos": "a"})


def test_a_folder_changed_after_the_build_says_so(place: Path) -> None:
    shard = place / NAME / "rows.parquet"
    shard.write_bytes(b"built")
    files = {"rows.parquet": {"bytes": 5, "sha256": hashlib.sha256(b"built").hexdigest()}}
    manifest = {"dataset_version": "1.2.0", "configs": {"questions": {"sha256": "a", "files": files}}}
    (place / NAME / "manifest.json").write_text(json.dumps(manifest))
    built = dataset_identity(NAME)
    assert (built.version, built.sha256) == ("1.2.0", content_sha256({"questions": "a"}))
    seen = {built.sha256}
    for content in (b"other", b"again", None):
        shard.write_bytes(content) if content else shard.unlink()
        changed = dataset_identity(NAME)
        assert changed.version == "1.2.0+changed"
        seen.add(changed.sha256)
    assert len(seen) == 4


@pytest.mark.parametrize("manifest", [None, "{", "[]", "{}", '{"dataset_version": "1", "configs": {"a": 1}}'])
def test_what_a_folder_does_not_say_is_left_empty(place: Path, manifest: str | None) -> None:
    if manifest is not None:
        (place / NAME / "manifest.json").write_text(manifest)
    assert dataset_identity(NAME) == DatasetIdentity(NAME, "", "", None)


def test_of_the_hub_the_loaded_commit_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not what the repository has become since."""
    asked: list[tuple[str, str | None]] = []

    def download(repository: str, name: str, *, repo_type: str, revision: str | None) -> str:
        asked.append((repository, revision))
        path = tmp_path / name
        path.write_text(json.dumps(MANIFEST))
        return str(path)

    arrow = f"{tmp_path}/lab___conservationbench/questions/0.0.0/{COMMIT}/test.arrow"
    loaded = SimpleNamespace(cache_files=[{"filename": arrow}], features={})
    monkeypatch.setenv("PHYSPROBE_DATA", "lab")
    monkeypatch.setattr(data, "_commits", {})
    monkeypatch.setattr(datasets, "load_dataset", lambda *args, **kwargs: loaded)
    monkeypatch.setattr(huggingface_hub, "hf_hub_download", download)
    monkeypatch.setattr(reach, "_answered", {f"lab/{NAME}"})
    load_config(NAME, "questions")
    found = dataset_identity(NAME)
    assert (found.version, found.commit) == ("1.2.0", COMMIT)
    assert set(asked) == {(f"lab/{NAME}", COMMIT)}


def test_a_hub_out_of_reach_costs_the_label_only(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*args: Any, **kwargs: Any) -> str:
        raise ConnectionError

    monkeypatch.setenv("PHYSPROBE_DATA", "lab")
    monkeypatch.setattr(data, "_commits", {f"lab/{NAME}": COMMIT})
    monkeypatch.setattr(huggingface_hub, "hf_hub_download", fails)
    monkeypatch.setattr(reach, "_answered", {f"lab/{NAME}"})
    assert dataset_identity(NAME) == DatasetIdentity(NAME, "", "", COMMIT)
