"""The camera as a Mitsuba sensor, whole or in part."""

from __future__ import annotations

import math
from typing import Any

from generation.rendering.camera import UP
from generation.rendering.variant import activate
from generation.rendering.window import Window, whole
from generation.scene import Camera


def make_sensor(camera: Camera, window: Window | None = None, sampler: str = "multijitter") -> Any:
    """Return a Mitsuba sensor for the whole image, or for a window of it."""
    mi = activate()
    part = window or whole(camera)
    return mi.load_dict(
        {
            "type": "perspective",
            "fov": camera.fov_x_deg,
            "fov_axis": "x",
            "near_clip": 0.01,
            "far_clip": _far(camera),
            "to_world": mi.ScalarTransform4f().look_at(
                origin=list(camera.origin), target=list(camera.target), up=list(UP)
            ),
            "film": {
                "type": "hdrfilm",
                "width": camera.width,
                "height": camera.height,
                "crop_offset_x": part.x,
                "crop_offset_y": part.y,
                "crop_width": part.width,
                "crop_height": part.height,
                "pixel_format": "rgb",
                "component_format": "float32",
                # Only the box filter gives the same bits for any number of threads.
                "rfilter": {"type": "box"},
            },
            "sampler": {"type": sampler},
        }
    )


def _far(camera: Camera) -> float:
    """Return the distance in m beyond which nothing is seen; what is filmed from near keeps its bits."""
    distance = math.dist(camera.origin, camera.target)
    return 100.0 if distance <= 20.0 else 100.0 * distance
