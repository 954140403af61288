"""Plain values that carry what they were made from, through an evaluator that only hands on plain values.

lmms-eval collects for each metric one item a question, aggregates the items of each task to a number, and
gives a group's aggregation these numbers only; an interval over the whole group can't be made from them. It
also writes every item of every metric into the samples file. So here an item is a word that carries its
reading, and a task's number carries its readings: files stay small, and a group is scored from all readings.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class MarkedAnswer(str):
    """The word "correct", "wrong", "unread" or "idk", with what it stands for; pickles with it.

    Attributes:
        reading: what the benchmark keeps of an answer; frozen.
    """

    reading: Any

    def __new__(cls, mark: str, reading: Any) -> MarkedAnswer:
        """Make the word ``mark`` carry ``reading``."""
        made = super().__new__(cls, mark)
        made.reading = reading
        return made

    def __getnewargs__(self) -> tuple[str, Any]:  # type: ignore[override]
        """Return what pickling hands to ``__new__``."""
        return str(self), self.reading


class Score(float):
    """A metric of one task or group, with the readings it was computed from.

    Attributes:
        metric: its name. readings: of all questions.
    """

    metric: str
    readings: tuple[Any, ...]

    def __new__(cls, value: float, metric: str, readings: Sequence[Any]) -> Score:
        """Make the number ``value`` carry its name and readings."""
        made = super().__new__(cls, value)
        made.metric = metric
        made.readings = tuple(readings)
        return made

    def __getnewargs__(self) -> tuple[float, str, tuple[Any, ...]]:  # type: ignore[override]
        """Return what pickling hands to ``__new__``."""
        return float(self), self.metric, self.readings
