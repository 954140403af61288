"""Do raters agree beyond chance?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from physprobe.statistics.bootstrap import Float, cluster_bootstrap


@dataclass(frozen=True)
class Agreement:
    """Fleiss' kappa: 1 is full agreement, 0 what chance gives; NaN where all answers are the same.

    Attributes:
        kappa, low, high: with an interval from a bootstrap over items. agreement: mean share of rater pairs
            that agree. items, raters: how many.
    """

    kappa: float
    low: float
    high: float
    agreement: float
    items: int
    raters: int


def fleiss_kappa(
    counts: ArrayLike, *, resamples: int = 10_000, seed: int = 0, confidence: float = 0.95
) -> Agreement:
    """Measure agreement of several raters on nominal categories.

    Assumptions: items are independent; every item has the same number of ratings, not necessarily of the same
    raters; raters are interchangeable.

    Args:
        counts: (N items, K categories) how many raters chose each. Make it from labels with
            ``statsmodels.stats.inter_rater.aggregate_raters``.

    Raises:
        ValueError: items have different numbers of ratings, or fewer than two.

    Source:
        Fleiss 1971; computed by statsmodels.
    """
    from statsmodels.stats.inter_rater import fleiss_kappa as kappa_of

    table = np.asarray(counts, dtype=np.float64)
    raters = table.sum(axis=1)
    if len(np.unique(raters)) != 1 or raters[0] < 2:
        raise ValueError("every item needs the same number of ratings, at least two")
    agreeing = (np.square(table).sum(axis=1) - raters) / (raters * (raters - 1))
    sums = np.column_stack([agreeing, np.ones(len(table)), table])
    with np.errstate(divide="ignore", invalid="ignore"):
        kappa = float(kappa_of(table))
        found = cluster_bootstrap(sums, _kappa, resamples=resamples, seed=seed, confidence=confidence)
    bounds = float(found.low[0]), float(found.high[0])
    return Agreement(kappa, *bounds, float(agreeing.mean()), len(table), int(raters[0]))


def _kappa(totals: Float) -> Float:
    """Compute kappa of drawn items: (..., 2 + K) agreement, items, counts -> (..., 1)."""
    observed = totals[..., 0] / totals[..., 1]
    counts = totals[..., 2:]
    expected = np.square(counts / counts.sum(axis=-1, keepdims=True)).sum(axis=-1)
    return ((observed - expected) / (1 - expected))[..., None]
