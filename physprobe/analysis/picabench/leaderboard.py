"""Models ranked on PICABench, and by what its questions are about."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from physprobe.analysis.coverage import in_whole, unranked, unranked_finding
from physprobe.analysis.finding import Finding, bootstrap_over, made_by
from physprobe.errors import UserError
from physprobe.picabench.items import FACTORS
from physprobe.picabench.metrics import Item, picabench_scores
from physprobe.text import quantity

COLUMNS = {
    "accuracy_qa": "accuracy",
    "iou_mean": "iou",
    "iou_above_50": "iou_50",
    "iou_above_75": "iou_75",
    "rate_invalid": "invalid",
}
_COUNTS = "questions; box figures are over those with an annotated box"


def leaderboard(frame: pd.DataFrame, *, resamples: int = 10_000, seed: int = 0) -> tuple[Finding, ...]:
    """Rank models by the share of questions answered rightly.

    Models that lack questions that others were asked are not ranked.

    Args:
        frame: of Answers.

    Returns:
        The ranking: rank, model, n (questions), images, each of COLUMNS with low and high. With some that are
        not ranked: model, missing (physics categories), and the same.

    Raises:
        UserError: two answers to one question; no model was asked everything.
    """
    whole, partly, missing = in_whole(frame, "physics_category")
    table = _table(whole, ("model",), resamples, seed)
    table = table.sort_values(["accuracy", "iou"], ascending=False, kind="stable", na_position="last")
    table.insert(0, "rank", table["accuracy"].rank(ascending=False, method="min").astype(int))
    ranked = Finding(
        f"Leaderboard of {quantity(len(table), 'model')}",
        table.reset_index(drop=True),
        _COUNTS,
        bootstrap_over("edited images", resamples),
        made_by(leaderboard),
        (f"always saying one thing gives an accuracy of {majority(whole):.3f}", *unranked(missing)),
    )
    if not missing:
        return (ranked,)
    return ranked, unranked_finding(_table(partly, ("model",), resamples, seed), missing, ranked)


def by_factor(frame: pd.DataFrame, *, resamples: int = 10_000, seed: int = 0) -> tuple[Finding, ...]:
    """Score models by what questions are about: physics category and law, difficulty, kind of edit.

    Returns:
        One finding a factor that is told: model, the factor, n (questions), images, each of COLUMNS with low
        and high.
    """
    told = [factor for factor in FACTORS if (frame[factor] != "").any()]
    return tuple(
        Finding(
            f"Models by {factor.replace('_', ' ')}",
            _table(frame[frame[factor] != ""], ("model", factor), resamples, seed),
            _COUNTS,
            bootstrap_over("edited images", resamples),
            made_by(by_factor),
        )
        for factor in told
    )


def majority(frame: pd.DataFrame) -> float:
    """Return what always saying yes, or always saying no, gets: the larger of the two."""
    yes = float(frame.drop_duplicates("question_id")["truth"].astype(bool).mean())
    return max(yes, 1 - yes)


def _table(frame: pd.DataFrame, of: tuple[str, ...], resamples: int, seed: int) -> pd.DataFrame:
    rows = []
    for levels, part in frame.groupby(list(of), observed=True, sort=True):
        rows.append({**dict(zip(of, map(str, levels), strict=True)), **_scores(part, resamples, seed)})
    return pd.DataFrame(rows)


def _scores(frame: pd.DataFrame, resamples: int, seed: int) -> Mapping[str, object]:
    twice = frame["question_id"].duplicated()
    if twice.any():
        double = frame[twice].iloc[0]
        raise UserError(
            f"{double['model']} has two answers to question {double['question_id']!r}: give each run once"
        )
    columns = [frame[name].tolist() for name in ("image_id", "correct", "iou", "invalid")]
    items = [
        Item(str(image), right, iou, invalid) for image, right, iou, invalid in zip(*columns, strict=True)
    ]
    found = picabench_scores(items, resamples=resamples, seed=seed)
    row: dict[str, object] = {"n": len(frame), "images": frame["image_id"].nunique()}
    for score, name in COLUMNS.items():
        row |= {name: found[score].value, f"{name}_low": found[score].low, f"{name}_high": found[score].high}
    return row
