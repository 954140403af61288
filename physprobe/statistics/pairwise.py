"""Which conditions differ: paired t tests with a correction for their number (paper section 4.4)."""

from __future__ import annotations

from itertools import combinations
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.stats import t as t_distribution

from physprobe.statistics.bootstrap import Float

Correction = Literal["bonferroni", "holm"]


def correct(p_values: ArrayLike, method: Correction) -> Float:
    """Correct p values for their number, so that the chance of any false finding stays at the level.

    Assumptions: none on how the tests depend on each other; Holm is never less powerful than Bonferroni.

    Args:
        p_values: (M,); a NaN (no test) stays NaN and does not count. method: "bonferroni" or "holm".
    """
    from statsmodels.stats.multitest import multipletests

    p = np.asarray(p_values, dtype=np.float64)
    corrected, known = p.copy(), ~np.isnan(p)
    if known.any():
        corrected[known] = multipletests(p[known], method=method)[1]
    return corrected


def pairwise_comparisons(
    table: pd.DataFrame, *, method: Correction = "bonferroni", confidence: float = 0.95
) -> pd.DataFrame:
    """Compare every two conditions by a paired t test.

    Assumptions: subjects are independent; each difference is normal (mild violations matter little with many
    subjects). Each test has its own error term, so sphericity is not assumed.

    Args:
        table: (N subjects, L conditions), no gaps. method: correction over all L (L - 1) / 2 comparisons.

    Returns:
        One row a comparison: first, second (column names), n, mean_first, mean_second, difference (first -
        second) with its uncorrected interval low, high, t, df, p, p_corrected, dz (difference / its standard
        deviation). Without any variation t is 0, inf or -inf.

    Raises:
        ValueError: gaps, or fewer than two subjects.

    Source:
        Paper section 4.4 (Bonferroni).
    """
    if table.isna().to_numpy().any() or len(table) < 2:
        raise ValueError("every subject needs a value in every condition, and there must be two subjects")
    rows = [_compare(table, first, second, confidence) for first, second in combinations(table.columns, 2)]
    frame = pd.DataFrame(rows)
    frame.insert(frame.columns.get_loc("p") + 1, "p_corrected", correct(frame["p"], method))  # type: ignore[arg-type, operator]
    return frame


def _compare(table: pd.DataFrame, first: str, second: str, confidence: float) -> dict[str, object]:
    gaps = (table[first] - table[second]).to_numpy(dtype=np.float64)
    n, mean, deviation = len(gaps), float(gaps.mean()), float(gaps.std(ddof=1))
    deviation = 0.0 if deviation < 1e-12 else deviation
    with np.errstate(divide="ignore", invalid="ignore"):
        t, dz = np.nan_to_num(
            np.array([mean * n**0.5, mean]) / deviation, nan=0.0, posinf=np.inf, neginf=-np.inf
        )
    margin = float(t_distribution.ppf((1 + confidence) / 2, n - 1)) * deviation / n**0.5
    return {
        **{"first": first, "second": second, "n": n},
        **{"mean_first": float(table[first].mean()), "mean_second": float(table[second].mean())},
        **{"difference": mean, "low": mean - margin, "high": mean + margin},
        **{"t": float(t), "df": n - 1, "p": float(2 * t_distribution.sf(abs(t), n - 1)), "dz": float(dz)},
    }
