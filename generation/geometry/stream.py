"""A stream of falling liquid: from a vessel's mouth to a level below, with an exact volume.

Each drop leaves the mouth horizontally and falls freely. What left in a short time fills the cross-section
that its flow needs at its speed, so the stream thins as it gains speed, and breaks off as the flow ends.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from generation.geometry.solid import vertex_normals, volume
from generation.scene import Float, Int, Mesh

GRAVITY = 9.81
_RINGS = 56
_SIDES = 40
# Ages, s, over which the cross-section turns from the mouth's into a circle, perpendicular to the fall.
_ROUNDING = 0.060
_TURNING = 0.040
# Between stream and liquid, m: less than a pixel, and more than a renderer skips when a ray leaves a surface.
GAP = 0.0003


@dataclass(frozen=True)
class Mouth:
    """Where the stream leaves: the part of a vessel's mouth that lies below the liquid's level.

    Attributes:
        lip: (3,) lowest point, m. azimuth: direction of the pour in the table's plane, radians.
        tilt: of the vessel, radians. head: height of the level above the lip, measured in the mouth, m.
        area: of the part below the level, m^2.
    """

    lip: Float
    azimuth: float
    tilt: float
    head: float
    area: float


def fall(mouth: Mouth, speed: float, age: Float) -> Float:
    """Return where the middle of the liquid that left ``age`` seconds ago is: (..., 3) m."""
    ahead = np.array([np.cos(mouth.azimuth), np.sin(mouth.azimuth), 0.0])
    inward = -np.cos(mouth.tilt) * ahead + np.array([0, 0, np.sin(mouth.tilt)])
    axis = np.sin(mouth.tilt) * ahead + np.array([0, 0, np.cos(mouth.tilt)])
    start = mouth.lip + 0.6 * mouth.head * inward + GAP * axis
    age = np.asarray(age)[..., None]
    return start + speed * age * ahead - GRAVITY / 2 * age**2 * np.array([0.0, 0.0, 1.0])


def fall_time(mouth: Mouth, speed: float, height: float) -> float:
    """Return the age in s at which the middle of the stream passes a height in m below the mouth."""
    start = float(fall(mouth, speed, np.array(0.0))[2])
    return float(np.sqrt(2 * max(start - height, 0.0) / GRAVITY))


def stream(
    mouth: Mouth, speed: float, flow: Callable[[Float], Float], ages: tuple[float, float], amount: float
) -> Mesh:
    """Return the closed mesh of what left the mouth between two ages ago.

    Args:
        mouth: where from. speed: horizontal, m/s.
        flow: m^3/s that left at an age, s.
        ages: of the youngest and the oldest liquid in the stream.
        amount: m^3 that the mesh shall hold, to rounding.
    """
    if amount <= 0 or ages[1] <= ages[0]:
        return absent(mouth.lip)
    age = np.linspace(*ages, _RINGS)
    centres = fall(mouth, speed, age)
    pace = np.hypot(speed, GRAVITY * age)
    width = np.sqrt(np.maximum(flow(age), 0) / pace)
    outline = _outlines(mouth, speed, age) * np.maximum(width, 1e-6)[:, None, None]

    def closed(scale: float) -> Mesh:
        rings = centres[:, None] + scale * outline
        vertices = np.concatenate([rings.reshape(-1, 3), centres[[0, -1]]])
        return Mesh(vertices, _FACES)

    scale = brentq(lambda s: volume(closed(s)) - amount, 0.1, 10.0, xtol=1e-15, rtol=1e-14)
    mesh = closed(scale)
    return Mesh(mesh.vertices, mesh.faces, vertex_normals(mesh.vertices, mesh.faces))


def absent(place: Float) -> Mesh:
    """Return a stream of no size, with the topology of all others."""
    count = _RINGS * _SIDES + 2
    return Mesh(np.tile(place, (count, 1)), _FACES, np.tile([0.0, 0.0, 1.0], (count, 1)))


def _outlines(mouth: Mouth, speed: float, age: Float) -> Float:
    """Return cross-sections of unit area around the origin: (K, S, 3)."""
    ahead = np.array([np.cos(mouth.azimuth), np.sin(mouth.azimuth), 0.0])
    left = np.array([-np.sin(mouth.azimuth), np.cos(mouth.azimuth), 0.0])
    descent = np.arctan2(GRAVITY * age, speed)
    turned = _ease(age / _TURNING)
    # The flow's direction, measured downwards: along the vessel's axis at first, straight down at the end.
    angle = (1 - turned) * (mouth.tilt - np.pi / 2) + turned * descent
    landing = _ease((age - age[0]) / max(age[-1] - age[0], 1e-9) * 6 - 5)
    angle = (1 - landing) * angle + landing * np.pi / 2
    across = np.sin(angle)[:, None] * ahead + np.cos(angle)[:, None] * np.array([0.0, 0.0, 1.0])
    rounded = _ease(age / _ROUNDING)[:, None, None]
    flat = (1 - rounded) * _segment(mouth) + rounded * _circle()
    flat = flat / np.sqrt(_area(flat))[:, None, None]
    return flat[..., :1] * left + flat[..., 1:] * across[:, None]


def _ease(x: Float) -> Float:
    x = np.clip(x, 0.0, 1.0)
    return x * x * (3 - 2 * x)


def _turn() -> Float:
    return 2 * np.pi * (np.arange(_SIDES) + 0.5) / _SIDES


def _circle() -> Float:
    return np.stack([np.cos(_turn()), np.sin(_turn())], axis=1) / np.sqrt(np.pi)


def _segment(mouth: Mouth) -> Float:
    """Return a parabolic segment, wide and high as the mouth's, of unit area: (S, 2) sideways and inwards."""
    half = 0.75 * mouth.area / mouth.head if mouth.head > 0 else 1.0
    head = mouth.head or 1.0
    side = np.cos(_turn())
    # The upper edge bulges a little, so that it isn't a crease.
    edge = np.where(np.sin(_turn()) > 0, 0.05 * np.sin(_turn()), side**2 - 1)
    points = np.stack([half * side, head * (edge + 0.4)], axis=1)
    return np.asarray(points / np.sqrt(_area(points[None])[0]))


def _area(outlines: Float) -> Float:
    x, y = outlines[..., 0], outlines[..., 1]
    return np.asarray((x * np.roll(y, -1, -1) - np.roll(x, -1, -1) * y).sum(-1) / 2)


def _faces() -> Int:
    index = np.arange(_RINGS * _SIDES).reshape(_RINGS, _SIDES)
    after = np.roll(index, -1, axis=1)
    first, last = _RINGS * _SIDES, _RINGS * _SIDES + 1
    sides = [
        np.stack([index[:-1], after[1:], index[1:]], axis=2).reshape(-1, 3),
        np.stack([index[:-1], after[:-1], after[1:]], axis=2).reshape(-1, 3),
    ]
    start = np.stack([np.full(_SIDES, first), after[0], index[0]], axis=1)
    end = np.stack([np.full(_SIDES, last), index[-1], after[-1]], axis=1)
    return np.concatenate([*sides, start, end])


_FACES = _faces()
