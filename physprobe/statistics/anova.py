"""Repeated-measures analysis of variance: conditions within models (paper section 4.4).

Each model is measured in every condition, so its measurements are not independent; the model is the unit of
analysis. The paper averages a model's accuracy over all factors but one and tests that one; :func:`means`
makes such averages, and every effect here is tested on the means over the factors that are not in it, which
for complete data is the same as the factorial analysis.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import f as f_distribution

from physprobe.statistics.bootstrap import Float
from physprobe.statistics.sphericity import contrast_scores, sphericity


@dataclass(frozen=True)
class Effect:
    """One effect of a repeated-measures ANOVA.

    Attributes:
        effect: a factor, or several joined by ":" for their interaction.
        f, df1, df2, p: the F test that assumes sphericity; NaN where nothing varies.
        partial_eta_squared: SS_effect / (SS_effect + SS_error) = F df1 / (F df1 + df2).
        mauchly_w, mauchly_p: test of sphericity. gg_epsilon, hf_epsilon: corrections of both degrees of
            freedom. p_gg, p_hf: the F test's p with them; p_gg is the safer one.
        subjects: how many were measured.
    """

    effect: str
    f: float
    df1: int
    df2: int
    p: float
    partial_eta_squared: float
    mauchly_w: float
    mauchly_p: float
    gg_epsilon: float
    hf_epsilon: float
    p_gg: float
    p_hf: float
    subjects: int


def means(data: pd.DataFrame, value: str, subject: str, within: Sequence[str]) -> pd.DataFrame:
    """Average each subject's values over all that is not named.

    Every level of the other columns should occur equally often in each condition, as in a full factorial
    design; else the means confound factors.

    Returns:
        Columns subject, ``within`` and value; one row a subject and combination of levels.
    """
    names = [subject, *within]
    return data.groupby(names, observed=True, sort=True)[value].mean().reset_index()


def repeated_measures_anova(
    data: pd.DataFrame, value: str, subject: str, within: Sequence[str], *, order: int | None = None
) -> tuple[Effect, ...]:
    """Test the effects of one or more factors within subjects.

    Assumptions: subjects are independent draws; their scores are normal in each condition (the F test bears
    mild violations with many subjects); sphericity for ``p``, nothing beyond for ``p_gg`` and ``p_hf``.

    Args:
        data: one row per subject and combination of levels. value, subject, within: its columns.
        order: largest number of factors in an effect; None: all. The F test of an interaction costs time with
            the cube of subjects x cells: three factors of the benchmark and 112 models take a minute.

    Returns:
        Main effects in the order of ``within``, then interactions.

    Raises:
        ValueError: fewer than two subjects or levels; a subject lacks a combination, or has one twice.

    Source:
        Paper section 4.4; the F tests are those of statsmodels' AnovaRM.
    """
    subjects, cells = _cells(data, value, subject, within)
    axes = range(len(within))
    chosen = [part for size in range(1, (order or len(within)) + 1) for part in combinations(axes, size)]
    return tuple(_effect(cells, subjects, tuple(within), part) for part in chosen)


def _cells(
    data: pd.DataFrame, value: str, subject: str, within: Sequence[str]
) -> tuple[Sequence[object], Float]:
    """Lay the values out as (N, L1, ..., LF)."""
    table = data.set_index([subject, *within])[value]
    codes = [np.unique(table.index.get_level_values(k), return_inverse=True) for k in range(len(within) + 1)]
    shape = [len(levels) for levels, _ in codes]
    if min(shape) < 2:
        raise ValueError(f"at least two subjects and two levels a factor are needed, there are {shape}")
    if len(table) != np.prod(shape) or table.index.has_duplicates or table.isna().any():
        raise ValueError(
            f"each of {shape[0]} subjects needs one value in each of {np.prod(shape[1:])} combinations: "
            f"there are {int(table.notna().sum())} values"
        )
    cells = np.empty(shape)
    cells[tuple(code for _, code in codes)] = table.to_numpy(dtype=np.float64)
    return codes[0][0].tolist(), cells


def _effect(
    cells: Float, subjects: Sequence[object], names: tuple[str, ...], part: tuple[int, ...]
) -> Effect:
    scores = contrast_scores(cells, part)
    found = sphericity(scores)
    df1, df2 = scores.shape[1], scores.shape[1] * (len(subjects) - 1)
    others = tuple(axis + 1 for axis in range(len(names)) if axis not in part)
    f = _f_of_last_effect(cells.mean(axis=others)) if _varies(scores, cells) else float("nan")
    eta = 1.0 if np.isinf(f) else f * df1 / (f * df1 + df2)
    corrected = [float(f_distribution.sf(f, df1 * e, df2 * e)) for e in (1.0, found.gg, found.hf)]
    return Effect(
        effect=":".join(names[axis] for axis in part),
        f=f,
        df1=df1,
        df2=df2,
        p=corrected[0],
        partial_eta_squared=eta,
        mauchly_w=found.w,
        mauchly_p=found.p,
        gg_epsilon=found.gg,
        hf_epsilon=found.hf,
        p_gg=corrected[1],
        p_hf=corrected[2],
        subjects=len(subjects),
    )


def _varies(scores: Float, cells: Float) -> bool:
    """Tell whether there is any error to test against: rounding alone must not make an F."""
    error = np.square(scores - scores.mean(axis=0)).sum()
    return bool(error > 1e-24 * max(1.0, float(np.square(cells).sum())))


def _f_of_last_effect(cells: Float) -> float:
    """Return the F of the interaction of all factors, by AnovaRM."""
    from statsmodels.stats.anova import AnovaRM

    names = [f"factor{k}" for k in range(cells.ndim - 1)]
    index = pd.MultiIndex.from_product([range(length) for length in cells.shape], names=["subject", *names])
    frame = index.to_frame(index=False).assign(value=cells.ravel())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        table = AnovaRM(frame, "value", "subject", within=names).fit().anova_table
    return float(table["F Value"].iloc[-1])
