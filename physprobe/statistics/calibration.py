"""Are numbers that a model gives too large or too small?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from physprobe.statistics.bootstrap import Float, cluster_bootstrap, cluster_sums


@dataclass(frozen=True)
class Bias:
    """The signed log ratio of predictions and truths.

    Attributes:
        log_ratio, low, high: mean of log10(predicted / true) with its interval: 0 is unbiased, 0.3 twice too
            large. NaN where nothing counts.
        factor: 10 ** log_ratio, the geometric mean of predicted / true.
        spread: standard deviation of the log ratio: how far single answers are off.
        share_over: share of predictions above the truth. n: answers that count.
        excluded: answers without a log ratio: unread, zero, or of the other sign than the truth.
    """

    log_ratio: float
    low: float
    high: float
    factor: float
    spread: float
    share_over: float
    n: int
    excluded: int


def signed_log_ratio(
    predicted: ArrayLike,
    true: ArrayLike,
    clusters: Sequence[str],
    *,
    resamples: int = 10_000,
    seed: int = 0,
    confidence: float = 0.95,
) -> Bias:
    """Measure by which factor predictions are off on average.

    Assumptions: clusters (videos) are independent; errors are multiplicative.

    Args:
        predicted, true: (N,) numbers in the same unit; NaN where unread. clusters: (N,) video ids.

    Raises:
        ValueError: lengths differ.
    """
    given, target = np.asarray(predicted, dtype=np.float64), np.asarray(true, dtype=np.float64)
    if given.shape != target.shape or len(clusters) != len(given):
        raise ValueError(f"{len(given)} predictions, {len(target)} truths, {len(clusters)} clusters")
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = given / target
        logs: Float = np.log10(ratio, where=ratio > 0, out=np.full(ratio.shape, np.nan))
    known = np.isfinite(logs)
    excluded, nan = int((~known).sum()), float("nan")
    if not known.any():
        return Bias(nan, nan, nan, nan, nan, nan, 0, excluded)
    logs = logs[known]
    ids = [cluster for cluster, keep in zip(clusters, known, strict=True) if keep]
    _, sums = cluster_sums(ids, np.column_stack([logs, np.ones_like(logs)]))
    found = cluster_bootstrap(sums, resamples=resamples, seed=seed, confidence=confidence)
    mean, low, high = (float(bound[0]) for bound in found)
    spread = float(logs.std(ddof=1)) if len(logs) > 1 else nan
    return Bias(mean, low, high, 10**mean, spread, float((logs > 0).mean()), len(logs), excluded)
