"""Adapts QuantiPhy to lmms-eval: rows to messages, answers to records, records to metrics.

``tasks/quantiphy`` holds only the wiring. The names here are what the rest of the harness asks for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from physprobe import data
from physprobe.data import DatasetIdentity
from physprobe.harness.datasets import place_of
from physprobe.harness.quantiphy import official_files
from physprobe.harness.quantiphy.completion import complete, prepare
from physprobe.harness.quantiphy.layout import identity
from physprobe.harness.quantiphy.questions import category_tasks as present_tasks
from physprobe.harness.quantiphy.references import reference_answer
from physprobe.harness.quantiphy.videos import DATASET

__all__ = ["complete", "dataset", "identity", "prepare", "present_tasks", "reference_answer", "require"]

_SPLITS: dict[str, official_files.Split] = {"VALIDATION": "validation", "TEST": "test"}
_OFFICIAL = {f"quantiphy_official_{split}": split for split in _SPLITS.values()}


def __getattr__(name: str) -> Any:
    """Give the task files where the questions lie, when they are read: DATASET_PATH for our data set.

    For the public ones VALIDATION_FORMAT and TEST_FORMAT ("csv" or "parquet") and VALIDATION_FILES and
    TEST_FILES (what ``load_dataset`` takes beside it).

    Raises:
        UserError: the data set is not there; says where it looked and what to do.
    """
    if name == "DATASET_PATH":
        return place_of(DATASET, "questions")
    split, _, what = name.partition("_")
    if split not in _SPLITS or what not in ("FORMAT", "FILES"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    path = official_files.table_path(_SPLITS[split])
    return path.suffix.removeprefix(".") if what == "FORMAT" else {"data_files": {"test": str(path)}}


def require(tasks: Sequence[str]) -> None:
    """Check that the questions of some tasks can be loaded.

    Raises:
        UserError: says where it looked, and what to do.
    """
    for task in tasks:
        if task in _OFFICIAL:
            official_files.table_path(_OFFICIAL[task])
    if not _OFFICIAL.keys() >= set(tasks):
        __getattr__("DATASET_PATH")


def dataset(tasks: Sequence[str]) -> DatasetIdentity:
    """Return which state of a data set some tasks ask about: of ours if any does, else of the public one."""
    if _OFFICIAL.keys() >= set(tasks):
        return official_files.identity(_OFFICIAL[tasks[0]])
    return data.dataset_identity(DATASET)
