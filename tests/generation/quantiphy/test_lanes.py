"""What is drawn to fit a lane keeps to what the thing can do."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from generation.quantiphy.casting import LARGEST_SHARE
from generation.quantiphy.lanes import Lane
from generation.quantiphy.motion.model import Motion
from generation.quantiphy.places import PLACES
from generation.quantiphy.powers import POWERS, Power, power
from generation.quantiphy.recipes import RECIPES, Recipe
from generation.quantiphy.things import KINDS

TIMES = np.arange(49) / 24
DRIVEN = [recipe for recipe in RECIPES if recipe.effort or recipe.name == "uniform"]
FRAIL = Power(speed=3.0, push=0.8, turn=1.5)


def _lane(able: Power, *, is_flat: bool, yaw: float = 0.0) -> Lane:
    return Lane(
        x=0.1,
        y=0.0,
        yaw=yaw,
        reach=8.0,
        base=0.3,
        top=4.0,
        duration=2.0,
        limit=able.speed,
        push=able.push,
        turn=able.turn,
        roll_radius=0.0,
        is_ball=False,
        flies=True,
        is_upright=able.is_upright,
        is_flat=is_flat,
    )


def _drawn(recipe: Recipe, able: Power, *, is_flat: bool) -> list[Motion]:
    rng = np.random.Generator(np.random.PCG64(5))
    lanes = [_lane(able, is_flat=is_flat, yaw=0.0 if is_flat else 0.8) for _ in range(60)]
    return [motion for lane in lanes if (motion := recipe.draw(rng, lane)) is not None]


@pytest.mark.parametrize("is_flat", [True, False])
@pytest.mark.parametrize("recipe", DRIVEN, ids=lambda recipe: recipe.name)
def test_nothing_is_faster_or_stronger_than_its_kind(recipe: Recipe, is_flat: bool) -> None:
    for motion in _drawn(recipe, FRAIL, is_flat=is_flat):
        made = motion.trajectory(TIMES)
        assert np.linalg.norm(made.velocity, axis=1).max() < FRAIL.speed * 1.3
        strongest = FRAIL.turn if recipe.effort == "turn" else FRAIL.push
        assert np.linalg.norm(made.acceleration, axis=1).max() < strongest * 1.001


@pytest.mark.parametrize("is_flat", [True, False])
def test_what_rises_goes_up_between_ground_and_top(is_flat: bool) -> None:
    (rising,) = (recipe for recipe in RECIPES if recipe.name == "rising")
    counts: Counter[str] = Counter()
    for motion in _drawn(rising, FRAIL, is_flat=is_flat):
        made = motion.trajectory(TIMES)
        assert made.position[0, 2] > 0.3 - 1e-9
        assert made.position[-1, 2] < 4.0
        assert (np.diff(made.position[:, 2]) > 0).all()
        is_vertical = np.ptp(made.position[:, :2]) < 0.2
        counts["vertical"] += bool(is_vertical)
        counts["accelerated"] += motion.motion == "accelerated"  # type: ignore[attr-defined]
        assert np.allclose(made.rotation[:, 2, 2], 1)  # stays level
    assert (counts["vertical"] > 0) == is_flat
    assert 0 < counts["accelerated"] < 60


def test_an_upright_thing_leans_along_the_way_it_rises() -> None:
    (rising,) = (recipe for recipe in RECIPES if recipe.name == "rising")
    for motion in _drawn(rising, power("rocket"), is_flat=False):
        made = motion.trajectory(TIMES)
        nose = made.rotation[-1] @ (0.0, 0.0, 1.0)
        assert np.allclose(nose, made.velocity[-1] / np.linalg.norm(made.velocity[-1]))


def test_powers_are_of_known_kinds_and_sane() -> None:
    assert set(POWERS) <= set(KINDS)
    earthly = {name: able for name, able in POWERS.items() if name != "rocket"}
    assert max(able.push for able in earthly.values()) < 2 * 9.81
    assert not any(math.isinf(able.speed) for able in earthly.values())


@pytest.mark.parametrize("name", KINDS)
def test_no_kind_is_too_large_for_all_its_places(name: str) -> None:
    kind, studio = KINDS[name], PLACES[f"plain_{KINDS[name].scale}"]
    (left, _, _), (right, _, _) = studio.build(studio.sample(np.random.Generator(np.random.PCG64(0)))).free
    assert max(low for low, _ in kind.ranges.values()) < LARGEST_SHARE * (right - left)
    assert kind.moves & studio.suits
