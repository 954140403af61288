"""Room for a thing to move in, and motions drawn to fit it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from generation.quantiphy.motion.curved import Orbit, Pendulum, Projectile
from generation.quantiphy.motion.model import Motion, Point
from generation.quantiphy.motion.straight import Accelerated, Braking, Standing, Uniform, Varying
from generation.quantiphy.motion.touching import Bouncing, Incline

EARTH = 9.81
# Of the reach: a stop on a shorter way is not seen.
_SHORTEST_STOP = 0.12
_CLIMBS, _VERTICAL, _STEADY = (0.7, 1.2), 0.6, 0.3  # slants of what rises; shares straight up, without push
# Least part of a circle.
_LEAST_TURN = 0.2
# Where the Earth's gravity would be over too soon or too late, something else holds.
_LIFT_LIMITS = (0.0, 0.55)
_SLOPES = math.radians(3.0), math.radians(28.0)


@dataclass(frozen=True)
class Lane:
    """A vertical strip along which a thing may move, and the thing's own figures.

    Attributes:
        x, y: middle of the strip, m. yaw: its heading, radians. reach: how far the thing's middle may go, m.
        base: height of its middle when it stands on the ground, m. top: highest place of its middle, m.
        duration: of the clip, s. limit: highest speed that becomes such a thing, m/s.
        push, turn: strongest acceleration along its way and across it, m/s^2.
        roll_radius: m, 0 for what doesn't roll. is_ball: whether it is one.
        flies: whether it needs no ground. is_upright: whether its nose is its top.
        is_flat: whether all motion has to stay in the image plane.
    """

    x: float
    y: float
    yaw: float
    reach: float
    base: float
    top: float
    duration: float
    limit: float
    push: float
    turn: float
    roll_radius: float
    is_ball: bool
    flies: bool
    is_upright: bool
    is_flat: bool

    def at(self, along: float, z: float) -> Point:
        """Return the point at some way from the middle along the heading, and a height, m."""
        return self.x + along * math.cos(self.yaw), self.y + along * math.sin(self.yaw), z


Draw = Callable[[np.random.Generator, Lane], Motion | None]


def _way(rng: np.random.Generator, lane: Lane) -> float:
    return min(
        lane.reach * float(rng.uniform(0.6, 1.0)), lane.limit * lane.duration * float(rng.uniform(0.5, 1))
    )


def _level(rng: np.random.Generator, lane: Lane) -> float:
    return float(rng.uniform(0.3, 0.95)) * (lane.top - lane.base) + lane.base if lane.flies else lane.base


def standing(rng: np.random.Generator, lane: Lane) -> Motion | None:
    """Stand on the ground, turned a little or not."""
    return Standing(start=lane.at(0.0, lane.base), yaw=lane.yaw)


def uniform(rng: np.random.Generator, lane: Lane) -> Motion | None:
    """Go at constant speed."""
    way = _way(rng, lane)
    start, speed = lane.at(-way / 2, _level(rng, lane)), _rounded(way / lane.duration)
    return Uniform(start=start, yaw=lane.yaw, roll_radius=lane.roll_radius, speed=speed)


def accelerated(rng: np.random.Generator, lane: Lane) -> Motion | None:
    """Gain speed; some start from rest."""
    way, share = _way(rng, lane), min(float(rng.uniform(0.5, 1.2)), 1.0)
    way = min(way, lane.limit * lane.duration / (1 + share))
    speed, acceleration = _gaining(lane, way, share)
    return Accelerated(
        start=lane.at(-way / 2, _level(rng, lane)),
        yaw=lane.yaw,
        roll_radius=lane.roll_radius,
        speed=speed,
        acceleration=acceleration,
    )


def _gaining(lane: Lane, way: float, share: float) -> tuple[float, float]:
    """Return first speed and acceleration of a way, where at most a share of the mean speed is gained."""
    share = min(share, lane.push * lane.duration**2 / 2 / way)
    return _rounded((1 - share) * way / lane.duration), _rounded(2 * share * way / lane.duration**2)


def rising(rng: np.random.Generator, lane: Lane) -> Motion | None:
    """Go up, straight or at a slant; some lift off from the ground, some rise steadily."""
    is_vertical = lane.is_flat and rng.random() < _VERTICAL
    climb = math.pi / 2 if is_vertical else float(rng.uniform(*_CLIMBS))
    room, level, rise = lane.top - lane.base, math.cos(climb), math.sin(climb)
    share = 0.0 if rng.random() < _STEADY else min(float(rng.uniform(0.5, 1.2)), 1.0)
    longest = room / rise if is_vertical else min(room / rise, lane.reach / level)
    way = longest * float(rng.uniform(0.6, 0.95))
    way = min(way, lane.limit * lane.duration / (1 + share) * float(rng.uniform(0.5, 1)))
    lifts_off = is_vertical and share == 1.0
    spare = 0.0 if lifts_off else (room - way * rise) * float(rng.uniform(0.1, 0.9))
    made = {
        "start": lane.at(-way / 2 * level, lane.base + spare),
        "yaw": lane.yaw,
        "climb": climb,
        "lean": math.pi / 2 if lane.is_upright else climb,
    }
    if share == 0.0:
        return Uniform.model_validate({**made, "speed": _rounded(way / lane.duration)})
    speed, acceleration = _gaining(lane, way, share)
    return Accelerated.model_validate({**made, "speed": speed, "acceleration": acceleration})


def braking(rng: np.random.Generator, lane: Lane) -> Motion | None:
    """Slide to a standstill, before the end of the clip or after it."""
    stop, way = lane.duration * float(rng.uniform(0.7, 1.2)), _way(rng, lane)
    way = min(way, lane.push * stop**2 / 2, lane.limit * stop / 2)
    if way < _SHORTEST_STOP * lane.reach:
        return None
    speed, friction = 2 * way / stop, 2 * way / stop**2 / EARTH
    if friction > 1:
        return None
    start = lane.at(-way / 2, lane.base)
    return Braking(
        start=start, yaw=lane.yaw, speed=_rounded(speed), friction=_rounded(friction), gravity=EARTH
    )


def varying(rng: np.random.Generator, lane: Lane) -> Motion | None:
    """Speed up and slow down in turn, never backwards."""
    way, rate = _way(rng, lane), 2 * math.pi * float(rng.uniform(0.5, 0.9)) / lane.duration
    mean_speed = way / lane.duration
    phase = float(rng.uniform(0, 2 * math.pi))
    swing = float(rng.uniform(0.35, 0.6)) * mean_speed * rate
    share = float(rng.uniform(-0.2, 0.2))
    ease = min(1.0, lane.push / (swing + 2 * abs(share) * mean_speed / lane.duration))
    swing, share = ease * swing, ease * share
    return Varying(
        start=lane.at(-way / 2, _level(rng, lane)),
        yaw=lane.yaw,
        roll_radius=lane.roll_radius,
        speed=_rounded((1 - share) * mean_speed - swing / rate * math.cos(phase)),
        mean=_rounded(2 * share * mean_speed / lane.duration),
        swing=_rounded(swing),
        rate=_rounded(rate),
        phase=_rounded(phase),
    )


def projectile(rng: np.random.Generator, lane: Lane) -> Motion | None:
    """Fly up and down, or only down, without touching the ground."""
    room = (lane.top - lane.base) * float(rng.uniform(0.75, 0.95))
    apex = lane.duration * float(rng.uniform(*_LIFT_LIMITS))
    gravity = _gravity(rng, 2 * room / max(apex, lane.duration - apex) ** 2)
    peak = lane.base + room
    way = _way(rng, lane) * float(rng.uniform(0.4, 1.0))
    return Projectile(
        start=lane.at(-way / 2, peak - gravity * apex**2 / 2),
        yaw=lane.yaw,
        speed=_rounded(way / lane.duration),
        lift=_rounded(gravity * apex),
        gravity=gravity,
    )


def falling_time(room: float) -> float:
    """Return how long a flight up and down over some height in m takes on Earth, s."""
    return math.sqrt(max(0.0, 8 * room / EARTH))


def _gravity(rng: np.random.Generator, fitting: float) -> float:
    """Return the Earth's gravity where the fitting one is just a little stronger; else the fitting one."""
    return EARTH if 0 <= fitting - EARTH < 0.35 * EARTH else _rounded(fitting)


def bouncing(rng: np.random.Generator, lane: Lane) -> Motion | None:
    """Fall and bounce; on Earth if the ball reaches the ground soon and not too often."""
    if not lane.is_ball:
        return None
    height = (lane.top - lane.base) * float(rng.uniform(0.7, 0.95))
    earthly = math.sqrt(2 * height / EARTH)
    share = float(rng.uniform(0.3, 0.5))
    gravity = EARTH if 0.16 < earthly / lane.duration < 0.7 else 2 * height / (share * lane.duration) ** 2
    way = _way(rng, lane)
    return Bouncing(
        start=lane.at(-way / 2, lane.base + height),
        yaw=lane.yaw,
        radius=lane.base,
        height=height,
        speed=_rounded(way / lane.duration),
        lift=0.0,
        restitution=round(float(rng.uniform(0.6, 0.85)), 3),
        gravity=_rounded(gravity),
    )


def incline(rng: np.random.Generator, lane: Lane) -> Motion | None:
    """Roll down an incline, perhaps up first."""
    if not lane.is_ball:
        return None
    turn, way = lane.duration * float(rng.uniform(0.0, 0.5)), 0.75 * _way(rng, lane)
    acceleration = 2 * way / max(turn, lane.duration - turn) ** 2
    sine = acceleration * 7 / 5 / EARTH
    if not math.sin(_SLOPES[0]) < sine < math.sin(_SLOPES[1]):
        return None
    slope = math.asin(sine)
    highest = lane.base / math.cos(slope) + 1.06 * way * math.sin(slope)
    if highest > lane.top:
        return None
    below = acceleration * turn**2 / 2
    return Incline(
        start=lane.at(-way / 2 + below * math.cos(slope), highest - below * math.sin(slope)),
        yaw=lane.yaw,
        slope=slope,
        radius=lane.base,
        speed=-acceleration * turn,
        gravity=EARTH,
    )


def pendulum(rng: np.random.Generator, lane: Lane) -> Motion | None:
    """Swing from above the upper edge of the image."""
    length = (lane.top - lane.base) * float(rng.uniform(0.75, 1.0))
    amplitude = float(rng.uniform(0.35, 0.9))
    made = Pendulum(
        start=lane.at(0.0, lane.top + 0.3 * length),
        yaw=lane.yaw,
        length=_rounded(length),
        amplitude=_rounded(min(amplitude, math.asin(min(1.0, 0.5 * lane.reach / length)))),
        phase=float(rng.uniform()),
        gravity=EARTH,
    )
    return made if 0.4 < lane.duration / made.period < 2.5 else None


def orbit(rng: np.random.Generator, lane: Lane) -> Motion | None:
    """Circle upright in the image plane, or level with depth."""
    radius = (lane.top - lane.base) / 2 if lane.is_flat else lane.reach / 2
    radius *= float(rng.uniform(0.7, 0.98))
    turns = float(rng.uniform(0.35, 1.0)) * (1 if rng.random() < 0.5 else -1)
    rate = 2 * math.pi * turns / lane.duration
    highest = min(math.sqrt(lane.turn / radius), lane.limit / radius) if radius > 0 else 0.0
    if highest * lane.duration < 2 * math.pi * _LEAST_TURN:
        return None
    rate = math.copysign(min(abs(rate), highest), rate)
    return Orbit(
        start=lane.at(0.0, (lane.top + lane.base) / 2 if lane.flies else lane.base),
        yaw=lane.yaw,
        radius=_rounded(radius),
        rate=_rounded(rate),
        phase=float(rng.uniform(0, 2 * math.pi)),
        tilt=math.pi / 2 if lane.is_flat else 0.0,
    )


def circling(rng: np.random.Generator, lane: Lane) -> Motion | None:
    """Drive or fly along a level circle, nose first."""
    made = None if lane.is_flat else orbit(rng, lane)
    return made and made.model_copy(update={"nose_first": True})


def _rounded(value: float) -> float:
    """Return a value with five significant digits, so that it can be told in full."""
    return float(f"{value:.5g}")
