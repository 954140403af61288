from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score, f1_score

from physprobe.consistency.classification import UNREAD, classification_scores, confusion
from physprobe.consistency.metrics import (
    SCORES,
    Item,
    _rows,
    _values,
    binary_scores,
    category_scores,
    consistency_scores,
    score_totals,
)
from physprobe.consistency.vocabulary import CLEAN, LABELS
from physprobe.picabench import metrics as picabench
from physprobe.statistics.estimates import metric_names

NAN = float("nan")


def item(family: str, category: str, predicted: str | None, iou: float = 0.0) -> Item:
    says = None if predicted is None else predicted == CLEAN
    return Item(family, category, predicted, says, NAN if category == CLEAN else iou, predicted is None)


def suite(families: int, answer: dict[str, str | None] | str, iou: float = 0.0) -> list[Item]:
    said = dict.fromkeys(LABELS, answer) if isinstance(answer, str) else answer
    return [item(f"f{k}", label, said[label], iou) for k in range(families) for label in LABELS]


def values(items: list[Item]) -> dict[str, float]:
    return {name: estimate.value for name, estimate in consistency_scores(items, resamples=50).items()}


def test_an_oracle_scores_one_everywhere() -> None:
    found = values(suite(3, {label: label for label in LABELS}, iou=1.0))
    assert found.pop("rate_invalid") == 0.0
    assert found == dict.fromkeys(found, 1.0)


def test_the_majority_class_gets_the_papers_accuracy_and_balanced_accuracy() -> None:
    """Ten violated images for every clean one (section 6)."""
    found = values(suite(5, "wrong_shadow_direction"))
    assert found["accuracy_binary"] == pytest.approx(10 / 11)
    assert (found["accuracy_balanced"], found["recall_clean"], found["recall_violated"]) == (0.5, 0.0, 1.0)
    assert found["macro_f1_binary"] == pytest.approx((0 + 20 / 21) / 2)
    assert found["accuracy_category"] == pytest.approx(1 / 11)
    assert found["macro_f1_category"] == pytest.approx(2 / 12 / 11)
    assert found["iou_mean"] == 0.0


def test_unread_answers_are_wrong_and_counted() -> None:
    found = values(suite(2, dict.fromkeys(LABELS)))
    assert found == {**dict.fromkeys(SCORES, 0.0), "rate_invalid": 1.0}


def test_box_figures_are_over_violated_images_and_strictly_over_thresholds() -> None:
    ious = [0.5, 0.500001, 0.75, 0.76, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    items = [item("f", label, label, iou) for label, iou in zip(LABELS, [NAN, *ious], strict=True)]
    found = consistency_scores(items, resamples=10)
    assert found["iou_mean"].value == pytest.approx(sum(ious) / 10)
    assert (found["iou_above_50"].value, found["iou_above_75"].value) == (0.3, 0.1)
    assert found["iou_mean"].n == 10
    assert (found["recall_clean"].n, found["accuracy_category"].n) == (1, 11)
    assert math.isnan(found["iou_mean"].low)  # one family


def test_by_hand() -> None:
    """Two clean, one taken for violated; three violated, one taken for clean, one unread."""
    items = [
        item("a", CLEAN, CLEAN), item("b", CLEAN, "floating_object"),
        item("a", "floating_object", "floating_object"), item("b", "floating_object", CLEAN),
        item("c", "floating_object", None),
    ]  # fmt: skip
    found = binary_scores(items)
    assert found.accuracy == 2 / 5
    assert found.recall == {"clean": 1 / 2, "violated": 1 / 3}
    assert found.balanced_accuracy == pytest.approx(5 / 12)
    assert found.f1 == pytest.approx({"clean": 2 / 4, "violated": 2 / 5})
    assert category_scores(items).f1 == pytest.approx({"clean": 1 / 2, "floating_object": 2 / 5})


said = st.sampled_from([*LABELS, None])
answered = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from(LABELS), said, st.floats(0, 1)), min_size=1
)


@settings(max_examples=60, deadline=None)
@given(answered)
def test_counts_give_what_scikit_learn_gives(answers: list[tuple[str, str, str | None, float]]) -> None:
    items = [item(*answer) for answer in answers]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from_counts = dict(zip(SCORES, score_totals(_rows(items).sum(axis=0)).tolist(), strict=True))
    assert from_counts == pytest.approx(_values(items), nan_ok=True)
    for name, value in from_counts.items():
        assert math.isnan(value) or -1e-12 <= value <= 1 + 1e-12, name


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=1))
def test_where_all_is_read_the_scores_are_the_usual_ones(pairs: list[tuple[str, str]]) -> None:
    truth, predicted = [a for a, _ in pairs], [b for _, b in pairs]
    found = classification_scores(truth, predicted, LABELS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of labels that are not in the truth
        assert found.balanced_accuracy == pytest.approx(balanced_accuracy_score(truth, predicted))
    there = sorted(set(truth))
    assert found.macro_f1 == pytest.approx(
        f1_score(truth, predicted, labels=there, average="macro", zero_division=0)
    )


def test_intervals_resample_families_and_do_not_depend_on_order() -> None:
    rng = np.random.default_rng(0)
    items = [
        item(f"f{k}", label, label if rng.random() < 0.6 else CLEAN, float(rng.random()))
        for k in range(30)
        for label in LABELS
    ]
    found = consistency_scores(items)
    assert consistency_scores(items[::-1]) == found
    for name, estimate in found.items():
        if name != "rate_invalid":
            assert estimate.low <= estimate.value <= estimate.high, name
    same = [item(f"f{k}", label, LABELS[k % 2], 0.5) for k in range(30) for label in LABELS]
    spread = consistency_scores(same)["accuracy_binary"]
    assert spread.high - spread.low > 0.2  # whole families are right or wrong together


def test_confusion_counts_truths_in_rows() -> None:
    table = confusion([CLEAN, CLEAN, "floating_object"], [CLEAN, None, CLEAN], LABELS)
    assert table.shape == (11, 12)
    assert (table.loc[CLEAN, CLEAN], table.loc[CLEAN, UNREAD], table.loc["floating_object", CLEAN]) == (
        1,
        1,
        1,
    )
    assert table.to_numpy().sum() == 3
    assert confusion([], [], LABELS).to_numpy().sum() == 0


def test_bad_labels_are_named() -> None:
    with pytest.raises(ValueError, match="unknown labels: dragon"):
        classification_scores(["dragon"], [CLEAN], LABELS)
    with pytest.raises(ValueError, match="1 truths for 2"):
        classification_scores([CLEAN], [CLEAN, CLEAN], LABELS)


def test_nothing_scores_nothing() -> None:
    assert all(math.isnan(e.value) and e.n == 0 for e in consistency_scores([]).values())


@pytest.mark.parametrize("scores", [SCORES, picabench.SCORES])
def test_no_metric_name_is_part_of_another(scores: tuple[str, ...]) -> None:
    """lmms-eval collects the metrics of a group by substring."""
    names = [name for score in scores for name in metric_names(score)]
    assert len(set(names)) == len(names)
    assert not [(a, b) for a in names for b in names if a != b and a in b]
