"""Scores of a classifier whose answer may be unreadable, by scikit-learn.

An unreadable answer is a label of its own, which never is the truth: it counts as wrong everywhere. Averages
over classes go over those that occur in the truth, so that a part of the data can be scored too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

UNREAD: Final = "unread"  # as a prediction


@dataclass(frozen=True)
class Scores:
    """Of one classifier; all NaN over nothing.

    Attributes:
        accuracy: share of answers that are right. balanced_accuracy: mean of the classes' recalls.
        macro_f1: mean of the classes' F1. recall, f1: of each class that occurs in the truth.
    """

    accuracy: float
    balanced_accuracy: float
    macro_f1: float
    recall: dict[str, float]
    f1: dict[str, float]


def classification_scores(
    truth: Sequence[str], predicted: Sequence[str | None], labels: Sequence[str]
) -> Scores:
    """Score answers.

    Args:
        truth: one of ``labels`` for each item. predicted: likewise, None where unread.

    Raises:
        ValueError: lengths differ; a label is unknown.
    """
    from sklearn.metrics import accuracy_score, f1_score, recall_score

    true, said = _checked(truth, predicted, labels)
    there = [label for label in labels if label in set(true)]
    if not there:
        nan = float("nan")
        return Scores(nan, nan, nan, {}, {})
    each = {"labels": there, "average": None, "zero_division": 0.0}
    recall = np.asarray(recall_score(true, said, **each))
    f1 = np.asarray(f1_score(true, said, **each))
    return Scores(
        float(accuracy_score(true, said)),
        float(recall.mean()),
        float(f1.mean()),
        dict(zip(there, recall.tolist(), strict=True)),
        dict(zip(there, f1.tolist(), strict=True)),
    )


def confusion(truth: Sequence[str], predicted: Sequence[str | None], labels: Sequence[str]) -> pd.DataFrame:
    """Count answers by truth (rows, ``labels``) and prediction (columns, ``labels`` and UNREAD).

    Raises:
        ValueError: as :func:`classification_scores`.
    """
    from sklearn.metrics import confusion_matrix

    true, said = _checked(truth, predicted, labels)
    columns = [*labels, UNREAD]
    counts = (
        confusion_matrix(true, said, labels=columns)[:-1]
        if true
        else np.zeros((len(labels), len(columns)), dtype=np.int64)
    )
    return pd.DataFrame(counts, index=list(labels), columns=columns)


def _checked(
    truth: Sequence[str], predicted: Sequence[str | None], labels: Sequence[str]
) -> tuple[list[str], list[str]]:
    true, said = list(truth), [UNREAD if label is None else label for label in predicted]
    if len(true) != len(said):
        raise ValueError(f"{len(true)} truths for {len(said)} predictions")
    if unknown := set(true).difference(labels) | set(said).difference(labels, (UNREAD,)):
        raise ValueError(f"unknown labels: {', '.join(sorted(unknown))}")
    return true, said
