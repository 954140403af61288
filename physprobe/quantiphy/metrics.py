"""Scores of a model on QuantiPhy questions, each with a confidence interval from a bootstrap over videos.

The values are those of the published evaluator (``official``): the same MRA, means and rate of invalid
answers. Questions on one video share scene, camera and prior, so a video with all its questions is the unit
that is resampled. An item's MRA is a number of met thresholds out of ten; all sums here are of such counts,
so no order of the rows can change a score.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from physprobe.quantiphy.codes import BACKGROUNDS, CATEGORIES, OBJECT_NUMBERS, Codes
from physprobe.quantiphy.mra import QUANTIPHY_THRESHOLDS, mean_relative_accuracy
from physprobe.statistics.bootstrap import cluster_bootstrap, cluster_sums
from physprobe.statistics.estimates import Estimate

LEVELS = len(QUANTIPHY_THRESHOLDS) + 1  # an item's MRA is one of 0, 0.1, ..., 1

_QUARTILES = {"mra_lower_quartile": 0.25, "mra_median": 0.5, "mra_upper_quartile": 0.75}

# The scores, in the order in which tables show them; the headline first.
SCORES: tuple[str, ...] = (
    "mra_macro",
    *(f"mra_{category}" for category in CATEGORIES),
    *(f"mra_bg_{background}" for background in BACKGROUNDS),
    *(f"mra_obj_{objects}" for objects in OBJECT_NUMBERS),
    "mra_questions",
    *_QUARTILES,
    "share_zero",
    "rate_invalid",
    "rate_unread",
)

Float = NDArray[np.float64]
Bool = NDArray[np.bool_]


@dataclass(frozen=True)
class Items:
    """Answered questions; all arrays have shape (N,).

    Attributes:
        video: str, the video's id. prediction: float64 in the question's unit, NaN where unread. truth:
            float64, NaN where unknown. codes: category, background and object number.
    """

    video: NDArray[np.object_]
    prediction: Float
    truth: Float
    codes: Codes

    def select(self, keep: ArrayLike) -> Items:
        """Return some of the items: (N,) bool or indices."""
        chosen = np.asarray(keep)
        codes = replace(
            self.codes,
            **{name: getattr(self.codes, name)[chosen] for name in ("category", "background", "objects")},
        )
        return Items(self.video[chosen], self.prediction[chosen], self.truth[chosen], codes)


def item_mra(items: Items) -> Float:
    """Return each item's MRA, (N,) in [0, 1]; NaN without a truth other than 0 or without a category.

    An unread answer scores 0.
    """
    mra = mean_relative_accuracy(items.prediction, items.truth)
    return np.where(items.codes.category == "", np.nan, mra)


def is_invalid(items: Items) -> Bool:
    """Tell which answers count as invalid: unread or zero."""
    return np.isnan(items.prediction) | (items.prediction == 0)


def quantiphy_scores(
    items: Items, *, resamples: int = 1000, seed: int = 0, confidence: float = 0.95, workers: int = 1
) -> dict[str, Estimate]:
    """Compute every score with an interval from a bootstrap over videos.

    mra_macro: the mean of the four category means, the headline. mra_S2 ... mra_D3: mean over the questions
    of a category. mra_bg_*, mra_obj_*: as mra_macro, over the questions with a background or number of
    objects. mra_questions: the mean over all questions. Quartiles: of the items' MRA. share_zero: share of
    questions with MRA 0. rate_invalid: share of answers that are unread or zero, over all questions, also
    those without a truth; rate_unread: unread alone.

    Args:
        items: at least one. resamples, seed, confidence, workers: see
            :func:`physprobe.statistics.bootstrap.cluster_bootstrap`.

    Returns:
        One estimate per name of SCORES; NaN where a score is taken over nothing: a mean of four lacks a
        category. Fewer than two videos: bounds are NaN.
    """
    mra = item_mra(items)
    cells, members = _cells(items.codes)
    _, sums = cluster_sums([*map(str, items.video)], _rows(mra, items.prediction, members, len(cells)))
    statistic = _Statistic(tuple(cells))
    found = cluster_bootstrap(
        sums, statistic, resamples=resamples, seed=seed, confidence=confidence, workers=workers
    )
    counts = _counts(items.codes, mra)
    numbers = zip(found.value.tolist(), found.low.tolist(), found.high.tolist(), strict=True)
    return {name: Estimate(*row, counts[name]) for name, row in zip(SCORES, numbers, strict=True)}


def _cells(codes: Codes) -> tuple[list[tuple[str, str, str]], NDArray[np.intp]]:
    """Return the combinations of category, background and object number that occur, and each item's."""
    letters = np.stack([codes.category, codes.background, codes.objects]).astype(np.str_)
    joined = np.char.add(np.char.add(np.char.add(letters[0], "|"), np.char.add(letters[1], "|")), letters[2])
    names, members = np.unique(joined, return_inverse=True)
    cells = [tuple(str(name).split("|")) for name in names]
    return [(c, b, o) for c, b, o in cells], members


def _rows(mra: Float, prediction: Float, members: NDArray[np.intp], cells: int) -> Float:
    """Lay out what each item adds: thresholds met and items per cell, levels, items, zeros, unread."""
    count, scored = len(mra), ~np.isnan(mra)
    met = np.rint(np.where(scored, mra, 0) * (LEVELS - 1)).astype(np.int64)
    rows, each = np.zeros((count, 2 * cells + LEVELS + 3)), np.arange(count)
    rows[each, members] = met
    rows[each, cells + members] = scored
    rows[each[scored], 2 * cells + met[scored]] = 1
    rows[:, -3], rows[:, -2], rows[:, -1] = 1, prediction == 0, np.isnan(prediction)
    return rows


@dataclass(frozen=True)
class _Statistic:
    """Computes all scores from totals laid out as by :func:`_rows`."""

    cells: tuple[tuple[str, str, str], ...]

    def __call__(self, totals: Float) -> Float:
        cells = len(self.cells)
        selection = _selection(self.cells)
        met, counted = (
            np.einsum("...c,kc->...k", part, selection)
            for part in (totals[..., :cells], totals[..., cells : 2 * cells])
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            means = met / (LEVELS - 1) / counted
            levels = totals[..., 2 * cells : 2 * cells + LEVELS]
            scored = levels.sum(axis=-1)
            zero, unread = levels[..., 0] / scored, totals[..., -1] / totals[..., -3]
            invalid = (totals[..., -1] + totals[..., -2]) / totals[..., -3]
        groups = means[..., :-1].reshape(*means.shape[:-1], -1, len(CATEGORIES))
        macros = groups.mean(axis=-1)  # NaN where one of the four is
        quartiles = [_quantile(levels, scored, share) for share in _QUARTILES.values()]
        return np.concatenate(
            [
                macros[..., :1],
                groups[..., 0, :],
                macros[..., 1:],
                np.stack([means[..., -1], *quartiles, zero, invalid, unread], axis=-1),
            ],
            axis=-1,
        )


@lru_cache(maxsize=16)
def _selection(cells: tuple[tuple[str, str, str], ...]) -> Float:
    """Return which cells belong to each group and category, (6 * 4 + 1, cells): the last row is all cells."""
    groups = ["", *BACKGROUNDS, *OBJECT_NUMBERS]
    rows = [
        [cell[0] == category and group in ("", *cell[1:]) for cell in cells]
        for group in groups
        for category in CATEGORIES
    ]
    return np.array([*rows, [cell[0] != "" for cell in cells]], dtype=np.float64)


def _quantile(levels: Float, scored: Float, share: float) -> Float:
    """Return the lowest level that at least ``share`` of the items do not exceed; NaN of nothing."""
    reached = np.cumsum(levels, axis=-1) >= share * scored[..., None]
    return np.where(scored > 0, np.argmax(reached, axis=-1) / (LEVELS - 1), np.nan)


def _counts(codes: Codes, mra: Float) -> Mapping[str, int]:
    scored = ~np.isnan(mra)
    counts = dict.fromkeys(SCORES, int(scored.sum()))
    counts |= {f"mra_{name}": int((scored & (codes.category == name)).sum()) for name in CATEGORIES}
    counts |= {f"mra_bg_{name}": int((scored & (codes.background == name)).sum()) for name in BACKGROUNDS}
    counts |= {f"mra_obj_{name}": int((scored & (codes.objects == name)).sum()) for name in OBJECT_NUMBERS}
    return counts | {"rate_invalid": len(mra), "rate_unread": len(mra)}
