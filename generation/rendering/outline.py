"""Few points that stand for whole bodies."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from generation.scene import RigidObject, SceneObject

Float = NDArray[np.float64]


class Outlines:
    """Points whose convex hull is that of a body's vertices, so that their projection has the same extent.

    Args:
        bodies: of which points will be asked; hulls of fixed shapes are computed once.
    """

    def __init__(self, bodies: Iterable[SceneObject]) -> None:
        """Compute the hulls."""
        self._hulls: dict[int, Float] = {}
        for body in bodies:
            if isinstance(body, RigidObject) and id(body.rest) not in self._hulls:
                self._hulls[id(body.rest)] = convex_hull(body.rest.vertices)

    def points(self, body: SceneObject, frame: int) -> Float:
        """Return (N, 3) world points in m."""
        if not isinstance(body, RigidObject):
            return body.mesh_at(frame).vertices
        pose = body.pose_at(frame)
        return np.asarray(self._hulls[id(body.rest)] @ pose[:3, :3].T + pose[:3, 3])


def convex_hull(points: Float) -> Float:
    """Return the corners of the convex hull of (N, 2) or (N, 3) points; in 2D, in order around it."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        return points[ConvexHull(points).vertices]
    except QhullError:  # flat or too few points
        return points
