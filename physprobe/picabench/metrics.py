"""Scores of a model on PICABench, each with an interval from a bootstrap over edited images."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from physprobe.consistency.metrics import IOU_THRESHOLDS
from physprobe.statistics.bootstrap import cluster_bootstrap, cluster_sums
from physprobe.statistics.estimates import Estimate

SCORES: tuple[str, ...] = ("accuracy_qa", "iou_mean", "iou_above_50", "iou_above_75", "rate_invalid")


@dataclass(frozen=True)
class Item:
    """One answered question.

    Attributes:
        image_id: what is resampled. right: whether yes or no is right; False when unread.
        iou: of the predicted box with the annotated one, 0 where none was read; NaN without an annotated one.
        invalid: whether a field was missing or malformed.
    """

    image_id: str
    right: bool
    iou: float
    invalid: bool


def picabench_scores(items: Sequence[Item], *, resamples: int = 1000, seed: int = 0) -> dict[str, Estimate]:
    """Compute every score: share answered rightly, mean box IoU and share over 0.5 and 0.75, share invalid.

    Returns:
        One estimate per name of SCORES; NaN over nothing. Fewer than two images: bounds are NaN.
    """
    if not items:
        nan = float("nan")
        return dict.fromkeys(SCORES, Estimate(nan, nan, nan, 0))
    iou = np.array([item.iou for item in items], dtype=np.float64)
    boxed = ~np.isnan(iou)
    everything = np.ones(len(items))
    shares = [
        (np.array([item.right for item in items]), everything),
        (np.where(boxed, iou, 0.0), boxed),
        *((iou > threshold, boxed) for threshold in IOU_THRESHOLDS),
        (np.array([item.invalid for item in items]), everything),
    ]
    rows = np.column_stack([part for part, _ in shares] + [whole for _, whole in shares])
    _, sums = cluster_sums([item.image_id for item in items], rows)
    found = cluster_bootstrap(sums, resamples=resamples, seed=seed)
    counts = sums.sum(axis=0)[len(SCORES) :].astype(int).tolist()
    numbers = zip(found.value.tolist(), found.low.tolist(), found.high.tolist(), counts, strict=True)
    return {name: Estimate(*row) for name, row in zip(SCORES, numbers, strict=True)}


def nan_without(value: float | None) -> float:
    """Return a number, NaN in the place of None."""
    return math.nan if value is None else value
