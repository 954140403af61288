from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.selections.agreement import agreed

LAST = 23


def choices(count: int):
    between = st.sets(st.integers(1, LAST - 1), min_size=count - 2, max_size=count - 2)
    return between.map(lambda middle: (0, *sorted(middle), LAST))


several = st.integers(3, 7).flatmap(lambda count: st.lists(choices(count), min_size=1, max_size=6))


@given(several)
def test_it_is_a_choice_that_somebody_made(made):
    assert agreed(made) in made


@given(several, st.randoms(use_true_random=False))
def test_the_order_of_people_plays_no_part(made, random):
    shuffled = random.sample(made, len(made))
    assert agreed(shuffled) == agreed(made)


@given(st.lists(choices(5), max_size=4), choices(5))
def test_a_majority_wins(others, common):
    assert agreed([*others, *[common] * (len(others) + 1)]) == common


@given(several)
def test_no_choice_is_closer_to_all(made):
    def distance(choice):
        return sum(abs(a - b) for other in made for a, b in zip(choice, other, strict=True))

    assert distance(agreed(made)) == min(map(distance, made))


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        ([(0, 9, 23)], (0, 9, 23)),
        ([(0, 12, 23), (0, 9, 23)], (0, 9, 23)),  # a tie: the earlier frame
        ([(0, 9, 20, 23), (0, 9, 12, 23)], (0, 9, 12, 23)),
        ([(0, 4, 23), (0, 10, 23), (0, 22, 23)], (0, 10, 23)),
        ([(0, 22, 23), (0, 22, 23), (0, 4, 23), (0, 5, 23), (0, 6, 23)], (0, 6, 23)),
    ],
)
def test_examples(made, expected):
    assert agreed(made) == expected
