from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from physprobe.conservation.frames import uniform_indices
from physprobe.conservation.vocabulary import FRAME_COUNTS
from physprobe.errors import UserError


def test_indices_of_a_clip_of_three_seconds():
    assert uniform_indices(72, 3) == (0, 36, 71)
    assert uniform_indices(72, 5) == (0, 18, 36, 53, 71)
    assert uniform_indices(72, 7) == (0, 12, 24, 36, 47, 59, 71)


@given(st.integers(2, 500).flatmap(lambda n: st.tuples(st.just(n), st.integers(2, n))))
def test_ends_are_shown_and_gaps_differ_by_one_at_most(sizes):
    num_frames, count = sizes
    indices = uniform_indices(num_frames, count)
    gaps = {b - a for a, b in pairwise(indices)}
    assert len(indices) == count
    assert (indices[0], indices[-1]) == (0, num_frames - 1)
    assert min(gaps) >= 1
    assert max(gaps) - min(gaps) <= 1


@pytest.mark.parametrize("count", FRAME_COUNTS)
def test_a_clip_as_long_as_the_count_is_shown_whole(count):
    assert uniform_indices(count, count) == tuple(range(count))


@pytest.mark.parametrize(("num_frames", "count"), [(6, 7), (72, 1), (72, 0), (0, 2), (1, 1)])
def test_impossible_counts_are_refused(num_frames, count):
    with pytest.raises(UserError, match=f"{count} frames from a clip of {num_frames}"):
        uniform_indices(num_frames, count)
