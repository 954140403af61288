"""Plain values that carry what they were made from, through an evaluator that only hands on plain values.

lmms-eval collects for each metric one item a question, aggregates the items of each task to a number, and
gives a group's aggregation these numbers only; an interval over the whole group can't be made from them. It
also writes every item of every metric into the samples file. So here an item is a word that carries its
record, and a task's number carries its records: files stay small, and a group is scored from all records.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class MarkedAnswer(str):
    """The word "correct", "wrong" or "unread", with the scored record; pickles with it (between processes).

    Attributes:
        record: a frozen record of the benchmark, hashable.
    """

    record: Any

    def __new__(cls, mark: str, record: Any) -> MarkedAnswer:
        """Make the word ``mark`` carry ``record``."""
        made = super().__new__(cls, mark)
        made.record = record
        return made

    def __getnewargs__(self) -> tuple[str, Any]:  # type: ignore[override]
        """Return what pickling hands to ``__new__``."""
        return str(self), self.record


class Score(float):
    """A metric of one task, with the records it was computed from.

    Attributes:
        metric: its name. records: of all questions of the task.
    """

    metric: str
    records: tuple[Any, ...]

    def __new__(cls, value: float, metric: str, records: Sequence[Any]) -> Score:
        """Make the number ``value`` carry its name and records."""
        made = super().__new__(cls, value)
        made.metric = metric
        made.records = tuple(records)
        return made

    def __getnewargs__(self) -> tuple[float, str, tuple[Any, ...]]:  # type: ignore[override]
        """Return what pickling hands to ``__new__``."""
        return float(self), self.metric, self.records
