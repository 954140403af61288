"""How two scores of the same models go together (paper sections 4.3 and 4.6)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from physprobe.statistics.bootstrap import Float


@dataclass(frozen=True)
class Correlation:
    """Pearson's r with two intervals.

    Attributes:
        r, p: NaN with fewer than three models or without variation.
        low, high: by Fisher's z transformation; assumes that both scores are normal together. NaN below four.
        bootstrap_low, bootstrap_high: BCa bootstrap over models; assumes only that models are independent
            draws. NaN below four.
        n: models.
    """

    r: float
    low: float
    high: float
    bootstrap_low: float
    bootstrap_high: float
    p: float
    n: int


def pearson(
    x: ArrayLike, y: ArrayLike, *, resamples: int = 10_000, seed: int = 0, confidence: float = 0.95
) -> Correlation:
    """Correlate two scores over models; models with a NaN in either are left out.

    Assumptions: the relation is linear; models are independent (models of one family are not quite, so both
    intervals are too narrow for them). Errors in the scores themselves weaken r.

    Raises:
        ValueError: lengths differ.

    Source:
        Paper section 4.3 (conserving against non-conserving) and Appendix J (against controls).
    """
    one, other = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if one.shape != other.shape:
        raise ValueError(f"{one.shape} scores against {other.shape}")
    known = ~np.isnan(one) & ~np.isnan(other)
    one, other = one[known], other[known]
    nan, n = float("nan"), int(known.sum())
    if n < 3 or np.ptp(one) == 0 or np.ptp(other) == 0:
        return Correlation(nan, nan, nan, nan, nan, nan, n)
    found = stats.pearsonr(one, other)
    r, p = float(found.statistic), float(found.pvalue)
    if n < 4:
        return Correlation(r, nan, nan, nan, nan, p, n)
    fisher = found.confidence_interval(confidence)
    drawn = _bootstrap(one, other, resamples, seed, confidence)
    return Correlation(r, float(fisher.low), float(fisher.high), *drawn, p, n)


def _bootstrap(one: Float, other: Float, resamples: int, seed: int, confidence: float) -> tuple[float, float]:
    with np.errstate(divide="ignore", invalid="ignore"):
        found = stats.bootstrap(
            (one, other),
            _correlate,
            n_resamples=resamples,
            paired=True,
            vectorized=True,
            confidence_level=confidence,
            batch=1000,
            rng=np.random.default_rng(seed),
        )
    return float(found.confidence_interval.low), float(found.confidence_interval.high)


def _correlate(one: Float, other: Float, axis: int = -1) -> Float:
    a = one - one.mean(axis=axis, keepdims=True)
    b = other - other.mean(axis=axis, keepdims=True)
    spread = np.sqrt(np.square(a).sum(axis=axis) * np.square(b).sum(axis=axis))
    # A resample of one model alone, drawn n times, has no correlation: it happens with few models only.
    return np.divide((a * b).sum(axis=axis), spread, out=np.zeros_like(spread), where=spread > 0)
