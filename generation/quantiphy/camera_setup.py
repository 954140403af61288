"""Where the camera stands: level before a plane of motion, or looking down a little on ways into depth."""

from __future__ import annotations

import math

import numpy as np

from generation.core.records import StrictModel
from generation.scene import Camera

# A long lens keeps thick things flat: their near sides look little larger than their middles.
_FLAT_FOV, _DEEP_FOV = (15.0, 20.0), (20.0, 27.0)
_FLAT_GROUND, _DEEP_GROUND = (0.14, 0.26), (0.22, 0.32)
# Hardly above things, lest their tops add to their heights in the image.
_DEEP_PITCH = (0.0, 2.0)


class CameraParams(StrictModel):
    """How the camera looks at the stage.

    Attributes:
        field_width: width of what the image shows at the depth of the world's origin, m.
        fov_x_deg: horizontal field of view. pitch_deg: how far down it looks; 0 in 2D, where
            the image plane is upright.
        ground_share: the ground at the origin appears this far up from the lower edge, in image heights.
    """

    field_width: float
    fov_x_deg: float
    pitch_deg: float
    ground_share: float

    @property
    def distance(self) -> float:
        """From the camera to the middle of the image at the origin's depth, m."""
        return self.field_width / (2 * math.tan(math.radians(self.fov_x_deg) / 2))

    def field_height(self, width: int, height: int) -> float:
        """Return the height of what an image of some pixels shows at the origin's depth, m."""
        return self.field_width * height / width

    def camera(self, width: int, height: int) -> Camera:
        """Return the camera for an image size in pixels."""
        middle = (0.5 - self.ground_share) * self.field_height(width, height)
        pitch = math.radians(self.pitch_deg)
        origin = (0.0, -self.distance * math.cos(pitch), middle + self.distance * math.sin(pitch))
        return Camera(origin, (0.0, 0.0, middle), self.fov_x_deg, width, height)


def draw_camera(rng: np.random.Generator, field_width: float, *, is_3d: bool) -> CameraParams:
    """Draw a camera that shows a width in m at the origin's depth."""
    fov, ground = (_DEEP_FOV, _DEEP_GROUND) if is_3d else (_FLAT_FOV, _FLAT_GROUND)
    return CameraParams(
        field_width=round(field_width, 4),
        fov_x_deg=round(float(rng.uniform(*fov)), 2),
        pitch_deg=round(float(rng.uniform(*_DEEP_PITCH)), 2) if is_3d else 0.0,
        ground_share=round(float(rng.uniform(*ground)), 3),
    )
