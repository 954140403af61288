"""Scores saved answers to physical consistency anew. Ratings of explanations stand as judges gave them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from physprobe.harness.consistency.completion import CARRIER, summary
from physprobe.harness.consistency.marking import DETAILS, SCORING, Reading, collected, read_anew

__all__ = ["CARRIER", "OTHERS", "SCORING", "Reading", "mark_anew", "summary"]

OTHERS: Mapping[str, Callable[[Sequence[Any]], float]] = {}


def mark_anew(sample: Mapping[str, Any], answer: str) -> dict[str, Any]:
    """Return for each metric what it collects of a saved question."""
    return collected(read_anew(sample[DETAILS], answer))
