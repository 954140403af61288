"""The stages of volume and size: a table before a wall, seen from a little above."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from generation.conservation.stage import Stage
from generation.rendering.shapes import box
from generation.scene import AreaLight, Camera, Material, RigidObject

_WALL_Y = 0.4
_WALL_SIZE = (3.0, 0.02, 2.2)


@dataclass(frozen=True)
class Studio(Stage):
    """A stage with a wall behind the table.

    Attributes:
        target_z: height at which the camera looks, m. wall: linear RGB.
    """

    target_z: float = 0.0
    wall: tuple[float, float, float] = (0.5, 0.5, 0.5)

    def camera(self, width: int, height: int) -> Camera:
        """Return the domain's camera for an image size in pixels."""
        elevation = math.radians(self.elevation_deg)
        y = self.target_y - self.distance * math.cos(elevation)
        z = self.target_z + self.distance * math.sin(elevation)
        return Camera((0.0, y, z), (0.0, self.target_y, self.target_z), self.fov_x_deg, width, height)

    def backdrop(self) -> tuple[RigidObject, ...]:
        """Return table and wall."""
        pose = np.eye(4)
        pose[:3, 3] = 0.0, _WALL_Y + _WALL_SIZE[1] / 2, _WALL_SIZE[2] / 2 - 0.3
        wall = RigidObject("wall", "prop", Material("diffuse", self.wall), box(_WALL_SIZE), pose[None])
        return self.table(), wall


VOLUME_STUDIO = Studio(
    wood="oak",
    gloss=0.35,
    elevation_deg=13.5,
    distance=0.78,
    target_y=0.0,
    target_z=0.083,
    fov_x_deg=22.4,
    wall=(0.62, 0.65, 0.66),
    # Wide lamps: what shines through glass onto the table is noise that falls with their size.
    lights=(
        AreaLight((-0.7, -0.1, 1.0), (0.0, 0.0, 0.03), (1.3, 1.2), (5.6, 5.35, 5.0)),
        AreaLight((1.0, 0.1, 0.5), (0.0, 0.0, 0.06), (0.4, 1.0), (3.0, 3.1, 3.3)),
    ),
    environment=(0.30, 0.31, 0.33),
)

SIZE_STUDIO = Studio(
    wood="oak",
    gloss=0.35,
    elevation_deg=27.0,
    distance=0.64,
    target_y=-0.020,
    target_z=0.018,
    fov_x_deg=21.6,
    wall=(0.55, 0.56, 0.56),
    lights=(
        AreaLight((-0.7, -0.35, 0.95), (0.0, 0.0, 0.0), (0.5, 0.5), (24.0, 22.6, 20.5)),
        AreaLight((1.0, -0.3, 0.5), (0.0, 0.0, 0.03), (0.6, 0.9), (2.2, 2.3, 2.5)),
    ),
    environment=(0.30, 0.31, 0.33),
)
