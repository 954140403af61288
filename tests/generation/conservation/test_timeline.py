import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.conservation.timeline import Timeline, smootherstep


@given(fps=st.integers(8, 60), seconds=st.floats(2.0, 5.0))
def test_both_ends_of_a_clip_are_still(fps, seconds):
    time = Timeline(round(fps * seconds), fps)
    progress = time.ease(time.first, time.last)
    hold = time.hold
    assert hold / fps >= 0.3
    assert np.all(progress[:hold] == 0.0)
    assert np.all(progress[-hold:] == 1.0)
    assert np.all(np.diff(progress[hold - 1 : -hold + 1]) > 0)


def test_a_standard_clip_holds_eight_frames():
    time = Timeline(72, 24)
    assert (time.hold, time.first, time.last) == (8, 7, 64)
    assert (time.frame(0.0), time.frame(1.0)) == (7, 64)


def test_ease_is_smooth_at_both_ends():
    x = np.linspace(-0.5, 1.5, 4001)
    step = x[1] - x[0]
    velocity = np.gradient(smootherstep(x), step)
    acceleration = np.gradient(velocity, step)
    assert velocity.max() == pytest.approx(1.875, abs=1e-3)
    assert np.abs(np.diff(acceleration)).max() < 0.05  # continuous: no jump larger than its own slope
    assert smootherstep(np.array([0.5]))[0] == 0.5
