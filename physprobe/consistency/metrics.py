"""Scores on physical consistency, each with an interval from a bootstrap over families (section 6).

Values are scikit-learn's (:mod:`physprobe.consistency.classification`). The images of a scene family share
geometry, light and camera, so a family with all its images is the unit that is resampled; for the resamples
the same scores are computed from confusion counts, all at once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from physprobe.consistency.classification import Scores, classification_scores
from physprobe.consistency.vocabulary import CLEAN, LABELS
from physprobe.statistics.bootstrap import Method, cluster_bootstrap, cluster_sums
from physprobe.statistics.estimates import Estimate

Float = NDArray[np.float64]

VIOLATED: Final = "violated"
BINARY: Final = (CLEAN, VIOLATED)
IOU_THRESHOLDS: Final = (0.5, 0.75)

# In the order in which tables show them; the headline first (the paper's primary result on intervention).
SCORES: tuple[str, ...] = (
    "macro_f1_category",
    "accuracy_category",
    "macro_f1_binary",
    "accuracy_balanced",
    "accuracy_binary",
    "recall_clean",
    "recall_violated",
    "iou_mean",
    "iou_above_50",
    "iou_above_75",
    "rate_invalid",
)
# Columns of counts: both confusion matrices with a column for what is unread, and six more.
WIDTH: Final = len(LABELS) * (len(LABELS) + 1) + len(BINARY) * (len(BINARY) + 1) + 6
_BOXES = ("iou_mean", "iou_above_50", "iou_above_75")


@dataclass(frozen=True)
class Item:
    """One answered image.

    Attributes:
        family_id: of its scene; the unit that is resampled. category: the true label.
        predicted: the label that was read, None when unread. says_consistent: likewise.
        iou: of the predicted box with the true one; NaN for a clean image, 0 where no box was read.
        invalid: whether a field was missing or malformed, or fields contradict each other.
    """

    family_id: str
    category: str
    predicted: str | None
    says_consistent: bool | None
    iou: float
    invalid: bool


def consistency_scores(
    items: Sequence[Item],
    *,
    resamples: int = 1000,
    seed: int = 0,
    confidence: float = 0.95,
    method: Method = "percentile",
) -> dict[str, Estimate]:
    """Compute every score with an interval from a bootstrap over families.

    macro_f1_category, accuracy_category: of the eleven labels. macro_f1_binary, accuracy_balanced,
    accuracy_binary, recall_clean, recall_violated: of the decision clean or violated. iou_mean, iou_above_50,
    iou_above_75: mean box IoU, and share over 0.5 and 0.75, over violated images. rate_invalid: share of
    invalid answers. What can't be read is wrong.

    Args:
        items: of one model, in any order.
        resamples, seed, confidence, method: see :func:`physprobe.statistics.bootstrap.cluster_bootstrap`.

    Returns:
        One estimate per name of SCORES, in [0, 1]; NaN over nothing. Fewer than two families: bounds are NaN.
    """
    ordered = sorted(items, key=lambda item: (item.family_id, item.category))
    if not ordered:
        nan = float("nan")
        return dict.fromkeys(SCORES, Estimate(nan, nan, nan, 0))
    _, sums = cluster_sums([item.family_id for item in ordered], _rows(ordered))
    found = cluster_bootstrap(
        sums, score_totals, resamples=resamples, seed=seed, confidence=confidence, method=method
    )
    values, counts = _values(ordered), _counts(ordered)
    bounds = zip(found.low.tolist(), found.high.tolist(), strict=True)
    return {name: Estimate(values[name], *b, counts[name]) for name, b in zip(SCORES, bounds, strict=True)}


def binary_scores(items: Sequence[Item]) -> Scores:
    """Score the decision clean or violated."""
    truth = [_binary(item.category == CLEAN) for item in items]
    said = [None if item.says_consistent is None else _binary(item.says_consistent) for item in items]
    return classification_scores(truth, said, BINARY)


def category_scores(items: Sequence[Item]) -> Scores:
    """Score the eleven labels."""
    return classification_scores(
        [item.category for item in items], [item.predicted for item in items], LABELS
    )


def _binary(consistent: bool) -> str:
    return CLEAN if consistent else VIOLATED


def _values(items: Sequence[Item]) -> dict[str, float]:
    decision, label = binary_scores(items), category_scores(items)
    boxes = np.array([item.iou for item in items if not math.isnan(item.iou)])
    nan = float("nan")
    values = {
        "macro_f1_category": label.macro_f1,
        "accuracy_category": label.accuracy,
        "macro_f1_binary": decision.macro_f1,
        "accuracy_balanced": decision.balanced_accuracy,
        "accuracy_binary": decision.accuracy,
        "recall_clean": decision.recall.get(CLEAN, nan),
        "recall_violated": decision.recall.get(VIOLATED, nan),
        "iou_mean": math.fsum(boxes) / len(boxes) if len(boxes) else nan,
        "rate_invalid": sum(item.invalid for item in items) / len(items),
    }
    for name, threshold in zip(_BOXES[1:], IOU_THRESHOLDS, strict=True):
        values[name] = float((boxes > threshold).mean()) if len(boxes) else nan
    return values


def _counts(items: Sequence[Item]) -> dict[str, int]:
    clean = sum(item.category == CLEAN for item in items)
    boxes = sum(not math.isnan(item.iou) for item in items)
    counts = dict.fromkeys(SCORES, len(items)) | dict.fromkeys(_BOXES, boxes)
    return counts | {"recall_clean": clean, "recall_violated": len(items) - clean}


def _rows(items: Sequence[Item]) -> Float:
    index: dict[str | None, int] = {**{label: k for k, label in enumerate(LABELS)}, None: len(LABELS)}
    return count_rows(
        np.array([index[item.category] for item in items]),
        np.array([index[item.predicted] for item in items]),
        np.array([2 if item.says_consistent is None else int(not item.says_consistent) for item in items]),
        np.array([item.iou for item in items], dtype=np.float64),
        np.array([item.invalid for item in items]),
    )


def count_rows(
    truth: NDArray[np.intp],
    predicted: NDArray[np.intp],
    decision: NDArray[np.intp],
    iou: Float,
    invalid: NDArray[np.bool_],
) -> Float:
    """Lay out what each of N answers adds, so that scores follow from sums (:func:`score_totals`).

    Args:
        truth, predicted: (N,) places in LABELS, the latter one past its end where unread.
        decision: (N,) 0 consistent, 1 violated, 2 unread. iou: (N,) NaN for clean images. invalid: (N,).

    Returns:
        (N, WIDTH): a cell of either confusion matrix, box figures, invalid, and one for the answer.
    """
    boxed = ~np.isnan(iou)
    rest = [np.where(boxed, iou, 0.0), *(boxed & (iou > threshold) for threshold in IOU_THRESHOLDS), boxed]
    cells = [
        _one_hot(truth, predicted, len(LABELS)),
        _one_hot((truth > 0).astype(int), decision, len(BINARY)),
    ]
    return np.column_stack([*cells, *rest, invalid, np.ones(len(truth))])


def _one_hot(truth: NDArray[Any], said: NDArray[Any], classes: int) -> Float:
    """Mark each item's cell of a confusion matrix with a further column for what is unread."""
    cells = np.zeros((len(truth), classes * (classes + 1)))
    cells[np.arange(len(truth)), truth * (classes + 1) + said] = 1
    return cells


def score_totals(totals: Float) -> Float:
    """Compute SCORES from totals of :func:`count_rows`: (..., WIDTH) -> (..., 11)."""
    labels, classes = len(LABELS), len(BINARY)
    cut = labels * (labels + 1)
    by_label = totals[..., :cut].reshape(*totals.shape[:-1], labels, labels + 1)
    binary = totals[..., cut : cut + classes * (classes + 1)].reshape(*totals.shape[:-1], classes, -1)
    iou, *above, boxed, invalid, count = np.moveaxis(totals[..., -6:], -1, 0)
    accuracy, _, f1 = _of_counts(by_label)
    decided, recalls, binary_f1 = _of_counts(binary)
    with np.errstate(divide="ignore", invalid="ignore"):
        boxes = [part / boxed for part in (iou, *above)]
        columns = [
            *(np.nanmean(f1, axis=-1), accuracy, np.nanmean(binary_f1, axis=-1)),
            *(np.nanmean(recalls, axis=-1), decided, recalls[..., 0], recalls[..., 1]),
            *(*boxes, invalid / count),
        ]
    return np.stack(columns, axis=-1)


def _of_counts(matrix: Float) -> tuple[Float, Float, Float]:
    """Return accuracy (...), recalls and F1 (..., K) of confusion counts (..., K, K + 1).

    A class that does not occur in the truth has neither recall nor F1: NaN.
    """
    right = np.diagonal(matrix[..., :-1], axis1=-2, axis2=-1)
    true, said = matrix.sum(axis=-1), matrix[..., :-1].sum(axis=-2)
    with np.errstate(divide="ignore", invalid="ignore"):
        f1 = np.where(true > 0, 2 * right / (true + said), np.nan)
        return right.sum(axis=-1) / true.sum(axis=-1), right / true, f1
