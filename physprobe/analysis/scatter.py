"""Conserving against non-conserving accuracy, and against other benchmarks (paper sections 4.3 and 4.6)."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
import pandas as pd

from physprobe.analysis.finding import Finding, made_by, pair_bootstrap
from physprobe.analysis.layout import models_only
from physprobe.analysis.leaderboard import COLUMNS
from physprobe.analysis.selection import Over, domains_in, select
from physprobe.analysis.tallies import Tally, score_table, tally
from physprobe.errors import UserError
from physprobe.statistics.correlation import Correlation, pearson
from physprobe.statistics.pairwise import correct

FISHER = "low, high: Fisher's z over models; bootstrap_low, bootstrap_high: BCa bootstrap over models"
_SCORES = {s: COLUMNS[s] for s in COLUMNS if s not in ("accuracy_overall", "rate_unread")}

# Strict pair accuracies that the paper counts models below: 10% and the chance of a single answer; and the
# chance of a pair.
_MARKS = {
    "below 10%": 0.1,
    "below chance of a pair (1/9)": 1 / 9,
    "below chance of one answer (1/3)": 1 / 3,
}


def scatter(
    frame: pd.DataFrame, over: Over = "standard", *, resamples: int = 10_000, seed: int = 0
) -> tuple[Finding, ...]:
    """Correlate conserving with non-conserving accuracy over models: a negative r shows a bias.

    Returns:
        Three findings: r, as a whole and by domain; how many models' strict pair accuracy is low (with
        Wilson intervals); the points: each model's three scores with low and high.
    """
    chosen = select(models_only(frame), over)
    counted = tally(chosen)
    parts = {"all": counted, **{d: tally(chosen[chosen["domain"] == d]) for d in domains_in(chosen)}}
    rows = [{"domain": name, **asdict(_conditions(part, resamples, seed))} for name, part in parts.items()]
    function = made_by(scatter)
    return (
        Finding(
            f"Conserving against non-conserving accuracy, {over} questions",
            pd.DataFrame(rows),
            "models",
            FISHER,
            function,
            ("models of one family are not independent: intervals are too narrow by that",),
        ),
        Finding(
            f"Models with low strict pair accuracy, {over} questions",
            _below(counted.values("accuracy_strict_pair")),
            "models",
            "Wilson",
            function,
        ),
        Finding(
            f"Points of the scatter, {over} questions",
            score_table(counted, _SCORES, resamples=resamples, seed=seed),
            "questions",
            pair_bootstrap(resamples),
            function,
        ),
    )


def correlation(
    frame: pd.DataFrame,
    others: pd.DataFrame,
    over: Over = "standard",
    *,
    resamples: int = 10_000,
    seed: int = 0,
) -> tuple[Finding, ...]:
    """Correlate scores with those on other benchmarks.

    Args:
        others: a column "model", named as in the results, and a column of numbers for each benchmark.

    Returns:
        One finding: score, benchmark, r with both intervals, p, p_holm, n.

    Raises:
        UserError: no column "model", or no model in common.
    """
    if "model" not in others or others["model"].duplicated().any():
        raise UserError("the table of other benchmarks needs a column 'model' that names each model once")
    counted = tally(select(models_only(frame), over))
    theirs = others.set_index("model").select_dtypes("number").reindex(list(counted.models))
    if theirs.columns.empty or theirs.isna().to_numpy().all():
        raise UserError("the table of other benchmarks has no numbers for these models: check their names")
    rows = [
        {"score": COLUMNS[score], "benchmark": name, **asdict(found)}
        for score in ("accuracy_overall", *_SCORES)
        for name in theirs.columns
        for found in [pearson(counted.values(score), theirs[name], resamples=resamples, seed=seed)]
    ]
    table = pd.DataFrame(rows)
    table["p_holm"] = correct(table["p"], "holm")
    lacking = [str(model) for model in theirs.index[theirs.isna().all(axis=1)]]
    notes = (f"without a score elsewhere: {', '.join(lacking)}",) if lacking else ()
    title = f"Correlation with other benchmarks, {over} questions"
    return (Finding(title, table, "models", FISHER, made_by(correlation), notes),)


def _conditions(counted: Tally, resamples: int, seed: int) -> Correlation:
    x, y = (counted.values(f"accuracy_{name}") for name in ("conserving", "nonconserving"))
    return pearson(x, y, resamples=resamples, seed=seed)


def _below(strict: np.ndarray) -> pd.DataFrame:
    from statsmodels.stats.proportion import proportion_confint

    known = strict[~np.isnan(strict)]
    rows = []
    for name, mark in _MARKS.items():
        count = int((known < mark).sum())
        low, high = proportion_confint(count, len(known), method="wilson") if len(known) else (np.nan, np.nan)
        share = count / len(known) if len(known) else np.nan
        rows.append(
            {"strict_pair": name, "count": count, "share": share, "low": low, "high": high, "n": len(known)}
        )
    return pd.DataFrame(rows)
