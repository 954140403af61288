"""Is one model better than another, asked the same questions?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from physprobe.statistics.bootstrap import Float, Statistic, ratio_of_sums, resample_totals


@dataclass(frozen=True)
class McNemar:
    """McNemar's test of two models on the same pairs.

    Attributes:
        n: pairs. both, only_first, only_second, neither: how many were right by whom.
        chi2, p_chi2: without continuity correction; NaN without discordant pairs.
        p_exact: two-sided binomial test on the discordant pairs; 1 without any.
    """

    n: int
    both: int
    only_first: int
    only_second: int
    neither: int
    chi2: float
    p_chi2: float
    p_exact: float


@dataclass(frozen=True)
class Difference:
    """A difference of two scores (first - second) with its interval.

    Attributes:
        value, low, high: NaN where a score is undefined. p: two-sided, of the bootstrap. n: clusters.
    """

    value: float
    low: float
    high: float
    p: float
    n: int


def mcnemar(first: ArrayLike, second: ArrayLike) -> McNemar:
    """Test whether two models are right equally often on the same pairs.

    Assumptions: pairs are independent; each counts once (use one setting, or the cluster bootstrap).

    Args:
        first, second: (N,) bool, whether each pair was answered strictly correctly.

    Raises:
        ValueError: lengths differ.

    Source:
        McNemar 1947; computed by statsmodels. Prefer ``p_exact`` below 25 discordant pairs.
    """
    from statsmodels.stats.contingency_tables import mcnemar as test

    one, other = np.asarray(first, dtype=bool), np.asarray(second, dtype=bool)
    if one.shape != other.shape:
        raise ValueError(f"{len(one)} pairs of the first model, {len(other)} of the second")
    table = [
        [int((one & other).sum()), int((one & ~other).sum())],
        [int((~one & other).sum()), int((~one & ~other).sum())],
    ]
    (both, only_first), (only_second, neither) = table
    nan = float("nan")
    if only_first + only_second == 0:
        return McNemar(len(one), both, 0, 0, neither, nan, nan, 1.0)
    approximate, exact = test(table, exact=False, correction=False), test(table, exact=True)
    found = (float(approximate.statistic), float(approximate.pvalue), float(exact.pvalue))
    return McNemar(len(one), both, only_first, only_second, neither, *found)


def paired_differences(
    sums: ArrayLike,
    pairs: Sequence[tuple[int, int]],
    *,
    resamples: int = 10_000,
    seed: int = 0,
    confidence: float = 0.95,
    workers: int = 1,
) -> list[Difference]:
    """Compare models by a bootstrap that draws the same clusters for all of them.

    What is hard in a cluster is hard for both models, so their difference varies less than two independent
    scores would.

    Assumptions: those of :mod:`physprobe.statistics.bootstrap`; both models answered the same questions. The
    p value is the smallest level at which the percentile interval excludes 0, at least 2 / (resamples + 1).

    Args:
        sums: (C, M, 2) per cluster and model: what counts as right, and out of how many.
        pairs: indices of the models to compare.
        resamples, seed, confidence, workers: see :func:`physprobe.statistics.bootstrap.cluster_bootstrap`.

    Raises:
        ValueError: ``sums`` has another shape.
    """
    array = np.asarray(sums, dtype=np.float64)
    if array.ndim != 3 or array.shape[2] != 2:
        raise ValueError(f"sums {array.shape}: need (clusters, models, 2)")
    flat = np.concatenate([array[:, :, 0], array[:, :, 1]], axis=1)
    return differences(
        flat, ratio_of_sums, pairs, resamples=resamples, seed=seed, confidence=confidence, workers=workers
    )


def differences(
    sums: ArrayLike,
    statistic: Statistic,
    pairs: Sequence[tuple[int, int]],
    *,
    resamples: int = 10_000,
    seed: int = 0,
    confidence: float = 0.95,
    workers: int = 1,
) -> list[Difference]:
    """Compare statistics of totals by a bootstrap that draws the same clusters for all of them.

    Assumptions and p value: as for :func:`paired_differences`.

    Args:
        sums: (C, K) per cluster. statistic: (..., K) totals -> (..., S). pairs: indices of the statistics to
            compare. resamples, seed, confidence, workers: as there.
    """
    array = np.asarray(sums, dtype=np.float64)
    clusters = len(array)
    value = statistic(array.sum(axis=0))
    if clusters < 2:
        nan = float("nan")
        return [Difference(float(value[i] - value[j]), nan, nan, nan, clusters) for i, j in pairs]
    drawn = statistic(resample_totals(array, resamples, seed=seed, workers=workers))
    return [
        Difference(float(value[i] - value[j]), *_bounds(drawn[:, i] - drawn[:, j], confidence), clusters)
        for i, j in pairs
    ]


def _bounds(drawn: Float, confidence: float) -> tuple[float, float, float]:
    known = drawn[~np.isnan(drawn)]
    if not len(known):
        return float("nan"), float("nan"), float("nan")
    low, high = np.quantile(known, [(1 - confidence) / 2, (1 + confidence) / 2])
    beyond = min(int((known <= 0).sum()), int((known >= 0).sum()))
    return float(low), float(high), min(1.0, 2 * (beyond + 1) / (len(known) + 1))
