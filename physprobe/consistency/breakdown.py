"""Scores of parts of the answers: of each category against all the others, and of each mechanism."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from physprobe.consistency.metrics import Float, Item
from physprobe.consistency.vocabulary import CLEAN
from physprobe.statistics.bootstrap import cluster_bootstrap, cluster_sums
from physprobe.statistics.estimates import Estimate

# Of one category: share found, F1 against all others, share of its images called violated (of clean ones:
# clean), and mean box IoU.
CATEGORY_SCORES: tuple[str, ...] = ("recall", "f1", "detected", "iou_mean")


def category_estimates(
    items: Sequence[Item], category: str, *, resamples: int = 1000, seed: int = 0
) -> dict[str, Estimate]:
    """Score one category against all others, with intervals from a bootstrap over families.

    Args:
        items: all answers of one model, those of other categories too: F1 needs them.

    Returns:
        An estimate for each of CATEGORY_SCORES; n counts the images of the category.
    """
    of_it = np.array([item.category == category for item in items], dtype=bool)
    said = np.array([item.predicted == category for item in items], dtype=bool)
    clean = category == CLEAN
    right = np.array([item.says_consistent is clean for item in items], dtype=bool)
    iou = np.array([0.0 if math.isnan(item.iou) else item.iou for item in items])
    boxed = np.array([not math.isnan(item.iou) for item in items], dtype=bool)
    shares = [
        (of_it & said, of_it),
        (2.0 * (of_it & said), of_it.astype(float) + said),
        (of_it & right, of_it),
        (iou * of_it, of_it & boxed),
    ]
    rows = np.column_stack([part for part, _ in shares] + [whole for _, whole in shares])
    return _estimates([item.family_id for item in items], rows, int(of_it.sum()), resamples, seed)


def _estimates(
    families: Sequence[str], rows: Float, count: int, resamples: int, seed: int
) -> dict[str, Estimate]:
    if not count:
        nan = float("nan")
        return dict.fromkeys(CATEGORY_SCORES, Estimate(nan, nan, nan, 0))
    _, sums = cluster_sums(families, rows)
    found = cluster_bootstrap(sums, resamples=resamples, seed=seed)
    numbers = zip(found.value.tolist(), found.low.tolist(), found.high.tolist(), strict=True)
    return {name: Estimate(*row, count) for name, row in zip(CATEGORY_SCORES, numbers, strict=True)}
