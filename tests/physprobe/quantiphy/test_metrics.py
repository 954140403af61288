from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physprobe.errors import UserError
from physprobe.quantiphy.answers import Answers
from physprobe.quantiphy.codes import BACKGROUNDS, CATEGORIES, OBJECT_NUMBERS, Codes
from physprobe.quantiphy.metrics import SCORES, Items, item_mra, quantiphy_scores
from physprobe.quantiphy.official import score
from physprobe.quantiphy.trials import summarise_trials

ROW = st.tuples(
    st.integers(0, 5),
    st.sampled_from(["", *CATEGORIES]),
    st.sampled_from(["", *BACKGROUNDS]),
    st.sampled_from(["", *OBJECT_NUMBERS]),
    st.sampled_from([math.nan, 0.0, 0.5, 0.96, 1.0, -1.2, 1.3, 40.0]),
    st.sampled_from([1.0, 2.5, math.nan, 0.0]),
)
ROWS = st.lists(ROW, min_size=1, max_size=40)


def items(rows: list[tuple]) -> Items:
    video, category, background, objects, prediction, truth = (np.array(x) for x in zip(*rows, strict=True))
    codes = Codes(category.astype(str), background.astype(str), objects.astype(str))
    return Items(video.astype(str).astype(object), prediction.astype(float), truth.astype(float), codes)


def all_cells(video: str, factor: float) -> list[tuple]:
    return [(video, c, b, o, factor, 1.0) for c in CATEGORIES for b in BACKGROUNDS for o in OBJECT_NUMBERS]


@settings(max_examples=60, deadline=None)
@given(ROWS)
def test_values_are_those_of_the_official_scores(rows: list[tuple]) -> None:
    made = items(rows)
    found = quantiphy_scores(made, resamples=2)
    assert tuple(found) == SCORES
    blank = np.isnan(made.prediction)
    answers = Answers(made.video, made.prediction, made.truth, blank, made.video, made.codes, ())
    published = score(answers).published()
    published["mra_macro"] = published.pop("mra_average")
    published["rate_invalid"] = published.pop("invalid_percentage") / 100  # type: ignore[operator]
    for name, value in published.items():
        shown = found[name].as_json()["value"]
        assert shown == (None if value is None else pytest.approx(value, rel=1e-12, abs=1e-15)), name


@settings(max_examples=60, deadline=None)
@given(ROWS)
def test_distribution_is_that_of_the_items(rows: list[tuple]) -> None:
    made = items(rows)
    found = quantiphy_scores(made, resamples=2)
    mra = item_mra(made)[~np.isnan(item_mra(made))]
    assert found["mra_questions"].n == len(mra)
    assert found["rate_invalid"].n == len(rows)
    if len(mra):
        assert found["mra_questions"].value == pytest.approx(mra.mean())
        assert found["share_zero"].value == pytest.approx((mra == 0).mean())
        for name, share in (("lower_quartile", 0.25), ("median", 0.5), ("upper_quartile", 0.75)):
            assert found[f"mra_{name}"].value == np.quantile(mra, share, method="inverted_cdf")
    else:
        assert math.isnan(found["mra_questions"].value)
        assert math.isnan(found["mra_median"].value)


@settings(max_examples=40, deadline=None)
@given(ROWS, st.randoms(use_true_random=False))
def test_order_of_the_rows_changes_nothing(rows: list[tuple], random: object) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert str(quantiphy_scores(items(rows), resamples=20)) == str(
        quantiphy_scores(items(shuffled), resamples=20)
    )


def test_intervals_hold_the_value_and_come_from_videos() -> None:
    rows = [row for k in range(20) for row in all_cells(f"v{k}", 1.0 if k % 2 else 3.0)]
    found = quantiphy_scores(items(rows), resamples=500)
    assert found["mra_macro"].value == 0.5
    # 20 videos that are all right or all wrong: as of 20 coins, however many questions each has.
    assert found["mra_macro"].low == pytest.approx(0.5 - 1.96 * 0.5 / math.sqrt(20), abs=0.05)
    assert found["mra_macro"].high == pytest.approx(0.5 + 1.96 * 0.5 / math.sqrt(20), abs=0.05)
    assert found["mra_bg_X"].low == found["mra_macro"].low
    one = quantiphy_scores(items(all_cells("v", 1.0)), resamples=10)
    assert one["mra_macro"].value == 1.0
    assert math.isnan(one["mra_macro"].low)


def test_an_interval_does_not_depend_on_threads() -> None:
    rows = [(k % 7, c, "C", "single", 1 + k / 60, 1.0) for k in range(60) for c in CATEGORIES]
    assert str(quantiphy_scores(items(rows), workers=1)) == str(quantiphy_scores(items(rows), workers=3))


def test_a_mean_of_four_lacks_value_and_bounds_without_one_of_the_four() -> None:
    rows = [(k, c, "C", "single", 1.0, 1.0) for k in range(4) for c in CATEGORIES[:3]]
    found = quantiphy_scores(items(rows), resamples=10)
    assert found["mra_S2"].value == 1.0
    assert found["mra_macro"].as_json() == {"value": None, "low": None, "high": None, "n": 12}


def test_trials_tell_mean_spread_and_failures() -> None:
    trials = [items(all_cells("v", factor)) for factor in (1.0, 1.0, 3.0)]
    trials[0].prediction[0] = math.nan
    trials[2].prediction[:2] = 0.0
    ids = [[str(k) for k in range(24)]] * 3
    found = summarise_trials(trials, ids)
    assert found.macro.tolist() == [pytest.approx(1 - 1 / 24), 1.0, 0.0]
    assert found.mean == pytest.approx(found.macro.mean())
    assert found.spread == pytest.approx(np.std(found.macro, ddof=1))
    assert found.failure_rate == pytest.approx(3 / 72)
    assert (found.ever_failed, found.always_failed) == (pytest.approx(2 / 24), 0.0)
    # 23 items score 1, 1, 0 and one 0, 1, 0: each with a standard deviation of 1 / sqrt(3).
    assert found.item_spread == pytest.approx(1 / math.sqrt(3))
    turned = summarise_trials(
        [trials[0], trials[1].select(np.arange(24)[::-1]), trials[2]], [ids[0], ids[0][::-1], ids[0]]
    )
    assert turned.as_json() == found.as_json()


def test_trials_must_be_over_the_same_questions() -> None:
    trial = items(all_cells("v", 1.0))
    ids = [str(k) for k in range(24)]
    with pytest.raises(UserError, match="at least two trials"):
        summarise_trials([trial], [ids])
    with pytest.raises(UserError, match="trial 2 answers other questions"):
        summarise_trials([trial, trial], [ids, ["x", *ids[1:]]])
    with pytest.raises(UserError, match="a question occurs twice"):
        summarise_trials([trial, trial], [["1", *ids[1:]]] * 2)
