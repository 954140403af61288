"""What is done after an evaluation: scores are broken down and explanations rated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from physprobe.consistency.breakdown import category_estimates
from physprobe.consistency.classification import confusion
from physprobe.consistency.vocabulary import LABELS
from physprobe.harness.consistency.explanations import explained
from physprobe.harness.consistency.marking import Reading, estimates
from physprobe.harness.counting import counted
from physprobe.harness.scoring import kept_readings, with_groups
from physprobe.harness.undefined import drop_undefined
from physprobe.harness.unreadable import unreadable
from physprobe.statistics.estimates import as_json

CARRIER = "rate_invalid"  # a metric whose readings are complete


def complete(results: dict[str, Any]) -> dict[str, Any]:
    """Have explanations rated, break the scores down, and say why answers are invalid.

    Args:
        results: as lmms-eval's ``simple_evaluate`` returns them; changed in place.

    Returns:
        For the results file: what :func:`physprobe.harness.consistency.explanations.explained` and
        :func:`summary` return. Empty when no task of the benchmark was scored.
    """
    readings = kept_readings(results, CARRIER, Reading)
    if not readings:
        return {}
    drop_undefined(results, with_groups(results, readings))
    return {**explained(results, readings), **summary(results, readings)}


def summary(
    results: Mapping[str, Any],
    readings: Mapping[str, tuple[Reading, ...]],
    unreadable_above: float | None = None,
) -> dict[str, Any]:
    """Break scores down, count why answers are invalid, and say whether too many are unread.

    Args:
        results: with the groups. readings: by task, no groups. unreadable_above: default: the setting.

    Returns:
        For each task and group "scores" ("all", and "category", "suite" and "mechanism" -> level -> score ->
        value, low, high, n), "confusion" (labels, counts with truth in rows, unread in the last column) and
        "invalid" (reason -> how many answers); and "unreadable".
    """
    everything = with_groups(results, readings)
    unread = [reading.unread for found in readings.values() for reading in found]
    return {
        "scores": {task: _breakdown(found) for task, found in everything.items()},
        "confusion": {task: _confusion(found) for task, found in everything.items()},
        "invalid": {task: _reasons(found) for task, found in everything.items()},
        "unreadable": unreadable(unread, unreadable_above),
    }


def _breakdown(readings: Sequence[Reading]) -> dict[str, Any]:
    items = [reading.item for reading in readings]
    suites = sorted({reading.suite for reading in readings})
    mechanisms = sorted({reading.mechanism for reading in readings} - {""})
    return {
        "all": as_json(estimates(tuple(items))),
        "category": {
            label: as_json(category_estimates(items, label))
            for label in LABELS
            if any(item.category == label for item in items)
        },
        "suite": {name: _part(readings, suite=name) for name in suites},
        "mechanism": {name: _part(readings, mechanism=name) for name in mechanisms},
    }


def _part(readings: Sequence[Reading], **levels: str) -> dict[str, Any]:
    chosen = [r for r in readings if all(getattr(r, name) == level for name, level in levels.items())]
    return as_json(estimates(tuple(reading.item for reading in chosen)))


def _confusion(readings: Sequence[Reading]) -> dict[str, Any]:
    items = [reading.item for reading in readings]
    table = confusion([item.category for item in items], [item.predicted for item in items], LABELS)
    return {"labels": list(table.columns), "counts": table.to_numpy().tolist()}


def _reasons(readings: Sequence[Reading]) -> dict[str, int]:
    return counted(reason for reading in readings for reason in reading.reasons)
