"""How alike two mechanisms are: differences, their intervals, and what is told of them."""

from __future__ import annotations

import numpy as np
import pytest

from builders.consistency.matching import ALIKE, ENOUGH, Measured, compared, matching_lines, matching_problems
from physprobe.consistency.vocabulary import CATEGORIES, Label

ONE: Label = "floating_object"


def _images(split: str, mechanism: str, areas: np.ndarray, effect: float = 0.2) -> list[Measured]:
    return [Measured(split, ONE, mechanism, float(a), effect + 0.01 * (k % 3)) for k, a in enumerate(areas)]


def _pair(shift: float, count: int = 50) -> list[Measured]:
    """Return areas by both mechanisms that differ by some standard deviations."""
    areas = np.linspace(-1, 1, count)
    areas = 0.05 + 0.01 * areas / areas.std(ddof=1)
    return _images("train", "A", areas) + _images("test_intervention", "B", areas + 0.01 * shift)


@pytest.mark.parametrize("shift", [0.0, 0.2, -0.5, 1.0])
def test_a_difference_is_told_in_standard_deviations_with_its_interval(shift: float) -> None:
    area, effect = compared(_pair(shift))
    assert (area.category, area.quantity, effect.quantity) == (ONE, "area", "effect")
    assert area.difference == pytest.approx(shift)
    assert effect.difference == pytest.approx(0.0)
    assert area.a.count == area.b.count == 50
    assert area.a.mean == pytest.approx(0.05)
    assert area.b.mean == pytest.approx(0.05 + 0.01 * shift)
    low, high = area.interval
    assert low < shift < high
    assert high - low == pytest.approx(2 * 1.96 * np.sqrt(0.04 + shift**2 / 200), rel=1e-3)


def test_only_what_chance_cannot_explain_is_a_problem() -> None:
    assert [*matching_problems(compared(_pair(0.0)))] == []
    within_chance = compared(_pair(0.5))
    assert abs(within_chance[0].difference) > ALIKE
    assert [*matching_problems(within_chance)] == []
    [problem] = matching_problems(compared(_pair(-1.0)))
    assert problem.startswith(
        "floating_object: mechanisms differ in area, 0.0500 by A and 0.0400 by B: -1.00"
    )


def test_lines_tell_how_many_are_alike_and_every_distribution() -> None:
    first, area, effect = matching_lines(compared(_pair(0.5)))
    assert first == "mechanisms: 1 of 2 differences of area and effect within 0.25"
    assert area.startswith("  floating_object area: A 0.0500 ± 0.0100 (quartiles ")
    assert area.endswith("difference +0.50 (+0.10 to +0.90)")
    assert effect.endswith("difference +0.00 (-0.39 to +0.39)")


def test_few_families_are_not_compared() -> None:
    few = _pair(3.0, ENOUGH - 1)
    assert compared(few) == ()
    assert [*matching_lines(())] == ["mechanisms: too few families to compare (under 10 of one)"]


def test_the_suite_of_another_appearance_is_left_out() -> None:
    shifted = _images("test_appearance", "A", np.full(50, 0.9))
    assert compared(_pair(0.0) + shifted) == compared(_pair(0.0))


def test_categories_stand_in_their_order() -> None:
    images = [
        Measured(split, category, mechanism, 0.01 * (k % 7), 0.1 + 0.01 * (k % 5))
        for category in reversed(CATEGORIES)
        for split, mechanism in (("train", "A"), ("test_intervention", "B"))
        for k in range(20)
    ]
    assert [each.category for each in compared(images)][::2] == list(CATEGORIES)
