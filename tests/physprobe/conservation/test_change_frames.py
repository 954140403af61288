from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physprobe.conservation.frames import equal_change_indices, uniform_indices
from physprobe.conservation.vocabulary import FRAME_COUNTS
from physprobe.errors import UserError

changes = st.lists(st.floats(0, 1e6, allow_subnormal=True), min_size=1, max_size=40)


def unevenness(change, indices) -> float:
    total = np.concatenate([[0], np.cumsum(change)])
    return float(np.square(np.diff(total[list(indices)]) / total[-1]).sum())


@given(st.data(), changes)
def test_ends_are_shown_and_indices_increase(data, change):
    count = data.draw(st.integers(2, len(change) + 1))
    indices = equal_change_indices(change, count)
    assert len(indices) == count
    assert (indices[0], indices[-1]) == (0, len(change))
    assert all(later > earlier for earlier, later in pairwise(indices))


@given(st.data(), st.lists(st.floats(0, 1), min_size=3, max_size=8).filter(any))
def test_no_other_choice_shares_out_the_change_more_evenly(data, change):
    count = data.draw(st.integers(3, len(change)))
    between = combinations(range(1, len(change)), count - 2)
    least = min(unevenness(change, (0, *middle, len(change))) for middle in between)
    # Shares are rounded to 1/10,000.
    assert unevenness(change, equal_change_indices(change, count)) <= least + 1e-3


@pytest.mark.parametrize("count", FRAME_COUNTS)
def test_a_still_clip_is_shown_uniformly(count):
    assert equal_change_indices(np.zeros(71), count) == uniform_indices(72, count)


def test_steady_change_is_shown_evenly():
    indices = equal_change_indices(np.ones(72), 7)
    assert indices == (0, 12, 24, 36, 48, 60, 72)


def test_frames_stand_at_equal_quantiles_of_a_smooth_motion():
    speed = np.sin(np.linspace(0, np.pi, 299)) ** 2
    reached = np.concatenate([[0], np.cumsum(speed)]) / speed.sum()
    indices = equal_change_indices(speed, 7)
    np.testing.assert_allclose(reached[list(indices)], np.linspace(0, 1, 7), atol=0.005)


def test_holds_get_no_frames():
    change = np.zeros(71)
    change[30:40] = 1.0
    middle = equal_change_indices(change, 7)[1:-1]
    assert all(30 <= index <= 40 for index in middle)


def test_one_sudden_change_takes_one_gap_and_the_rest_is_spread():
    change = np.zeros(60)
    change[20] = 5.0
    indices = equal_change_indices(change, 7)
    assert indices == uniform_indices(61, 7)


def test_a_large_step_does_not_draw_all_frames():
    change = np.full(70, 1.0)
    change[35] = 30.0
    crowd = [index for index in equal_change_indices(change, 9) if 33 <= index <= 38]
    assert set(crowd) == {35, 36}


def test_the_scale_of_the_change_plays_no_part():
    change = np.random.default_rng(0).random(71)
    assert {equal_change_indices(change * scale, 9) for scale in (1e-200, 1.0, 3.0, 1e200)} == {
        equal_change_indices(change, 9)
    }


def test_rounding_errors_play_no_part():
    change = np.random.default_rng(1).random(71)
    assert equal_change_indices(change * (1 + 1e-15), 16) == equal_change_indices(change, 16)


def test_long_clips_do_not_overflow():
    indices = equal_change_indices(np.ones(2000), 16)
    assert max(np.diff(indices)) - min(np.diff(indices)) <= 1


@pytest.mark.parametrize(("frames", "count"), [(6, 7), (72, 1), (1, 2)])
def test_impossible_counts_are_refused(frames, count):
    with pytest.raises(UserError, match=f"{count} frames from a clip of {frames}"):
        equal_change_indices(np.ones(frames - 1), count)


@pytest.mark.parametrize("change", [[1.0, -0.1], [float("nan")], [float("inf")], [[1.0]]])
def test_what_is_no_change_is_refused(change):
    with pytest.raises(ValueError, match="finite"):
        equal_change_indices(change, 2)
