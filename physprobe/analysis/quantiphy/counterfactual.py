"""Do answers follow a known quantity that is multiplied (paper section 5.2)?

All lengths of a scene are known only up to one factor that the prior fixes, so a model that measures gives
answers that are multiplied as well; one that answers from what it knows of the world does not.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from physprobe.analysis.coding import codes
from physprobe.analysis.finding import Finding, bootstrap_over, made_by
from physprobe.analysis.quantiphy.contrasts import paired
from physprobe.errors import UserError
from physprobe.statistics.bootstrap import Float, cluster_bootstrap, cluster_sums

TASK = "quantiphy_counterfactual"
_ALL = "all models"


def counterfactual(frame: pd.DataFrame, *, resamples: int = 10_000, seed: int = 0) -> tuple[Finding, ...]:
    """Compare answers under multiplied priors with those to the same questions as they are.

    Returns:
        Three findings. Each model: standard and multiplied (mean MRA over questions), lost (1 - multiplied /
        standard) with low and high, followed (slope of log10(prediction / standard prediction) over log10 of
        the factor: 1 follows the prior, 0 ignores it) with low and high, n. All models by factor, and each
        model by factor: factor, mra_questions with low and high, ratio (geometric mean of prediction / true
        answer as multiplied) with low and high, n.

    Raises:
        UserError: no model answered both ways.
    """
    both = paired(frame, TASK)
    if both.empty:
        raise UserError(f"no model answered both quantiphy and {TASK}: evaluate both")
    answers = _side_by_side(both)
    rows = [
        {"model": name, **_reliance(part, resamples, seed)}
        for name, part in ((_ALL, answers), *answers.groupby("model", sort=True))
    ]
    scaled = both[both["changed"]]
    function, interval = made_by(counterfactual), bootstrap_over("videos", resamples)
    notes = (
        "followed: 1 where answers follow the multiplied prior, 0 where they ignore it",
        "followed is taken over answers that could be read both ways",
    )
    by_model = _by_factor(scaled, resamples, seed)
    pooled = _by_factor(scaled.assign(model=_ALL), resamples, seed).drop(columns="model")
    return (
        Finding("Multiplied priors, by model", pd.DataFrame(rows), "questions", interval, function, notes),
        Finding("All models by factor", pooled, "answers", interval, function),
        Finding("Models by factor", by_model, "questions", interval, function),
    )


def _side_by_side(both: pd.DataFrame) -> pd.DataFrame:
    keys = ["model", "question_id", "video_id"]
    names = [*keys, "prediction", "mra", "factor"]
    scaled = both.loc[both["changed"], names]
    plain = both.loc[~both["changed"], names].drop(columns="factor")
    return plain.merge(scaled, on=keys, suffixes=("", "_scaled"))


def _reliance(answers: pd.DataFrame, resamples: int, seed: int) -> dict[str, object]:
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = (answers["prediction_scaled"] / answers["prediction"]).to_numpy(dtype=np.float64)
        moved = np.log10(np.abs(ratio))
    known = np.isfinite(moved)
    x, y = np.log10(answers["factor"].to_numpy()), np.where(known, moved, 0)
    rows = np.stack(
        [answers["mra"], answers["mra_scaled"], *np.stack([x**0, x, y, x * x, x * y]) * known], axis=1
    )
    _, sums = cluster_sums(answers["video_id"].tolist(), rows)
    value, low, high = cluster_bootstrap(sums, _lost_and_slope, resamples=resamples, seed=seed)
    return {
        **{"standard": answers["mra"].mean(), "multiplied": answers["mra_scaled"].mean()},
        **{"lost": value[0], "lost_low": low[0], "lost_high": high[0]},
        **{"followed": value[1], "followed_low": low[1], "followed_high": high[1]},
        "n": len(answers),
    }


def _lost_and_slope(totals: Float) -> Float:
    """Compute 1 - scaled / plain MRA, and the slope of the least-squares line: (..., 7) -> (..., 2)."""
    plain, scaled, count, x, y, xx, xy = np.moveaxis(totals, -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        lost = 1 - scaled / plain
        slope = (count * xy - x * y) / (count * xx - x * x)
    found = np.stack([lost, slope], axis=-1)
    return np.where(np.isfinite(found), found, np.nan)


def _by_factor(scaled: pd.DataFrame, resamples: int, seed: int) -> pd.DataFrame:
    """Score each model at each factor: one bootstrap a factor, for all models."""
    ordered = scaled.sort_values(["model", "video_id", "question_id"], kind="stable")
    made = [
        _at_one_factor(part, resamples, seed).assign(factor=factor)
        for factor, part in ordered.groupby("factor", sort=True)
    ]
    table = pd.concat(made, ignore_index=True).sort_values("model", kind="stable", ignore_index=True)
    return table[["model", "factor", *(n for n in table if n not in ("model", "factor", "n")), "n"]]


def _at_one_factor(part: pd.DataFrame, resamples: int, seed: int) -> pd.DataFrame:
    models, model = codes(part, ("model",))
    videos, video = codes(part, ("video_id",))
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log10((part["prediction"].abs() / part["truth"]).to_numpy(dtype=np.float64))
    known = np.isfinite(logs)
    weights = [
        part["mra"].to_numpy(dtype=np.float64),
        np.where(known, logs, 0),
        np.ones(len(part)),
        known * 1.0,
    ]
    cell, shape = video * len(models) + model, (len(videos), len(models))
    counted = [np.bincount(cell, each, minlength=shape[0] * shape[1]).reshape(shape) for each in weights]
    found = cluster_bootstrap(np.concatenate(counted, axis=1), resamples=resamples, seed=seed)
    table = pd.DataFrame({"model": models, "n": counted[2].sum(axis=0).astype(int)})
    for suffix, bound in zip(("", "_low", "_high"), found, strict=True):
        table[f"mra_questions{suffix}"] = bound[: len(models)]
        table[f"ratio{suffix}"] = 10 ** bound[len(models) :]
    return table
