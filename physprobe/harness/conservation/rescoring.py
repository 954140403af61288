"""Scores saved answers to conservationbench anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from physprobe.harness.conservation.captions import taken
from physprobe.harness.conservation.completion import CARRIER, summary
from physprobe.harness.conservation.marking import DETAILS, SCORING, Reading, collected, read_anew
from physprobe.harness.conservation.modality import check_anew, mean, share_correct
from physprobe.harness.scoring import kept_readings

__all__ = ["OTHERS", "SCORING", "mark_anew", "summarise"]

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


def summarise(results: Mapping[str, Any], saved: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the benchmark adds to a results file, as far as answers decide it.

    Args:
        results: metrics with their readings. saved: what was added before; its threshold stays.
    """
    readings = kept_readings(results, CARRIER, Reading)
    if not readings:
        return {}
    found = [reading for each in readings.values() for reading in each]
    above = saved.get("unreadable", {}).get("threshold")
    return {"matching": _matching(found), **summary(results, readings, above)}


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
