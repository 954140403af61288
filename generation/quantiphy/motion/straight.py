"""Motion along a straight line, in closed form."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from generation.quantiphy.motion.model import Motion, Positive, Trajectory, facing
from generation.scene import Float

Profile = tuple[Float, Float, Float]


class Straight(Motion):
    """Motion along the line from ``start``.

    Attributes:
        climb: angle of the line above the horizontal, radians; the thing's nose points along the line.
        lean: radians by which its nose points lower than that: ``climb`` for what stays level, pi/2 for what
            has its nose on top.
        roll_radius: m; the thing turns as a wheel of this radius would. 0: it doesn't turn.
    """

    climb: float = 0.0
    lean: float = 0.0
    roll_radius: Annotated[float, Field(ge=0)] = 0.0

    @abstractmethod
    def profile(self, times: Float) -> Profile:
        """Return way (m), speed (m/s) and acceleration (m/s^2) along the line, each (T,)."""

    def jumps(self) -> tuple[float, ...]:
        """Return the times in s at which the acceleration jumps."""
        return ()

    def trajectory(self, times: Float) -> Trajectory:
        """Return the states at times (T,), in s, from 0 on."""
        along = math.cos(self.climb) * self.heading + np.array([0.0, 0.0, math.sin(self.climb)])
        way, speed, acceleration = self.profile(times)
        pitching = way / self.roll_radius if self.roll_radius else np.zeros_like(way)
        return Trajectory(
            times,
            np.asarray(self.start) + way[:, None] * along,
            speed[:, None] * along,
            acceleration[:, None] * along,
            facing(self.yaw, pitching - self.climb + self.lean),
            self.jumps(),
        )


class Standing(Straight):
    """No motion at all."""

    motion: Literal["standing"] = "standing"

    def profile(self, times: Float) -> Profile:
        """Return zeros."""
        return np.zeros_like(times), np.zeros_like(times), np.zeros_like(times)


class Uniform(Straight):
    """Constant velocity; ``speed`` in m/s."""

    motion: Literal["uniform"] = "uniform"
    speed: Positive

    def profile(self, times: Float) -> Profile:
        """Return way, speed and acceleration, each (T,)."""
        return self.speed * times, np.full_like(times, self.speed), np.zeros_like(times)


class Accelerated(Straight):
    """Constant acceleration (m/s^2) from an initial speed (m/s); either may be negative."""

    motion: Literal["accelerated"] = "accelerated"
    speed: float
    acceleration: float

    def profile(self, times: Float) -> Profile:
        """Return way, speed and acceleration, each (T,)."""
        way = (self.speed + self.acceleration * times / 2) * times
        return way, self.speed + self.acceleration * times, np.full_like(times, self.acceleration)


class Braking(Straight):
    """Sliding friction brings the thing to rest, exactly, where it stays.

    Attributes:
        speed: at t = 0, m/s. friction: coefficient of sliding friction. gravity: m/s^2.
    """

    motion: Literal["braking"] = "braking"
    speed: Positive
    friction: Positive
    gravity: Positive

    @property
    def deceleration(self) -> float:
        """What friction does while the thing slides, m/s^2."""
        return self.friction * self.gravity

    @property
    def stop_time(self) -> float:
        """When it comes to rest, s."""
        return self.speed / self.deceleration

    def profile(self, times: Float) -> Profile:
        """Return way, speed and acceleration, each (T,); all but the way are 0 from the stop on."""
        is_sliding = times < self.stop_time
        clipped = np.minimum(times, self.stop_time)
        way = (self.speed - self.deceleration * clipped / 2) * clipped
        speed = np.where(is_sliding, self.speed - self.deceleration * clipped, 0.0)
        return way, speed, np.where(is_sliding, -self.deceleration, 0.0)

    def jumps(self) -> tuple[float, ...]:
        """Return the time of the stop."""
        return (self.stop_time,)


class Varying(Straight):
    """Acceleration a(t) = mean + swing * sin(rate * t + phase).

    Attributes:
        speed: at t = 0, m/s. mean, swing: m/s^2. rate: rad/s. phase: radians.
    """

    motion: Literal["varying"] = "varying"
    speed: float
    mean: float
    swing: float
    rate: Positive
    phase: float

    def profile(self, times: Float) -> Profile:
        """Return way, speed and acceleration, each (T,)."""
        angle = self.rate * times + self.phase
        gain = self.swing / self.rate
        base = self.speed + gain * math.cos(self.phase)
        way = (base + self.mean * times / 2) * times
        way = way - gain / self.rate * (np.sin(angle) - math.sin(self.phase))
        return way, base + self.mean * times - gain * np.cos(angle), self.mean + self.swing * np.sin(angle)
