"""Tables, cameras and lamps: one constant set a domain."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from generation.rendering.shapes import box
from generation.scene import AreaLight, Camera, Material, RigidObject

_TABLE_SIZE = (0.96, 0.8, 0.03)


@dataclass(frozen=True)
class Stage:
    """Everything in a domain's clips that never changes from clip to clip.

    Attributes:
        wood: texture of the table. gloss: roughness of its varnish, GGX alpha.
        elevation_deg: of the camera above the table, seen from the target.
        distance: camera to target, m. target_y: m. fov_x_deg: horizontal field of view.
        lights, environment: see ``generation.scene``.
    """

    wood: str
    gloss: float
    elevation_deg: float
    distance: float
    target_y: float
    fov_x_deg: float
    lights: tuple[AreaLight, ...]
    environment: tuple[float, float, float]

    def camera(self, width: int, height: int) -> Camera:
        """Return the domain's camera for an image size in pixels."""
        elevation = math.radians(self.elevation_deg)
        y = self.target_y - self.distance * math.cos(elevation)
        origin = (0.0, y, self.distance * math.sin(elevation))
        return Camera(origin, (0.0, self.target_y, 0.0), self.fov_x_deg, width, height)

    def table(self) -> RigidObject:
        """Return the table; its top is z = 0."""
        pose = np.eye(4)
        pose[2, 3] = -_TABLE_SIZE[2] / 2
        material = Material("plastic", roughness=self.gloss, texture=self.wood)
        return RigidObject("table", "prop", material, box(_TABLE_SIZE), pose[None])


_KEY = AreaLight((-0.62, -0.16, 0.95), (0.0, 0.0, 0.0), (0.62, 0.62), (11.4, 9.9, 8.0))
# Stands where the coins mirror it towards the camera, so that flat metal shines and slopes darken.
_CARD = AreaLight((0.10, 0.75, 0.80), (0.0, 0.0, 0.0), (0.95, 0.42), (0.66, 0.66, 0.68))

# Softer and less bright than over the coins: the table is paler.
_LENGTH_KEY = AreaLight((-0.58, -0.45, 1.00), (0.0, 0.0, 0.0), (0.55, 0.55), (17.6, 15.9, 13.3))
# A long lamp overhead draws a highlight along each straw, clear of the table's own mirror direction.
_STRIP = AreaLight((0.0, -0.05, 1.10), (0.0, 0.0, 0.0), (0.9, 0.04), (17.0, 17.0, 17.0))

NUMBER_STAGE = Stage(
    wood="walnut",
    gloss=0.30,
    elevation_deg=58.0,
    distance=0.85,
    target_y=-0.001,
    fov_x_deg=23.0,
    lights=(_KEY, _CARD),
    environment=(0.17, 0.17, 0.175),
)

LENGTH_STAGE = Stage(
    wood="oak",
    gloss=0.30,
    elevation_deg=65.0,
    distance=1.5,
    target_y=-0.002,
    fov_x_deg=15.7,
    lights=(_LENGTH_KEY, _STRIP),
    environment=(0.26, 0.26, 0.265),
)
