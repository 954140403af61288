"""Rolling down an incline, bouncing and colliding: contact motions in a vertical plane."""

from __future__ import annotations

import math
from abc import abstractmethod
from functools import lru_cache
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from generation.quantiphy.motion.contact import COARSE, FINE, ROLLING_FRICTION, Body, States, Touch, simulate
from generation.quantiphy.motion.model import Motion, Positive, Trajectory, facing
from generation.scene import Float

# A speed that changes by more than this share of the fastest, beyond what gravity does, is a push.
_PUSH = 2e-3


class _InPlane(Motion):
    """A motion in the vertical plane of its heading."""

    def trajectory(self, times: Float) -> Trajectory:
        """Return the states at times (T,), in s, evenly spaced from 0 on."""
        return self._simulated(times, FINE)

    def preview(self, times: Float) -> Trajectory:
        """Return about the same, quickly."""
        return self._simulated(times, COARSE)

    @abstractmethod
    def _simulated(self, times: Float, longest: float) -> Trajectory:
        """Return the states at times (T,), with time steps of at most ``longest`` s."""

    def placed(self, states: States, times: Float, events: tuple[float, ...]) -> Trajectory:
        """Return states in the plane, relative to ``start`` at t = 0, as a trajectory in the world."""
        base = np.array([self.heading, [0.0, 0.0, 1.0]])
        shift = states.position[:, :2] - states.position[0, :2]
        return Trajectory(
            times,
            np.asarray(self.start) + shift @ base,
            states.velocity[:, :2] @ base,
            states.acceleration[:, :2] @ base,
            facing(self.yaw, states.position[:, 2]),
            events,
        )


class Incline(_InPlane):
    """A solid ball rolls down an incline that falls along the heading, without slipping.

    Attributes:
        slope: radians. radius: m. speed: along the incline at t = 0, m/s, negative is upwards.
        gravity: m/s^2.
    """

    motion: Literal["incline"] = "incline"
    slope: Annotated[float, Field(gt=0, lt=math.pi / 3)]
    radius: Positive
    speed: float
    gravity: Positive

    def _simulated(self, times: Float, longest: float) -> Trajectory:
        along = self.speed * math.cos(self.slope), -self.speed * math.sin(self.slope)
        rest = self.radius * math.sin(self.slope), self.radius * math.cos(self.slope)
        body = Body((self.radius,), 1.0, *rest, (*along, self.speed / self.radius))
        touch = Touch(("floor", "body0"), 0.0, ROLLING_FRICTION)
        return self.placed(simulate([body], [touch], self.gravity, self.slope, times, longest)[0], times, ())


class Bouncing(_InPlane):
    """A ball falls onto a level floor and bounces, without friction or spin.

    Attributes:
        radius: m. height: of its lowest point above the floor at t = 0, m. speed: horizontal, m/s.
        lift: vertical speed at t = 0, m/s. restitution: share of the vertical speed that a bounce leaves.
        gravity: m/s^2.
    """

    motion: Literal["bouncing"] = "bouncing"
    radius: Positive
    height: Positive
    speed: float
    lift: float
    restitution: Annotated[float, Field(gt=0.1, lt=1)]
    gravity: Positive

    def _simulated(self, times: Float, longest: float) -> Trajectory:
        body = Body((self.radius,), 1.0, 0.0, self.radius + self.height, (self.speed, self.lift, 0.0))
        touch = Touch(("floor", "body0"), self.restitution)
        states = simulate([body], [touch], self.gravity, 0.0, times, longest)[0]
        return self.placed(states, times, pushes(states, times, self.gravity))


class Collision(_InPlane):
    """A body of two that collide on a level floor; ``start`` is that of this body.

    Attributes:
        half_sizes: of both: (radius,) of a ball that rolls, (half length, half height) of a box that
            slides, m.
        masses: kg. places: along the heading at t = 0, m. speeds: along the heading at t = 0, m/s.
        which: this body, 0 or 1. restitution: between them. gravity: m/s^2.
    """

    motion: Literal["collision"] = "collision"
    half_sizes: tuple[tuple[Positive, ...], tuple[Positive, ...]]
    masses: tuple[Positive, Positive]
    places: tuple[float, float]
    speeds: tuple[float, float]
    which: Literal[0, 1]
    restitution: Annotated[float, Field(gt=0, lt=1)]
    gravity: Positive

    def _simulated(self, times: Float, longest: float) -> Trajectory:
        states = _collided(
            self.half_sizes,
            self.masses,
            self.places,
            self.speeds,
            self.restitution,
            self.gravity,
            tuple(times),
            longest,
        )
        events = sorted({event for state in states for event in pushes(state, times, self.gravity)})
        return self.placed(states[self.which], times, tuple(events))


@lru_cache(maxsize=4)
def _collided(
    half_sizes: tuple[tuple[float, ...], tuple[float, ...]],
    masses: tuple[float, float],
    places: tuple[float, float],
    speeds: tuple[float, float],
    restitution: float,
    gravity: float,
    times: tuple[float, ...],
    longest: float,
) -> list[States]:
    """Simulate both bodies once for the two of them."""
    bodies = []
    for sizes, mass, place, speed in zip(half_sizes, masses, places, speeds, strict=True):
        spin = speed / sizes[0] if len(sizes) == 1 else 0.0
        bodies.append(Body(sizes, mass, place, sizes[-1], (speed, 0.0, spin)))
    touches = [Touch(("body0", "body1"), restitution)]
    floors = [Touch(("floor", f"body{k}"), 0.0, ROLLING_FRICTION) for k, b in enumerate(bodies) if b.is_ball]
    return simulate(bodies, touches + floors, gravity, 0.0, np.array(times), longest)


def pushes(states: States, times: Float, gravity: float) -> tuple[float, ...]:
    """Return the middles of frame intervals, in s, over which something else than gravity changed the speed.

    A body at rest on the floor isn't pushed.
    """
    change = np.diff(states.velocity[:, :2], axis=0)
    steps = np.diff(times)
    falls = states.acceleration[:, 1] < -gravity / 2
    is_falling = falls[:-1] & falls[1:]
    change[:, 1] += np.where(is_falling, gravity * steps, 0.0)
    fastest = max(float(np.abs(states.velocity[:, :2]).max()), 1e-9)
    is_pushed = np.abs(change).max(axis=1) > _PUSH * fastest
    return tuple(float(t) for t in (times[:-1] + steps / 2)[is_pushed])
