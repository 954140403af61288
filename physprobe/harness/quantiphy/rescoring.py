"""Scores saved answers to QuantiPhy questions anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from physprobe.harness.quantiphy.completion import CARRIER, summary
from physprobe.harness.quantiphy.marking import SCORING, Reading, collected, read_anew
from physprobe.quantiphy.submission import RECORD

__all__ = ["CARRIER", "OTHERS", "SCORING", "Reading", "mark_anew", "summary"]

OTHERS: Mapping[str, Callable[[Sequence[Any]], float]] = {}


def mark_anew(sample: Mapping[str, Any], answer: str) -> dict[str, Any]:
    """Return for each metric what it collects of a saved question."""
    return collected(read_anew(sample[RECORD], answer))
