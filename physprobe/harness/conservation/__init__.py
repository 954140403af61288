"""Adapts conservationbench to lmms-eval: rows to messages, answers to records, records to metrics.

``tasks/conservation`` holds only the wiring. State (the clips' table, decoded frames) lives in ``clips``,
once a process. The names here are what the rest of the harness asks of a benchmark.
"""

from __future__ import annotations

from collections.abc import Sequence

from physprobe import data
from physprobe.data import DatasetIdentity
from physprobe.harness.conservation.clips import DATASET
from physprobe.harness.conservation.completion import complete
from physprobe.harness.conservation.layout import identity
from physprobe.harness.conservation.questions import domain_tasks as present_tasks
from physprobe.harness.conservation.references import reference_answer
from physprobe.harness.datasets import place_of
from physprobe.harness.judges import check_reading as prepare

__all__ = ["complete", "dataset", "identity", "prepare", "present_tasks", "reference_answer", "require"]

_CONFIGS = {"DATASET_PATH": "questions", "STATIC_PATH": "static"}


def __getattr__(name: str) -> str:
    """Give DATASET_PATH and STATIC_PATH, for the task files: where the dataset lies, when they are read.

    Raises:
        UserError: the dataset is not there, or has no such config; says where it looked and what to do.
    """
    if name not in _CONFIGS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return place_of(DATASET, _CONFIGS[name])


def require(tasks: Sequence[str]) -> None:
    """Check that the dataset of some tasks can be loaded.

    Raises:
        UserError: says where it looked, and how to get or build the dataset.
    """
    __getattr__("DATASET_PATH")


def dataset(tasks: Sequence[str]) -> DatasetIdentity:
    """Return which state of the dataset some tasks ask about."""
    return data.dataset_identity(DATASET)
