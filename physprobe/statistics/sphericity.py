"""Sphericity of repeated measures: Mauchly's test, and what to multiply degrees of freedom by without it.

A repeated-measures F test assumes that all orthonormal contrasts among the conditions have one variance and
no covariance. Where they don't, it rejects too often; multiplying both degrees of freedom by an epsilon in
[1/d, 1] mends that (Greenhouse & Geisser 1959; Huynh & Feldt 1976).
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import helmert
from scipy.stats import chi2

from physprobe.statistics.bootstrap import Float


@dataclass(frozen=True)
class Sphericity:
    """How far an effect is from sphericity.

    Attributes:
        w: Mauchly's W in [0, 1]; 1 is spherical. chi2, df, p: of his test, NaN where it is undefined (one
            contrast, which is always spherical, or fewer subjects than contrasts + 1).
        gg, hf: epsilons of Greenhouse-Geisser and Huynh-Feldt, the latter cut off at 1; NaN without variance.
    """

    w: float
    chi2: float
    df: int
    p: float
    gg: float
    hf: float


def contrast_scores(cells: ArrayLike, axes: Collection[int]) -> Float:
    """Project each subject's cells on orthonormal contrasts of one effect.

    Args:
        cells: (N, L1, ..., LF), one value per subject and combination of levels.
        axes: factors of the effect, 0 for the first; the other factors are averaged over.

    Returns:
        (N, d) scores, d the product of (levels - 1) over ``axes``.
    """
    scores = np.asarray(cells, dtype=np.float64)
    for axis in range(scores.ndim - 2, -1, -1):
        levels = scores.shape[axis + 1]
        project = helmert(levels) if axis in axes else np.full((1, levels), 1 / levels)
        scores = np.moveaxis(np.tensordot(scores, project, axes=(axis + 1, 1)), -1, axis + 1)
    return scores.reshape(len(scores), -1)


def sphericity(scores: ArrayLike) -> Sphericity:
    """Test sphericity and estimate both epsilons.

    Assumptions: subjects are independent; the scores are multivariate normal (Mauchly's test is sensitive to
    that, the epsilons less so).

    Args:
        scores: (N, d) from :func:`contrast_scores`, N >= 2.

    Source:
        Mauchly 1940 with Box's chi-squared approximation (Anderson 2003, section 10.7.4); Huynh & Feldt 1976
        for one group.
    """
    values = np.asarray(scores, dtype=np.float64)
    subjects, d = values.shape
    covariance = np.atleast_2d(np.cov(values, rowvar=False))
    trace, squares = float(np.trace(covariance)), float(np.square(covariance).sum())
    if d == 1:
        return Sphericity(1.0, math.nan, 0, math.nan, 1.0, 1.0)
    if squares == 0:
        return Sphericity(math.nan, math.nan, d * (d + 1) // 2 - 1, math.nan, math.nan, math.nan)
    gg = trace**2 / (d * squares)
    room = d * (subjects - 1 - d * gg)
    hf = min(1.0, (subjects * d * gg - 2) / room) if room > 0 else 1.0
    return Sphericity(*_mauchly(covariance, subjects), min(gg, 1.0), max(hf, 1 / d))


def _mauchly(covariance: Float, subjects: int) -> tuple[float, float, int, float]:
    d = len(covariance)
    df = d * (d + 1) // 2 - 1
    sign, log_determinant = np.linalg.slogdet(covariance)
    if subjects <= d or sign <= 0:
        return 0.0, math.nan, df, math.nan
    log_w = min(0.0, float(log_determinant - d * np.log(np.trace(covariance) / d)))
    statistic = -(subjects - 1 - (2 * d**2 + d + 2) / (6 * d)) * log_w
    return math.exp(log_w), statistic, df, float(chi2.sf(statistic, df))
