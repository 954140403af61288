from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import huggingface_hub
import pytest

from physprobe.errors import UserError
from physprobe.harness.quantiphy import official_files
from physprobe.hub import reach


@pytest.fixture(autouse=True)
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[str]]:
    """A Hub that holds the validation set, as the real one has it; gives what was downloaded."""
    files = ["README.md", "validation_dataset.csv", "validation_videos/internet_0004.mp4", "x/Lab_1 .mp4"]
    downloaded: list[str] = []

    def listed(self: Any, repository: str, repo_type: str) -> list[str]:
        assert (repository, repo_type) == ("PaulineLi/QuantiPhy-validation", "dataset")
        return files

    def download(repository: str, name: str, repo_type: str) -> str:
        downloaded.append(name)
        return str(tmp_path / name)

    monkeypatch.delenv("PHYSPROBE_QUANTIPHY", raising=False)
    monkeypatch.setattr(huggingface_hub.HfApi, "list_repo_files", listed)
    monkeypatch.setattr(huggingface_hub, "hf_hub_download", download)
    official_files._hub_files.cache_clear()
    yield downloaded
    official_files._hub_files.cache_clear()


def test_table_and_videos_come_from_the_hub(hub: list[str], tmp_path: Path) -> None:
    assert official_files.table_path("validation") == tmp_path / "validation_dataset.csv"
    assert official_files.video_path("validation", "internet_0004").name == "internet_0004.mp4"
    assert official_files.video_path("validation", "lab_1").name == "Lab_1 .mp4"  # names are not always clean
    assert hub == ["validation_dataset.csv", "validation_videos/internet_0004.mp4", "x/Lab_1 .mp4"]
    with pytest.raises(UserError, match=r"has no lab_2\.mp4: set PHYSPROBE_QUANTIPHY to a folder"):
        official_files.video_path("validation", "lab_2")


def test_a_hub_out_of_reach_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(self: Any, *args: Any, **kwargs: Any) -> list[str]:
        raise ConnectionError("no route\nto anywhere")

    monkeypatch.setattr(reach, "_answered", {"PaulineLi/QuantiPhy"})
    monkeypatch.setattr(huggingface_hub.HfApi, "list_repo_files", fails)
    told = (
        r"can't read PaulineLi/QuantiPhy on the Hub: no route; set PHYSPROBE_QUANTIPHY to a folder with its"
    )
    with pytest.raises(UserError, match=told) as caught:
        official_files.table_path("test")
    assert "\n" not in str(caught.value)


def test_a_folder_is_searched_below(hub: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("a/validation.csv", "b/c/internet_0004.mp4"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).touch()
    monkeypatch.setenv("PHYSPROBE_QUANTIPHY", str(tmp_path))
    assert official_files.table_path("validation") == tmp_path / "a" / "validation.csv"
    assert official_files.video_path("test", "internet_0004") == tmp_path / "b" / "c" / "internet_0004.mp4"
    assert hub == []


def test_the_state_of_the_files_is_told(
    hub: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    commit = "ab" * 20
    table = tmp_path / "snapshots" / commit / "validation_dataset.csv"
    table.parent.mkdir(parents=True)
    table.write_bytes(b"abc")
    monkeypatch.setattr(huggingface_hub, "hf_hub_download", lambda *args, **kwargs: str(table))
    found = official_files.identity("validation")
    assert (found.name, found.version, found.commit) == ("PaulineLi/QuantiPhy-validation", "", commit)
    assert found.sha256.startswith("ba7816bf")
    monkeypatch.setenv("PHYSPROBE_QUANTIPHY", str(tmp_path))
    assert official_files.identity("validation").commit is None
