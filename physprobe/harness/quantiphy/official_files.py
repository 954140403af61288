"""The public QuantiPhy data sets: question tables and videos, on the Hub or in a folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from physprobe.data import DatasetIdentity, commit_in
from physprobe.errors import UserError
from physprobe.files import file_sha256
from physprobe.hub.reach import briefly_asked

VARIABLE = "PHYSPROBE_QUANTIPHY"

Split = Literal["validation", "test"]


@dataclass(frozen=True)
class _Place:
    """Where a split is: its Hub repository, and what its question table is called, best first."""

    repository: str
    tables: tuple[str, ...]


_PLACES: Mapping[Split, _Place] = {
    "validation": _Place(
        "PaulineLi/QuantiPhy-validation",
        (
            "validation_dataset.parquet",
            "validation_dataset.csv",
            "quantiphy_validation.csv",
            "validation.csv",
        ),
    ),
    "test": _Place("PaulineLi/QuantiPhy", ("test_dataset.parquet", "test_dataset.csv")),
}


def table_path(split: Split) -> Path:
    """Return the question table of a split, a CSV or Parquet file.

    Raises:
        UserError: it is not in the folder that PHYSPROBE_QUANTIPHY names, or the Hub can't be reached.
    """
    names, folder = _PLACES[split].tables, _folder()
    if folder is not None:
        found = [path for name in names for path in sorted(folder.rglob(name))]
        if not found:
            raise UserError(
                f"{VARIABLE}={folder} holds none of {', '.join(names)}: put the files of "
                f"{_PLACES[split].repository} there"
            )
        return found[0]
    there = _hub_files(split)
    name = next((name for name in names if name in there), None)
    if name is None:
        raise UserError(
            f"{_PLACES[split].repository} has none of {', '.join(names)} any more: {_advice(split)}"
        )
    return _download(split, name)


def video_path(split: Split, video_id: str) -> Path:
    """Return the MP4 of a video.

    Raises:
        UserError: there is none; names the file and PHYSPROBE_QUANTIPHY.
    """
    folder = _folder()
    if folder is not None:
        path = _videos_below(folder).get(video_id.strip().lower())
        if path is None:
            raise UserError(
                f"there is no {video_id}.mp4 in {folder} or below, the folder that {VARIABLE} names: put the "
                f"videos of {_PLACES[split].repository} there"
            )
        return path
    files = {Path(name).stem.strip().lower(): name for name in _hub_files(split) if name.endswith(".mp4")}
    if video_id.strip().lower() not in files:
        raise UserError(f"{_PLACES[split].repository} has no {video_id}.mp4: {_advice(split)}")
    return _download(split, files[video_id.strip().lower()])


def identity(split: Split) -> DatasetIdentity:
    """Return which state of a split is in use; its hash is that of the question table's file.

    Raises:
        UserError: as :func:`table_path`.
    """
    path = table_path(split)
    sha256 = file_sha256(path)
    return DatasetIdentity(
        _PLACES[split].repository, sha256=sha256, commit=None if _folder() else commit_in(path)
    )


def _folder() -> Path | None:
    value = os.environ.get(VARIABLE, "").strip()
    if not value:
        return None
    folder = Path(value).expanduser().absolute()
    if not folder.is_dir():
        raise UserError(f"{VARIABLE}={value}: there is no such folder; it should hold the public data sets")
    return folder


@lru_cache(maxsize=4)
def _videos_below(folder: Path) -> Mapping[str, Path]:
    return {path.stem.strip().lower(): path for path in sorted(folder.rglob("*.mp4"))}


@lru_cache(maxsize=2)
def _hub_files(split: Split) -> frozenset[str]:
    from huggingface_hub import HfApi

    with briefly_asked(_PLACES[split].repository) as away:
        try:
            return frozenset(HfApi().list_repo_files(_PLACES[split].repository, repo_type="dataset"))
        except Exception as error:  # its errors have no common base
            raise _unreachable(split, away or str(error).strip() or type(error).__name__) from error


def _download(split: Split, name: str) -> Path:
    from huggingface_hub import hf_hub_download

    with briefly_asked(_PLACES[split].repository) as away:
        try:
            return Path(hf_hub_download(_PLACES[split].repository, name, repo_type="dataset"))
        except Exception as error:
            raise _unreachable(split, away or str(error).strip() or type(error).__name__) from error


def _unreachable(split: Split, told: str) -> UserError:
    reason = told.splitlines()[0]
    return UserError(f"can't read {_PLACES[split].repository} on the Hub: {reason}; {_advice(split)}")


def _advice(split: Split) -> str:
    return f"set {VARIABLE} to a folder with its files ({_PLACES[split].tables[0]} and the videos)"
