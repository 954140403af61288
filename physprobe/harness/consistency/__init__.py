"""Adapts physical consistency to lmms-eval: rows to messages, answers to records, records to metrics.

``tasks/physical_consistency`` holds only the wiring. The names are those that the harness asks of a
benchmark.
"""

from __future__ import annotations

from collections.abc import Sequence

from physprobe import data
from physprobe.consistency.vocabulary import SUITES
from physprobe.data import DatasetIdentity
from physprobe.harness.consistency.completion import complete
from physprobe.harness.consistency.layout import identity
from physprobe.harness.consistency.questions import CONFIG, DATASET
from physprobe.harness.consistency.references import reference_answer
from physprobe.harness.datasets import place_of
from physprobe.harness.judges import check_reading as prepare

__all__ = ["complete", "dataset", "identity", "prepare", "present_tasks", "reference_answer", "require"]


def __getattr__(name: str) -> str:
    """Give DATASET_PATH, for the task files: where the dataset lies, when they are read.

    Raises:
        UserError: the dataset is not there; says where it looked and what to do.
    """
    if name != "DATASET_PATH":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return place_of(DATASET, CONFIG, f"test_{SUITES[0]}")


def require(tasks: Sequence[str]) -> None:
    """Check that the dataset of some tasks can be loaded.

    Raises:
        UserError: says where it looked, and how to get or build the dataset.
    """
    __getattr__("DATASET_PATH")


def present_tasks(tasks: Sequence[str]) -> list[str]:
    """Return all tasks: every dataset has all suites."""
    return list(tasks)


def dataset(tasks: Sequence[str]) -> DatasetIdentity:
    """Return which state of the dataset some tasks ask about."""
    return data.dataset_identity(DATASET)
