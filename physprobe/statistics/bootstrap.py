"""Confidence intervals from a bootstrap over clusters.

Questions about one clip pair share scene, camera and difficulty, so they are not independent; pairs are. A
cluster bootstrap therefore draws whole clusters with replacement and recomputes the statistic from the sums
of the clusters drawn (Davison & Hinkley 1997, section 3.8; Efron & Tibshirani 1993, chapter 14).

Everything here works on sums per cluster: a statistic of totals (a mean is a ratio of two totals) is
recomputed for all resamples at once, at a cost that depends on the number of clusters and not of rows.

Assumptions: clusters are independent draws from one population, and there are enough of them for the sample
to stand for it. In simulation, 95% percentile intervals of a share held the truth in 92 to 95% of samples of
48 or 96 clusters, but in only 70% of samples of 12 clusters at a true share of 0.9 (BCa no better). A sample
without variation, such as a model that is always right, gives an interval of zero width: that is the
bootstrap's blind spot, not certainty.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array
from scipy.special import ndtr, ndtri  # of the normal distribution; scipy.stats takes long to import

Float = NDArray[np.float64]
Statistic = Callable[[Float], Float]
Method = Literal["percentile", "bca"]

# Resamples drawn by one generator. Part of the random stream's definition: another value, other intervals.
BLOCK = 50

_SPARSE = 0.25  # share of numbers that are not 0, below which a sparse product is faster


class Intervals(NamedTuple):
    """K statistics with their intervals, each of shape (K,), float64; NaN where undefined.

    Attributes:
        value: the statistic of the sample itself. low, high: bounds of its confidence interval.
    """

    value: Float
    low: Float
    high: Float


def cluster_sums(clusters: Sequence[str], rows: ArrayLike) -> tuple[tuple[str, ...], Float]:
    """Add up rows cluster by cluster, to the last bit the same for every order of the rows.

    Args:
        clusters: N cluster ids. rows: (N, M) numbers.

    Returns:
        The C ids in sorted order and their sums, (C, M) float64.

    Raises:
        ValueError: the two lengths differ.
    """
    values = np.asarray(rows, dtype=np.float64)
    if len(values) != len(clusters):
        raise ValueError(f"{len(clusters)} cluster ids for {len(values)} rows")
    if not len(values):
        return (), values.reshape(0, values.shape[-1])
    ids, codes = np.unique(np.asarray(clusters, dtype=np.str_), return_inverse=True)
    order = np.lexsort((*values.T, codes))
    starts = np.searchsorted(codes[order], np.arange(len(ids)))
    return tuple(ids.tolist()), np.add.reduceat(values[order], starts, axis=0)


def ratio_of_sums(totals: Float) -> Float:
    """Divide the first half of the columns by the second: (..., 2K) -> (..., K), NaN where that is 0."""
    half = totals.shape[-1] // 2
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = totals[..., :half] / totals[..., half:]
    return np.where(totals[..., half:] == 0, np.nan, ratio)


class _Kinds(NamedTuple):
    """C clusters by what they add up to: T distinct rows of sums, transposed, and the row of each cluster.

    Attributes:
        sums: (M, T), sparse where most of it is 0. of_cluster: (C,) index into T.
    """

    sums: Float | csr_array
    of_cluster: NDArray[np.int32]


def _kinds(sums: Float) -> _Kinds:
    distinct, of_cluster = np.unique(sums, axis=0, return_inverse=True)
    if 2 * len(distinct) > len(sums):
        distinct, of_cluster = sums, np.arange(len(sums))
    transposed = np.ascontiguousarray(distinct.T)
    sparse = np.count_nonzero(transposed) < _SPARSE * transposed.size
    return _Kinds(csr_array(transposed) if sparse else transposed, of_cluster.ravel().astype(np.int32))


def _resample_block(kinds: _Kinds, seed: int, block: int) -> Float:
    """Draw BLOCK resamples of C clusters each: totals of shape (BLOCK, M)."""
    count = len(kinds.of_cluster)
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(block,)))
    drawn = rng.integers(0, count, size=(BLOCK, count), dtype=np.int32)
    weights = np.empty((BLOCK, kinds.sums.shape[1]))
    for row, clusters in zip(weights, drawn, strict=True):
        row[:] = np.bincount(kinds.of_cluster.take(clusters), minlength=len(row))
    if isinstance(kinds.sums, csr_array):
        return np.asarray(kinds.sums @ weights.T).T
    # einsum and not @: BLAS may add up in another order with another number of threads.
    return np.einsum("bc,mc->bm", weights, kinds.sums)


def resample_totals(sums: ArrayLike, resamples: int, *, seed: int = 0, workers: int = 1) -> Float:
    """Draw clusters with replacement and add up what was drawn.

    Resample r depends on the seed and r alone: a longer run starts with the resamples of a shorter one, and
    neither the number of workers nor their order changes anything.

    Args:
        sums: (C, M) sums per cluster, in a fixed order. resamples: R. seed: any integer >= 0.
        workers: threads.

    Returns:
        (R, M) totals.
    """
    array = np.asarray(sums, dtype=np.float64)
    blocks = range(-(-resamples // BLOCK))
    draw = partial(_resample_block, _kinds(array), seed)
    if workers > 1:
        with ThreadPoolExecutor(workers) as pool:
            parts = list(pool.map(draw, blocks))
    else:
        parts = [draw(block) for block in blocks]
    return np.concatenate(parts)[:resamples]


def cluster_bootstrap(
    sums: ArrayLike,
    statistic: Statistic = ratio_of_sums,
    *,
    resamples: int = 1000,
    seed: int = 0,
    confidence: float = 0.95,
    method: Method = "percentile",
    workers: int = 1,
) -> Intervals:
    """Estimate statistics of totals over clusters, with confidence intervals.

    Args:
        sums: (C, M) sums per cluster, as :func:`cluster_sums` returns them.
        statistic: maps totals (..., M) to K statistics (..., K), NaN where undefined; vectorised over the
            leading axis. The default reads the columns as K numerators followed by K denominators.
        resamples: R >= 1. seed: any integer >= 0. confidence: in (0, 1). workers: threads.
        method: "percentile", or "bca" (bias-corrected and accelerated; second-order accurate, for skewed
            statistics).

    Returns:
        K values with bounds. Fewer than two clusters: bounds are NaN, for nothing is known about the spread
        between clusters. All resamples equal: low = value = high. Resamples in which a statistic is undefined
        (no cluster drawn has a share in its denominator) are left out for that statistic.

    Raises:
        ValueError: resamples below 1, confidence outside (0, 1), an unknown method, sums not two-dimensional.
    """
    array = np.asarray(sums, dtype=np.float64)
    if array.ndim != 2 or resamples < 1 or not 0 < confidence < 1 or method not in ("percentile", "bca"):
        raise ValueError(
            f"sums {array.shape}, resamples {resamples}, confidence {confidence}, method {method!r}: "
            "need two dimensions, at least 1, inside (0, 1), percentile or bca"
        )
    value = np.asarray(statistic(array.sum(axis=0)), dtype=np.float64)
    if len(array) < 2:
        return Intervals(value, np.full_like(value, np.nan), np.full_like(value, np.nan))
    drawn = statistic(resample_totals(array, resamples, seed=seed, workers=workers))
    tails = np.broadcast_to(np.array([[(1 - confidence) / 2], [(1 + confidence) / 2]]), (2, len(value)))
    if method == "bca":
        tails = _bca_tails(tails, value, drawn, statistic(array.sum(axis=0) - array))
    bounds = [_quantiles(drawn[:, k], tails[:, k]) for k in range(len(value))]
    low, high = np.array(bounds).reshape(-1, 2).T
    return Intervals(value, low, high)


def _quantiles(drawn: Float, tails: Float) -> Float:
    """Take the (2,) quantiles of the defined resamples; NaN where there are none."""
    defined = drawn[~np.isnan(drawn)]
    return np.quantile(defined, tails) if len(defined) else np.full(2, np.nan)


def _bca_tails(tails: Float, value: Float, drawn: Float, jackknife: Float) -> Float:
    """Correct tail probabilities for bias and acceleration (Efron & Tibshirani 1993, equation 14.10).

    Args:
        tails: (2, K) nominal. value: (K,). drawn: (R, K). jackknife: (C, K), one cluster left out each.

    Returns:
        (2, K); nominal where the correction is undefined (no variation, value outside all resamples).
    """
    defined = np.maximum((~np.isnan(drawn)).sum(axis=0), 1)
    below = ((drawn < value).sum(axis=0) + (drawn <= value).sum(axis=0)) / (2 * defined)
    counts = np.maximum((~np.isnan(jackknife)).sum(axis=0), 1)
    deviation = np.nan_to_num(np.nansum(jackknife, axis=0) / counts - jackknife)
    with np.errstate(divide="ignore", invalid="ignore"):
        acceleration = (deviation**3).sum(axis=0) / (6 * (deviation**2).sum(axis=0) ** 1.5)
        bias = ndtri(below)
        shifted = bias + ndtri(tails)
        corrected = ndtr(bias + shifted / (1 - acceleration * shifted))
    return np.where(np.isfinite(corrected), corrected, tails)
