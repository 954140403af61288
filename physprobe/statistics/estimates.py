"""A score with its confidence interval, and what lmms-eval calls the three numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Estimate:
    """A score with its confidence interval.

    Attributes:
        value: NaN where nothing counts towards it.
        low, high: bounds; NaN with fewer than two clusters.
        n: what the score is taken over: questions, or pairs (once per setting) for a strict pair accuracy.
    """

    value: float
    low: float
    high: float
    n: int

    def as_json(self) -> dict[str, Any]:
        """Return the fields, None for what is undefined."""
        return {name: None if math.isnan(value) else value for name, value in asdict(self).items()}


def as_json(estimates: Mapping[str, Estimate]) -> dict[str, Any]:
    """Return each score's fields, see :meth:`Estimate.as_json`."""
    return {score: estimate.as_json() for score, estimate in estimates.items()}


def metric_names(score: str) -> tuple[str, str, str]:
    """Name a score and its two bounds for lmms-eval, as ``("accuracy_overall", "ci95_low_overall", ...)``.

    lmms-eval collects the metrics of a group by substring (evaluator_utils.py), so no name may be part of
    another; hence bounds take the score's stem and not its name.
    """
    stem = score.partition("_")[2]
    return score, f"ci95_low_{stem}", f"ci95_high_{stem}"
