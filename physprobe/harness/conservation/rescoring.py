"""Scores saved answers to conservationbench anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from physprobe.harness.conservation import completion
from physprobe.harness.conservation.captions import taken
from physprobe.harness.conservation.completion import CARRIER, Readings
from physprobe.harness.conservation.marking import DETAILS, SCORING, Reading, collected, read_anew
from physprobe.harness.conservation.modality import check_anew, mean, share_correct

__all__ = ["CARRIER", "OTHERS", "SCORING", "Reading", "mark_anew", "summary"]

# The metrics of tasks that ask no question of the benchmark.
OTHERS: Mapping[str, Callable[[Sequence[Any]], float]] = {
    "count_correct": share_correct,
    "count_unread": mean,
    "captions_kept": lambda items: float(len(items)),
    "captions_empty": mean,
}


def mark_anew(sample: Mapping[str, Any], answer: str) -> dict[str, Any]:
    """Return for each metric what it collects of a saved question."""
    if DETAILS in sample:
        return collected(read_anew(sample[DETAILS], answer), answer)
    if "count_correct" in sample:
        return check_anew(sample["count_correct"], answer)
    return taken(sample["captions_kept"], answer)


def summary(
    results: Mapping[str, Any], readings: Readings, unreadable_above: float | None = None
) -> dict[str, Any]:
    """Count who read the answers, and add what ``completion.summary`` returns."""
    found = [reading for each in readings.values() for reading in each]
    return {"matching": _matching(found), **completion.summary(results, readings, unreadable_above)}


def _matching(readings: Sequence[Reading]) -> dict[str, int]:
    """Count who read the answers; see :meth:`physprobe.judging.hybrid.HybridResult.summary`."""
    rules = Counter(reading.rule for reading in readings)
    unread = sum(reading.letter is None for reading in readings)
    templates = len(readings) - unread - rules["judges"]
    return {
        "answers": len(readings),
        "read_by_templates": templates,
        "read_by_judges": rules["judges"],
        "unread": unread,
    }
