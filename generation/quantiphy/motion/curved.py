"""Flights, swings and circles, in closed form."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import numpy as np
from pydantic import Field
from scipy.special import ellipj, ellipk, ellipkinc

from generation.quantiphy.motion.model import Motion, Positive, Trajectory, facing, turned_about_z
from generation.scene import Float

_UP = np.array([0.0, 0.0, 1.0])


class Projectile(Motion):
    """Free flight without air.

    Attributes:
        speed: horizontal, along the heading, m/s. lift: vertical speed at t = 0, m/s. gravity: m/s^2.
    """

    motion: Literal["projectile"] = "projectile"
    speed: float
    lift: float
    gravity: Positive

    def trajectory(self, times: Float) -> Trajectory:
        """Return the states at times (T,), in s, from 0 on."""
        launch = self.speed * self.heading + self.lift * _UP
        fall = -self.gravity * _UP
        t = times[:, None]
        return Trajectory(
            times,
            np.asarray(self.start) + (launch + fall * t / 2) * t,
            launch + fall * t,
            np.tile(fall, (len(times), 1)),
            facing(self.yaw, np.zeros_like(times)),
        )


class Pendulum(Motion):
    """A bob on a massless rod, exact at any amplitude; ``start`` is the pivot.

    Attributes:
        length: pivot to the bob's origin, m. amplitude: largest angle from the vertical, radians, < pi.
        phase: share of a period that has passed at t = 0 since the bob hung straight down, heading forward.
        gravity: m/s^2.
    """

    motion: Literal["pendulum"] = "pendulum"
    length: Positive
    amplitude: Annotated[float, Field(gt=0, lt=math.pi)]
    phase: float
    gravity: Positive

    @property
    def period(self) -> float:
        """Time of a full swing, s."""
        return 4 * float(ellipk(self._parameter)) * math.sqrt(self.length / self.gravity)

    @property
    def _parameter(self) -> float:
        return math.sin(self.amplitude / 2) ** 2

    def angles(self, times: Float) -> tuple[Float, Float, Float]:
        """Return angle from the vertical and its two derivatives (radians, s), each (T,)."""
        rate, modulus = math.sqrt(self.gravity / self.length), math.sqrt(self._parameter)
        quarter = float(ellipkinc(math.pi / 2, self._parameter))
        sn, cn, _, _ = ellipj(rate * times + 4 * quarter * self.phase, self._parameter)
        angle = 2 * np.arcsin(modulus * sn)
        return angle, 2 * modulus * rate * cn, -(rate**2) * np.sin(angle)

    def trajectory(self, times: Float) -> Trajectory:
        """Return the states at times (T,), in s, from 0 on; the bob turns with its rod."""
        angle, turn, spin_up = self.angles(times)
        outward = np.sin(angle)[:, None] * self.heading - np.cos(angle)[:, None] * _UP
        forward = np.cos(angle)[:, None] * self.heading + np.sin(angle)[:, None] * _UP
        return Trajectory(
            times,
            np.asarray(self.start) + self.length * outward,
            self.length * turn[:, None] * forward,
            self.length * (spin_up[:, None] * forward - (turn**2)[:, None] * outward),
            facing(self.yaw, -angle),
        )


class Orbit(Motion):
    """A circle at constant speed; ``start`` is its centre.

    Attributes:
        radius: m. rate: rad/s, its sign the sense of turning. phase: angle from the heading at t = 0,
            radians.
        tilt: of the circle's plane about the heading, radians: 0 is horizontal, pi/2 stands upright.
        nose_first: the thing faces the way it goes, about the vertical; else it keeps its heading.
    """

    motion: Literal["orbit"] = "orbit"
    radius: Positive
    rate: float
    phase: float
    tilt: float
    nose_first: bool = False

    def trajectory(self, times: Float) -> Trajectory:
        """Return the states at times (T,), in s, from 0 on."""
        side = np.array([-math.sin(self.yaw), math.cos(self.yaw), 0.0])
        across = math.cos(self.tilt) * side + math.sin(self.tilt) * _UP
        angle = self.rate * times + self.phase
        outward = np.cos(angle)[:, None] * self.heading + np.sin(angle)[:, None] * across
        forward = np.cos(angle)[:, None] * across - np.sin(angle)[:, None] * self.heading
        turned = self.yaw + angle + math.copysign(math.pi / 2, self.rate)
        return Trajectory(
            times,
            np.asarray(self.start) + self.radius * outward,
            self.radius * self.rate * forward,
            -self.radius * self.rate**2 * outward,
            turned_about_z(turned if self.nose_first else np.full_like(times, self.yaw)),
        )
