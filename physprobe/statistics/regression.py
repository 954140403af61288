"""Does a score grow with a model's size (paper section 4.5)?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats


@dataclass(frozen=True)
class LogFit:
    """A least-squares line of a score over the decimal logarithm of the number of parameters.

    Attributes:
        slope: change of the score per factor of ten, with its interval low, high. intercept: the score at one
            unit of parameters. r_squared: share of the variance that the line explains. p: of slope 0.
        n: models.
    """

    slope: float
    low: float
    high: float
    intercept: float
    r_squared: float
    p: float
    n: int


def log_regression(parameters: ArrayLike, score: ArrayLike, *, confidence: float = 0.95) -> LogFit:
    """Regress a score on log10 of the parameters; models with a NaN in either are left out.

    Assumptions: a straight line; independent, normal residuals of one variance (models of one family are not
    quite independent, so the interval is too narrow for them).

    Args:
        parameters: (N,) > 0, in billions where the intercept should be that of a 1B model. score: (N,).

    Returns:
        The fit; NaN with fewer than three models, or when all are of one size.

    Raises:
        ValueError: lengths differ, or a number of parameters is not above 0.

    Source:
        Paper section 4.5, Figure 5.
    """
    size, value = np.asarray(parameters, dtype=np.float64), np.asarray(score, dtype=np.float64)
    if size.shape != value.shape or (size <= 0).any():
        raise ValueError(f"{size.shape} sizes for {value.shape} scores; sizes must be above 0")
    known = ~np.isnan(size) & ~np.isnan(value)
    x, y = np.log10(size[known]), value[known]
    nan = float("nan")
    if len(x) < 3 or np.ptp(x) == 0:
        return LogFit(nan, nan, nan, nan, nan, nan, len(x))
    fit = stats.linregress(x, y)
    margin = float(stats.t.ppf((1 + confidence) / 2, len(x) - 2)) * fit.stderr
    return LogFit(
        slope=float(fit.slope),
        low=float(fit.slope - margin),
        high=float(fit.slope + margin),
        intercept=float(fit.intercept),
        r_squared=float(fit.rvalue**2),
        p=float(fit.pvalue),
        n=len(x),
    )
