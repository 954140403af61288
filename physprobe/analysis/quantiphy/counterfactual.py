"""Do answers follow a known quantity that is multiplied (paper section 5.2)?

All lengths of a scene are known only up to one factor that the prior fixes, so a model that measures gives
answers that are multiplied as well; one that answers from what it knows of the world does not.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from physprobe.analysis.finding import Finding, bootstrap_over, made_by
from physprobe.analysis.quantiphy.contrasts import paired
from physprobe.analysis.quantiphy.tallies import score_table, tally
from physprobe.errors import UserError
from physprobe.statistics.bootstrap import Float, cluster_bootstrap, cluster_sums
from physprobe.statistics.calibration import signed_log_ratio

TASK = "quantiphy_counterfactual"


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
        for name, part in (("all models", answers), *answers.groupby("model", sort=True))
    ]
    scaled = both[both["changed"]]
    function, interval = made_by(counterfactual), bootstrap_over("videos", resamples)
    notes = (
        "followed: 1 where answers follow the multiplied prior, 0 where they ignore it",
        "followed is taken over answers that could be read both ways",
    )
    by_model = pd.concat(
        [_by_factor(part, resamples, seed).assign(model=name) for name, part in scaled.groupby("model")],
        ignore_index=True,
    )
    return (
        Finding("Multiplied priors, by model", pd.DataFrame(rows), "questions", interval, function, notes),
        Finding("All models by factor", _by_factor(scaled, resamples, seed), "answers", interval, function),
        Finding("Models by factor", _front(by_model, "model"), "questions", interval, function),
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
    rows = []
    for factor, part in scaled.groupby("factor", sort=True):
        scores = score_table(tally(part).pooled(), ("mra_questions",), resamples=resamples, seed=seed)
        bias = signed_log_ratio(
            part["prediction"].abs(), part["truth"], part["video_id"].tolist(), resamples=resamples, seed=seed
        )
        logs = {"ratio": bias.log_ratio, "ratio_low": bias.low, "ratio_high": bias.high}
        powers = {name: 10**value for name, value in logs.items()}
        rows.append(scores.assign(factor=factor, **powers))
    table = pd.concat(rows, ignore_index=True).drop(columns=["model", "videos"])
    return table[["factor", *(name for name in table if name not in ("factor", "n")), "n"]]


def _front(table: pd.DataFrame, name: str) -> pd.DataFrame:
    return table[[name, *(column for column in table.columns if column != name)]]
