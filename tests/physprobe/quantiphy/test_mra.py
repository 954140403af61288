from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from physprobe.quantiphy.mra import QUANTIPHY_THRESHOLDS, mean_relative_accuracy

magnitudes = st.floats(min_value=1e-6, max_value=1e9)
# The thresholds again, as exact decimals and not as floats.
EXACT = [Fraction(k, 10) for k in range(1, 10)] + [Fraction(95, 100)]


def scalar(prediction: float, truth: float, thresholds=QUANTIPHY_THRESHOLDS) -> float:
    return float(mean_relative_accuracy(prediction, truth, thresholds))


def test_thresholds_are_those_of_the_paper():
    assert [Fraction(str(theta)) for theta in QUANTIPHY_THRESHOLDS] == EXACT


@pytest.mark.parametrize(
    ("prediction", "truth", "expected"),
    [
        (4.0, 4.0, 1.0),
        (104.0, 100.0, 1.0),  # 0.04 is below all, also 1 - 0.95
        (107.0, 100.0, 0.9),  # all but 0.95
        (115.0, 100.0, 0.8),
        (125.0, 100.0, 0.7),
        (55.0, 100.0, 0.5),  # error 0.45 is below 0.9, 0.8, 0.7, 0.6 and 0.5
        (11.0, 100.0, 0.1),  # error 0.89, only 1 - 0.1
        (9.0, 100.0, 0.0),
        (200.0, 100.0, 0.0),
        (-4.0, 4.0, 1.0),  # the sign of a prediction does not count
        (0.0, 4.0, 0.0),
        (float("nan"), 4.0, 0.0),
        (float("inf"), 4.0, 0.0),
        (float("-inf"), 4.0, 0.0),
    ],
)
def test_hand_computed(prediction, truth, expected):
    assert scalar(prediction, truth) == expected


# Errors of exactly 1 - theta (truth 100, a whole-numbered answer): float64 puts 1 - 0.7 and 1 - 0.95 above
# the error and the others at or below it, where a strict comparison misses.
@pytest.mark.parametrize(
    ("theta", "meets"), [(theta, theta in (0.7, 0.95)) for theta in QUANTIPHY_THRESHOLDS]
)
def test_strict_at_each_threshold_in_float64(theta, meets):
    prediction = round(100 * (2 - theta), 9)
    assert prediction == int(prediction)
    assert scalar(prediction, 100.0, [theta]) == float(meets)
    assert (abs(prediction - 100.0) / 100.0 < 1 - theta) is meets


@pytest.mark.parametrize("theta", QUANTIPHY_THRESHOLDS)
def test_strict_to_the_last_bit(theta):
    # Walk over the bound in single float steps: the score must turn exactly where the formula turns.
    prediction = 2 - theta
    for _ in range(4):
        prediction = math.nextafter(prediction, 0)
    scores, formula = [], []
    for _ in range(9):
        scores.append(scalar(prediction, 1.0, [theta]))
        formula.append(float(abs(prediction - 1.0) / 1.0 < 1 - theta))
        prediction = math.nextafter(prediction, 9)
    assert scores == formula
    assert scores[0] == 1.0
    assert scores[-1] == 0.0


@given(prediction=magnitudes, truth=magnitudes)
@example(prediction=1.0, truth=1.0)
def test_agrees_with_exact_arithmetic_away_from_the_thresholds(prediction, truth):
    error = abs(Fraction(prediction) - Fraction(truth)) / Fraction(truth)
    assume(all(abs(error - (1 - theta)) > Fraction(1, 10**9) for theta in EXACT))
    assert scalar(prediction, truth) == sum(error < 1 - theta for theta in EXACT) / 10


@given(prediction=st.floats(allow_nan=True), truth=st.floats(allow_nan=True))
def test_is_a_tenth_in_the_unit_interval_or_missing(prediction, truth):
    score = scalar(prediction, truth)
    if np.isnan(truth) or truth == 0:
        assert np.isnan(score)
    else:
        assert score in [k / 10 for k in range(11)]


@given(prediction=magnitudes, truth=magnitudes, power=st.integers(-10, 10))
def test_depends_on_the_ratio_only(prediction, truth, power):
    assert scalar(prediction * 2.0**power, truth * 2.0**power) == scalar(prediction, truth)


@given(truth=magnitudes, near=st.floats(0, 2), far=st.floats(0, 2))
def test_a_closer_answer_is_never_worse(truth, near, far):
    near, far = sorted((near, far))
    assert scalar(truth + truth * near, truth) >= scalar(truth + truth * far, truth)


def test_a_negative_truth_gives_full_marks_to_any_number_but_not_to_none():
    assert scalar(1e6, -2.0) == 1.0
    assert scalar(-2.0, -2.0) == 1.0
    assert scalar(float("nan"), -2.0) == 0.0


def test_zero_missing_and_infinite_truths():
    scores = mean_relative_accuracy([1.0, 0.0, 1.0, np.nan, 1.0], [0.0, 0.0, np.nan, np.nan, np.inf])
    np.testing.assert_array_equal(scores, [np.nan, np.nan, np.nan, np.nan, 0.0])


def test_keeps_shape_and_broadcasts_without_warnings(recwarn):
    assert mean_relative_accuracy([[1.0, 2.0, 3.0]], [[1.0], [0.0]]).shape == (2, 3)
    assert mean_relative_accuracy([], []).shape == (0,)
    assert scalar(5e-324, 1e308) == 0.0
    assert not recwarn.list


def test_refuses_no_thresholds_and_unlike_shapes():
    with pytest.raises(ValueError, match="empty"):
        mean_relative_accuracy([1.0], [1.0], thresholds=[])
    with pytest.raises(ValueError, match="broadcast"):
        mean_relative_accuracy([1.0, 2.0], [1.0, 2.0, 3.0])
