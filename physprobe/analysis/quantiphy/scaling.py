"""Do larger models of a family do better (paper section 4, scaling effects)?"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict

import numpy as np
import pandas as pd

from physprobe.analysis.finding import Finding, bootstrap_over, made_by
from physprobe.analysis.layout import models_only
from physprobe.analysis.quantiphy.selection import TITLES, Over, select
from physprobe.analysis.quantiphy.tallies import score_table, tally
from physprobe.analysis.scaling import SIZE, size_in_name
from physprobe.errors import UserError
from physprobe.quantiphy.codes import CATEGORIES
from physprobe.statistics.regression import log_regression

_SCORES = ("mra", *CATEGORIES)
_ALL = "all"


def family_of(model: str) -> str:
    """Name a model's family: its name without the size ("Qwen3-VL-8B-Instruct": "Qwen3-VL-Instruct")."""
    return re.sub(r"[-_ ./]{2,}", "-", SIZE.sub("", model)).strip("-_ ./")


def scaling(
    frame: pd.DataFrame,
    sizes: Mapping[str, float] | None = None,
    over: Over = "ours",
    *,
    resamples: int = 10_000,
    seed: int = 0,
) -> tuple[Finding, ...]:
    """Regress scores on the logarithm of the parameters, within each family and over all models.

    Args:
        sizes: model -> parameters in billions, before what its name says.

    Returns:
        Two findings: family ("all" first), score, slope (per factor of ten) with low and high, intercept (at
        1B), r_squared, p, n, for families of three models or more; and the points: family, model,
        parameters, mra and categories with low and high, n (questions).

    Raises:
        UserError: the size of fewer than two models is known.
    """
    given = sizes or {}
    points = score_table(tally(select(models_only(frame), over)), _SCORES, resamples=resamples, seed=seed)
    points.insert(0, "family", [family_of(model) for model in points["model"]])
    points.insert(2, "parameters", [given.get(model, size_in_name(model)) for model in points["model"]])
    known = points[points["parameters"].notna()].sort_values(["family", "parameters"], kind="stable")
    if len(known) < 2:
        raise UserError("fewer than two models of known size: give a CSV with columns model, parameters")
    families = [(_ALL, known), *((str(name), part) for name, part in known.groupby("family"))]
    rows = [
        {"family": name, "score": score, **asdict(log_regression(part["parameters"], part[score]))}
        for name, part in families
        if len(part) > 2 and np.ptp(part["parameters"]) > 0
        for score in _SCORES
    ]
    fields = ["family", "score", "slope", "low", "high", "intercept", "r_squared", "p", "n"]
    lacking = points.loc[points["parameters"].isna(), "model"].tolist()
    notes = (f"left out, size unknown: {', '.join(lacking)}",) if lacking else ()
    interval = "t interval of the slope; over all models families are mixed, which are not independent"
    return (
        Finding(
            f"MRA over log10 of billions of parameters, {TITLES[over]}",
            pd.DataFrame(rows, columns=fields),
            "models",
            interval,
            made_by(scaling),
            notes,
        ),
        Finding(
            "Models by family and size",
            known.reset_index(drop=True),
            "questions",
            bootstrap_over("videos", resamples),
            made_by(scaling),
        ),
    )
