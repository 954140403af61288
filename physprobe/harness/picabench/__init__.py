"""Adapts PICABench to lmms-eval: rows to messages, answers to records, records to metrics.

``tasks/picabench`` holds only the wiring. The names are those that the harness asks of a benchmark.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from physprobe.data import DatasetIdentity
from physprobe.harness.picabench.completion import complete, prepare
from physprobe.harness.picabench.files import find_questions
from physprobe.harness.picabench.layout import identity
from physprobe.harness.picabench.references import reference_answer

__all__ = ["complete", "dataset", "identity", "prepare", "present_tasks", "reference_answer", "require"]


def __getattr__(name: str) -> Any:
    """Give FILES, for the task file: what ``load_dataset`` takes beside "json", when it is read.

    Raises:
        UserError: the questions are not there; says where it looked and what to do.
    """
    if name != "FILES":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return {"data_files": {"test": str(find_questions().path)}}


def require(tasks: Sequence[str]) -> None:
    """Check that the questions can be loaded.

    Raises:
        UserError: says where it looked, and what to do.
    """
    find_questions()


def present_tasks(tasks: Sequence[str]) -> list[str]:
    """Return all tasks."""
    return list(tasks)


def dataset(tasks: Sequence[str]) -> DatasetIdentity:
    """Return which questions were asked: their hash, for the data set has no version."""
    found = find_questions()
    return DatasetIdentity("picabench", sha256=found.sha256, commit=found.commit)
