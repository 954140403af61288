"""What a motion is: parameters that are saved, and the states that follow from them."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from pydantic import Field

from generation.core.records import StrictModel
from generation.scene import Float

Point = tuple[float, float, float]
Positive = Annotated[float, Field(gt=0)]


@dataclass(frozen=True)
class Trajectory:
    """The states of a thing's origin, in world coordinates.

    Attributes:
        times: (T,) s. position, velocity, acceleration: (T, 3) in m, m/s, m/s^2. rotation: (T, 3, 3), own
            frame to world.
        events: times in s, at which velocity or acceleration jumps (contact, standstill).
    """

    times: Float
    position: Float
    velocity: Float
    acceleration: Float
    rotation: Float
    events: tuple[float, ...] = ()

    @property
    def poses(self) -> Float:
        """The (T, 4, 4) own-frame-to-world matrices."""
        poses = np.tile(np.eye(4), (len(self.times), 1, 1))
        poses[:, :3, :3], poses[:, :3, 3] = self.rotation, self.position
        return poses


class Motion(StrictModel):
    """Parameters of a motion; subclasses say which.

    Attributes:
        start: the origin of the thing at t = 0, m (for swinging and circling: what it moves about).
        yaw: of the heading about the vertical, radians; 0 is +x (right), pi/2 is +y (away from the camera).
    """

    start: Point
    yaw: float = 0.0

    @property
    def heading(self) -> Float:
        """The horizontal unit vector of the way it goes, shape (3,)."""
        return np.array([math.cos(self.yaw), math.sin(self.yaw), 0.0])

    @abstractmethod
    def trajectory(self, times: Float) -> Trajectory:
        """Return the states at times (T,), in s, from 0 on."""

    def preview(self, times: Float) -> Trajectory:
        """Return about the same as :meth:`trajectory`, quickly."""
        return self.trajectory(times)


def turned_about_z(angles: Float) -> Float:
    """Return the (T, 3, 3) rotations about the vertical by angles (T,) in radians."""
    return _turned(angles, (0, 1))


def turned_about_y(angles: Float) -> Float:
    """Return the (T, 3, 3) rotations about +y: a thing that rolls towards +x has a growing angle."""
    return _turned(angles, (2, 0))


def _turned(angles: Float, plane: tuple[int, int]) -> Float:
    first, second = plane
    rotations = np.tile(np.eye(3), (len(angles), 1, 1))
    cosine, sine = np.cos(angles), np.sin(angles)
    rotations[:, first, first], rotations[:, second, second] = cosine, cosine
    rotations[:, second, first], rotations[:, first, second] = sine, -sine
    return rotations


def facing(yaw: float, pitching: Float) -> Float:
    """Return the (T, 3, 3) rotations of a thing that heads along ``yaw``, pitched about its own +y (T,)."""
    return turned_about_z(np.array([yaw])) @ turned_about_y(pitching)
