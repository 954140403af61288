"""Two things that collide."""

from __future__ import annotations

import numpy as np

from generation.quantiphy.bodies import Body
from generation.quantiphy.lanes import EARTH, Lane
from generation.quantiphy.motion.touching import Collision

_START, _MEET = (-0.5, -0.38), (-0.15, 0.02)  # of the reach
_MEETING_TIME = (0.42, 0.6)  # of the clip
_COMING = 0.35  # share of meetings in which the second comes towards the first


def draw_meeting(
    rng: np.random.Generator, lane: Lane, one: Body, two: Body, *, rolling: bool
) -> tuple[Collision, Collision]:
    """Draw a collision of two balls that roll, or two things that slide without friction.

    Args:
        rng: source of chance. lane: where; the first thing heads along it. one, two: the things.
        rolling: whether both roll.
    """
    gap = float(one.half[0] + two.half[0])
    first, second = (float(rng.uniform(*limits)) * lane.reach for limits in (_START, _MEET))
    seconds = float(rng.uniform(*_MEETING_TIME)) * lane.duration
    closing = (second - first - gap) / seconds
    back = float(rng.uniform(0.15, 0.4)) if rng.random() < _COMING else 0.0
    shared = {
        "yaw": lane.yaw,
        "half_sizes": tuple(_shape(body, rolling) for body in (one, two)),
        "masses": tuple(float(np.prod(body.half / one.half)) for body in (one, two)),
        "places": (first, second),
        "speeds": (closing * (1 - back), -closing * back),
        "restitution": round(float(rng.uniform(0.5, 0.95)), 3),
        "gravity": EARTH,
    }
    made = [
        Collision.model_validate({**shared, "which": which, "start": lane.at(place, body.base)})
        for which, (place, body) in enumerate(zip((first, second), (one, two), strict=True))
    ]
    return made[0], made[1]


def _shape(body: Body, rolling: bool) -> tuple[float, ...]:
    return (float(body.half[2]),) if rolling else (float(body.half[0]), float(body.half[2]))
