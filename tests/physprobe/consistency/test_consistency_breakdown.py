from __future__ import annotations

import math

import pytest

from physprobe.consistency.breakdown import category_estimates
from physprobe.consistency.metrics import Item, category_scores
from physprobe.consistency.vocabulary import CLEAN, LABELS

FLOAT = "floating_object"
NAN = float("nan")


def items() -> list[Item]:
    return [
        Item("a", CLEAN, CLEAN, True, NAN, False),
        Item("a", FLOAT, FLOAT, False, 0.8, False),
        Item("a", LABELS[1], FLOAT, False, 0.2, False),
        Item("b", CLEAN, FLOAT, False, NAN, False),
        Item("b", FLOAT, None, False, 0.0, True),
        Item("b", LABELS[1], LABELS[1], False, 0.4, False),
    ]


def test_by_hand() -> None:
    found = category_estimates(items(), FLOAT, resamples=20)
    assert {name: estimate.value for name, estimate in found.items()} == pytest.approx(
        {"recall": 0.5, "f1": 2 * 1 / (2 + 3), "detected": 1.0, "iou_mean": 0.4}
    )
    assert {estimate.n for estimate in found.values()} == {2}
    clean = category_estimates(items(), CLEAN, resamples=20)
    assert (clean["recall"].value, clean["detected"].value) == (0.5, 0.5)
    assert math.isnan(clean["iou_mean"].value)


@pytest.mark.parametrize("label", [CLEAN, FLOAT, LABELS[1]])
def test_f1_and_recall_are_scikit_learns(label: str) -> None:
    whole, part = category_scores(items()), category_estimates(items(), label, resamples=5)
    assert part["f1"].value == pytest.approx(whole.f1[label])
    assert part["recall"].value == pytest.approx(whole.recall[label])


def test_a_category_that_does_not_occur_has_no_scores() -> None:
    assert all(math.isnan(e.value) and e.n == 0 for e in category_estimates(items(), LABELS[5]).values())
