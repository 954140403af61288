"""The pinhole camera of :class:`generation.scene.Camera`, as numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from generation.scene import Camera

Float = NDArray[np.float64]

UP = (0.0, 0.0, 1.0)


def axes(camera: Camera) -> Float:
    """Return the camera's unit axes in world coordinates, shape (3, 3): rows right, down, forward."""
    forward = np.subtract(camera.target, camera.origin)
    forward /= np.linalg.norm(forward)
    right = np.cross(forward, UP)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(forward, right), forward])


def project(camera: Camera, points: Float) -> Float:
    """Project world points onto the image plane.

    Args:
        camera: the camera.
        points: (N, 3) m, in front of the camera.

    Returns:
        (N, 3): x and y in normalised image coordinates (0 to 1 inside the frame, origin top left, y down),
        and depth along the optical axis in m.
    """
    local = (np.asarray(points, dtype=np.float64) - camera.origin) @ axes(camera).T
    depth = local[:, 2]
    half_width = np.tan(np.radians(camera.fov_x_deg) / 2)
    half_height = half_width * camera.height / camera.width
    x = 0.5 + local[:, 0] / depth / (2 * half_width)
    y = 0.5 + local[:, 1] / depth / (2 * half_height)
    return np.stack([x, y, depth], axis=1)
