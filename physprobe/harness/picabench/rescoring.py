"""Scores saved answers to PICABench anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from physprobe.harness.picabench.completion import CARRIER, summary
from physprobe.harness.picabench.marking import DETAILS, SCORING, Reading, collected, read_anew
from physprobe.harness.scoring import kept_readings

__all__ = ["OTHERS", "SCORING", "mark_anew", "summarise"]

OTHERS: Mapping[str, Callable[[Sequence[Any]], float]] = {}


def mark_anew(sample: Mapping[str, Any], answer: str) -> dict[str, Any]:
    """Return for each metric what it collects of a saved question."""
    return collected(read_anew(sample[DETAILS], answer))


def summarise(results: Mapping[str, Any], saved: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the benchmark adds to a results file, as far as answers decide it.

    Args:
        results: metrics with their readings. saved: what was added before; its threshold stays.
    """
    readings = kept_readings(results, CARRIER, Reading)
    return summary(results, readings, saved.get("unreadable", {}).get("threshold")) if readings else {}
