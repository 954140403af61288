"""How readings of answers become lmms-eval's metrics: each score with its bounds, groups from all readings.

Pure: lmms-eval calls it from several threads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from physprobe.harness.carriers import MarkedAnswer, Score
from physprobe.statistics.estimates import Estimate, metric_names

Readings = tuple[Any, ...]


def reported(scores: Sequence[str]) -> tuple[str, ...]:
    """Name the metrics of some scores: each with its bounds."""
    return tuple(name for score in scores for name in metric_names(score))


@dataclass(frozen=True)
class Scoring:
    """How a benchmark scores.

    Attributes:
        question_id: of a reading; readings are ordered by it. of_details: makes the reading of a question's
            record. estimates: all scores of some readings; should keep the last few.
        higher_is_better: by score; True where not named.
    """

    question_id: Callable[[Any], str]
    of_details: Callable[[Mapping[str, Any]], Any]
    estimates: Callable[[Readings], Mapping[str, Estimate]]
    higher_is_better: Mapping[str, bool | None] = field(default_factory=dict)

    def metric_list(self, scores: Sequence[str]) -> list[dict[str, Any]]:
        """Return the ``metric_list`` of a task file: each score with its bounds, from the readings."""
        return [
            {
                "metric": name,
                "aggregation": partial(self.aggregate, name),
                "higher_is_better": self.higher_is_better.get(score, True),
            }
            for score in scores
            for name in metric_names(score)
        ]

    def group_metric_list(self, scores: Sequence[str]) -> list[dict[str, Any]]:
        """Return the ``aggregate_metric_list`` of a group, from the readings of all its tasks."""
        return [{"metric": name, "aggregation": self.pool} for name in reported(scores)]

    def pool(self, scores: Sequence[Score], sizes: Sequence[int], weight_by_size: bool) -> Score:
        """Compute a metric of a group from the readings of all its tasks (not from the tasks' values)."""
        return self.score_of(scores[0].metric, [reading for score in scores for reading in score.readings])

    def score_of(self, metric: str, readings: Sequence[Any]) -> Score:
        """Compute one metric."""
        ordered = tuple(sorted(readings, key=self.question_id))
        values = {
            name: value
            for score, estimate in self.estimates(ordered).items()
            for name, value in zip(
                metric_names(score), (estimate.value, estimate.low, estimate.high), strict=True
            )
        }
        return Score(values[metric], metric, ordered)

    def aggregate(self, metric: str, items: Sequence[MarkedAnswer | Mapping[str, Any]]) -> Score:
        """Compute one metric of a task from what it collected."""
        read = [item.reading if isinstance(item, MarkedAnswer) else self.of_details(item) for item in items]
        return self.score_of(metric, read)


def collected_by(scores: Sequence[str], details: dict[str, Any], word: str, reading: Any) -> dict[str, Any]:
    """Return what each metric of some scores collects of a question.

    Args:
        details: the question's record, for the first score; it lands in the samples file. word: stands there
            for the others. reading: what these are computed from.
    """
    carried = MarkedAnswer(word, reading)
    return {name: details if name == scores[0] else carried for name in reported(scores)}


def mark_answer(
    mark: Callable[[Mapping[str, Any], str], dict[str, Any]], doc: Mapping[str, Any], results: Sequence[str]
) -> dict[str, Any]:
    """Mark the one answer to a question: with ``mark`` given, what lmms-eval calls ``process_results``."""
    return mark(doc, results[0])


def kept_readings(results: Mapping[str, Any], carrier: str, kind: type) -> dict[str, Readings]:
    """Return the readings of each task of a benchmark (no groups) that a finished run's metrics carry.

    Args:
        results: as lmms-eval's ``simple_evaluate`` returns them.
        carrier: a metric whose readings are complete. kind: of this benchmark's readings; others are left.
    """
    found: dict[str, Readings] = {}
    for task in results["configs"]:
        for name, value in results["results"].get(task, {}).items():
            # The name of lmms-eval's filter follows the metric's.
            ours = isinstance(value, Score) and all(isinstance(each, kind) for each in value.readings)
            if ours and name.startswith(f"{carrier},"):
                found[task] = value.readings
    return found


def with_groups(results: Mapping[str, Any], readings: Mapping[str, Readings]) -> dict[str, Readings]:
    """Add the readings of groups, which are those of all their tasks."""
    groups = {
        group: tuple(reading for member in members for reading in readings[member])
        for group, members in results["group_subtasks"].items()
        if members and all(member in readings for member in members)
    }
    return {**readings, **groups}
