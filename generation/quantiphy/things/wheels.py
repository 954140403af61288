"""Wheels, their axles along y."""

from __future__ import annotations

import numpy as np

from generation.geometry.lofts import rod
from generation.geometry.placing import moved, turned
from generation.quantiphy.things.kit import Kit
from generation.quantiphy.things.paints import RUBBER, STEEL
from generation.rendering.shapes import lathe
from generation.scene import Material, Mesh

_TYRE = np.array([[0, -0.42], [0.60, -0.42], [0.68, -0.5], [0.90, -0.5], [0.98, -0.40], [1.0, -0.28]])


def add_wheel(
    kit: Kit, x: float, y: float, z: float, diameter: float, width: float, rim: Material = STEEL
) -> None:
    """Add a car's wheel around (x, y, z)."""
    kit.add(RUBBER, moved(_solid(np.vstack([_TYRE, _TYRE[::-1] * [1, -1]]), diameter, width), x, y, z))
    disc = np.array(
        [[0, -0.46], [0.2, -0.46], [0.24, -0.43], [0.50, -0.425], [0.55, -0.47], [0.58, -0.47], [0.58, -0.40]]
    )
    kit.add(rim, moved(_solid(np.vstack([disc, disc[::-1] * [1, -1]]), diameter, width), x, y, z))


def _solid(profile: np.ndarray, diameter: float, width: float) -> Mesh:
    """Return a wheel's body from a profile in radii and widths."""
    return turned(lathe(profile * [diameter / 2, width], 32), "x", 90)


def hoop(diameter: float, thickness: float, segments: int = 48, sides: int = 8) -> Mesh:
    """Return a ring of round section about the y axis, its outer diameter given."""
    angle = 2 * np.pi * np.arange(sides) / sides
    radius = thickness / 2
    profile = np.stack([diameter / 2 - radius + radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    return turned(lathe(profile, segments, loop=True), "x", 90)


def spokes(diameter: float, radius: float, count: int) -> tuple[Mesh, ...]:
    """Return thin rods through the centre of a wheel about y."""
    angles = np.pi * np.arange(count) / count
    reach = diameter / 2
    return tuple(
        rod(
            (-reach * np.cos(a), 0.0, -reach * np.sin(a)),
            (reach * np.cos(a), 0.0, reach * np.sin(a)),
            radius,
            6,
        )
        for a in angles
    )
