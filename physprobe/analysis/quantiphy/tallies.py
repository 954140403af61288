"""Counts per video and model: all that scores and their intervals need.

An item's MRA is a number of met thresholds out of ten, so all sums are of whole numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from physprobe.analysis.coding import codes
from physprobe.analysis.layout import PEOPLE
from physprobe.errors import UserError
from physprobe.quantiphy.codes import CATEGORIES
from physprobe.quantiphy.mra import QUANTIPHY_THRESHOLDS
from physprobe.statistics.bootstrap import Float, Intervals, Method, Statistic, cluster_bootstrap
from physprobe.statistics.differences import Difference, differences

THRESHOLDS = len(QUANTIPHY_THRESHOLDS)

# The headline first: the mean of the four category means; then these; the mean over questions; shares of
# answers that are unread, and that are unread or zero.
SCORES: tuple[str, ...] = ("mra", *CATEGORIES, "mra_questions", "unread", "invalid")

_MET, _SCORED = slice(0, len(CATEGORIES)), slice(len(CATEGORIES), 2 * len(CATEGORIES))
_ASKED, _UNREAD, _INVALID = range(2 * len(CATEGORIES), 2 * len(CATEGORIES) + 3)
_WIDTH = _INVALID + 1


@dataclass(frozen=True)
class Tally:
    """Counts of V videos and M models (or of models in several conditions).

    Attributes:
        models, videos: names, sorted. sums: (V, M, 11): for each category thresholds met, and scored
            questions; then answers, unread ones, unread or zero ones.
    """

    models: tuple[str, ...]
    videos: tuple[str, ...]
    sums: Float

    @property
    def flat(self) -> Float:
        """The counts as (V, M * 11), for a bootstrap over videos."""
        return self.sums.reshape(len(self.sums), -1)

    @property
    def questions(self) -> list[int]:
        """How many answers each model gave."""
        return [int(n) for n in self.sums[:, :, _ASKED].sum(axis=0)]

    def statistic(self, *scores: str) -> Statistic:
        """Return what computes some scores of all models from totals: (..., M * 11) -> (..., M * S)."""
        places = [SCORES.index(score) for score in scores]

        def compute(totals: Float) -> Float:
            parts = totals.reshape(*totals.shape[:-1], -1, _WIDTH)
            found = _scores(parts)[..., places]
            return found.reshape(*found.shape[:-2], -1)

        return compute

    def values(self, score: str) -> Float:
        """Return one score of each model, (M,), NaN where nothing counts, or a category is missing."""
        return self.statistic(score)(self.flat.sum(axis=0))

    def pooled(self) -> Tally:
        """Pool all models (no people) into one: scores are means over models with the same questions."""
        models = [k for k, name in enumerate(self.models) if name != PEOPLE]
        return Tally(("all models",), self.videos, self.sums[:, models].sum(axis=1, keepdims=True))

    def headline(self) -> str:
        """Name the score to compare by: the headline, or mra_questions where some lack a category."""
        return "mra" if np.isfinite(self.values("mra")).all() else "mra_questions"

    def of_questions(self) -> Float:
        """Return the sum of the items' MRA, and how many there are, of each video and model: (V, M, 2)."""
        met, scored = (self.sums[..., part].sum(axis=-1) for part in (_MET, _SCORED))
        return np.stack([met / THRESHOLDS, scored], axis=-1)

    def only(self, chosen: Sequence[int]) -> Tally:
        """Keep some models, in the given order."""
        return Tally(tuple(self.models[k] for k in chosen), self.videos, self.sums[:, list(chosen)])


def _scores(parts: Float) -> Float:
    """Compute SCORES from counts: (..., 11) -> (..., 8)."""
    met, scored = parts[..., _MET] / THRESHOLDS, parts[..., _SCORED]
    with np.errstate(divide="ignore", invalid="ignore"):
        each = met / scored
        overall = met.sum(axis=-1) / scored.sum(axis=-1)
        rates = parts[..., [_UNREAD, _INVALID]] / parts[..., [_ASKED]]
    return np.concatenate([each.mean(axis=-1)[..., None], each, overall[..., None], rates], axis=-1)


def tally(frame: pd.DataFrame, of: Sequence[str] = ("model",)) -> Tally:
    """Count answers by video and model.

    Args:
        frame: scored answers. of: the columns whose combinations are told apart, joined by "/"; a column
            "video_id" is what is drawn.

    Raises:
        UserError: a model has two answers to one question.
    """
    models, model = codes(frame, of)
    videos, video = codes(frame, ("video_id",))
    _refuse_twice(frame, model)
    cell = video * len(models) + model
    size = len(videos) * len(models)

    def count(weights: ArrayLike) -> Float:
        summed = np.bincount(cell, weights=np.asarray(weights, dtype=np.float64), minlength=size)
        return summed.astype(np.float64)

    met = np.rint(frame["mra"].to_numpy(dtype=np.float64) * THRESHOLDS)
    within = [(frame["category"] == category).to_numpy(dtype=bool) for category in CATEGORIES]
    unread = frame["unread"].to_numpy(dtype=bool)
    zero = frame["prediction"].to_numpy(dtype=np.float64) == 0
    counted = [
        *(count(met * each) for each in within),
        *(count(each) for each in within),
        count(np.ones(len(frame))),
        count(unread),
        count(unread | zero),
    ]
    return Tally(models, videos, np.stack(counted, axis=1).reshape(len(videos), len(models), _WIDTH))


def _refuse_twice(frame: pd.DataFrame, model: np.ndarray) -> None:
    keys = frame[["model", "run", "question_id"]].assign(condition=model)
    twice = keys.duplicated().to_numpy()
    if twice.any():
        double = frame.iloc[int(np.argmax(twice))]
        raise UserError(
            f"{double['model']} has two answers to question {double['question_id']!r}: give each run once"
        )


def estimate(
    counted: Tally,
    scores: Sequence[str],
    *,
    resamples: int,
    seed: int = 0,
    method: Method = "percentile",
) -> dict[str, Intervals]:
    """Compute scores of all models with intervals from one bootstrap over videos.

    Returns:
        score -> value, low and high, each (M,).
    """
    found = cluster_bootstrap(
        counted.flat, counted.statistic(*scores), resamples=resamples, seed=seed, method=method
    )
    parts = [part.reshape(len(counted.models), len(scores)) for part in found]
    return {score: Intervals(*(part[:, k] for part in parts)) for k, score in enumerate(scores)}


def score_table(
    counted: Tally,
    scores: Sequence[str],
    *,
    resamples: int,
    seed: int = 0,
    method: Method = "percentile",
) -> pd.DataFrame:
    """Tabulate scores of all models.

    Returns:
        One row a model: model, n (questions), videos, then each score with its bounds, as ``NAME``,
        ``NAME_low``, ``NAME_high``.
    """
    found = estimate(counted, scores, resamples=resamples, seed=seed, method=method)
    table = pd.DataFrame({"model": counted.models, "n": counted.questions})
    table["videos"] = (counted.sums[:, :, _ASKED] > 0).sum(axis=0)
    for score, intervals in found.items():
        for suffix, bound in zip(("", "_low", "_high"), intervals, strict=True):
            table[f"{score}{suffix}"] = bound
    return table


def compare(
    counted: Tally, pairs: Sequence[tuple[int, int]], score: str, *, resamples: int, seed: int = 0
) -> list[Difference]:
    """Compare one score of pairs of models by a bootstrap that draws the same videos for both."""
    return differences(counted.flat, counted.statistic(score), pairs, resamples=resamples, seed=seed)


def of_differences(found: Sequence[Difference]) -> Mapping[str, list[float]]:
    """Return the columns of differences: difference, low, high, p."""
    names = {"difference": "value", "low": "low", "high": "high", "p": "p"}
    return {name: [getattr(each, field) for each in found] for name, field in names.items()}
