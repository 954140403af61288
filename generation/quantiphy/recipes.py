"""Which motions suit which things, and which serve as which prior."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from generation.quantiphy import lanes
from generation.quantiphy.design import Prior
from generation.quantiphy.lanes import Draw
from generation.quantiphy.things.model import Move

Effort = Literal["push", "turn"]

_GOES: frozenset[Move] = frozenset({"slides", "rolls", "drives", "floats", "flies"})


@dataclass(frozen=True)
class Recipe:
    """A motion that a thing may have.

    Attributes:
        name: of the recipe.
        moves: the thing must be able to do one of these.
        weights: how often it leads clips with a prior S, V or A.
        draw: draws the motion for a lane, or None if it doesn't fit.
        needs_ball: whether only balls do it. only_3d: whether it needs depth.
        drops: whether gravity alone acts. effort: which acceleration the thing itself must be able to.
    """

    name: str
    moves: frozenset[Move]
    weights: Mapping[Prior, float]
    draw: Draw
    needs_ball: bool = False
    only_3d: bool = False
    drops: bool = False
    effort: Effort | None = None


def _recipe(
    draw: Draw,
    moves: frozenset[Move] | set[Move],
    s: float,
    v: float,
    a: float,
    effort: Effort | None = None,
    **features: bool,
) -> Recipe:
    weights: dict[Prior, float] = {"S": s, "V": v, "A": a}
    return Recipe(draw.__name__, frozenset(moves), weights, draw, effort=effort, **features)


STANDING = _recipe(lanes.standing, set(), 0, 0, 0)
# Colliding takes two: see generation.quantiphy.meeting.
RECIPES: tuple[Recipe, ...] = (
    _recipe(lanes.uniform, _GOES, 2, 5, 0),
    _recipe(lanes.accelerated, _GOES, 2, 1, 4, "push"),
    _recipe(lanes.braking, {"slides", "drives"}, 1.5, 0.7, 2, "push"),
    _recipe(lanes.varying, _GOES - {"rolls"}, 1, 0.5, 0.7, "push"),
    _recipe(lanes.rising, {"rises"}, 1.5, 1.2, 2.5, "push"),
    _recipe(lanes.projectile, {"falls"}, 1.5, 0.7, 2.5, drops=True),
    _recipe(lanes.pendulum, {"swings"}, 1, 0.5, 0.5),
    _recipe(lanes.orbit, {"orbits"}, 1, 1.5, 0.4, "turn"),
    _recipe(lanes.circling, {"drives", "flies"}, 0.5, 0.8, 0.2, "turn", only_3d=True),
    _recipe(lanes.incline, {"rolls"}, 1, 0.3, 1.5, needs_ball=True),
    _recipe(lanes.bouncing, {"falls"}, 1, 0.5, 1.2, needs_ball=True, drops=True),
)

# No thing gets faster, m/s; most kinds are slower yet: see generation.quantiphy.powers.
SPEED_LIMITS: dict[Move, float] = {
    "slides": 12.0,
    "rolls": 14.0,
    "drives": 80.0,
    "floats": 14.0,
    "flies": 260.0,
    "rises": 600.0,
    "falls": 40.0,
    "swings": 40.0,
    "orbits": 40.0,
    "stands": 1.0,
}
