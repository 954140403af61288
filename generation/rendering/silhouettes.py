"""Where bodies lie in the image, and which frames show the same."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from generation.rendering.camera import project
from generation.scene import Mesh, RigidObject, Scene, SceneObject

Float = NDArray[np.float64]

# Subdivision of pixels where outlines are drawn, so that none is missed that they touch.
_FINER = 3
# Faces smaller than this, relative to the largest, only keep a mesh's topology.
_NO_AREA = 1e-9


class Silhouettes:
    """The convex outlines of objects in the image, at every frame, and of a backdrop that moves.

    A body is asked for each frame's mesh once, because some take long to make it.

    Args:
        scene: the scene; no object reaches behind the camera.

    Attributes:
        fingerprints: one digest per frame, equal exactly where all bodies are equal.
    """

    def __init__(self, scene: Scene) -> None:
        """Go through all frames."""
        self._camera = scene.camera
        self._rest_hulls: dict[int, Float] = {}
        self._polygons: dict[str, list[Float]] = {}
        self._states: dict[str, list[bytes]] = {}
        digests = [hashlib.sha256() for _ in range(scene.num_frames)]
        for body in (*(b for b in scene.backdrop if not b.is_static), *scene.objects):
            polygons, states = [], []
            for frame in range(1 if body.is_static else scene.num_frames):
                points, state = self._seen(body, frame)
                polygons.append(_hull(project(scene.camera, points)[:, :2]))
                states.append(hashlib.sha256(state).digest())
                if not body.is_static:
                    digests[frame].update(states[-1])
            self._polygons[body.object_id], self._states[body.object_id] = polygons, states
        self.fingerprints = [digest.digest() for digest in digests]

    def _seen(self, body: SceneObject, frame: int) -> tuple[Float, bytes]:
        """Return points with the body's extent, and all that tells its look at this frame from others."""
        if not isinstance(body, RigidObject):
            mesh = body.mesh_at(frame)
            return _extent(mesh), _bytes(mesh)
        if id(body.rest) not in self._rest_hulls:
            self._rest_hulls[id(body.rest)] = _hull(body.rest.vertices)
        pose = body.pose_at(frame)
        points = self._rest_hulls[id(body.rest)] @ pose[:3, :3].T + pose[:3, 3]
        return points, np.ascontiguousarray(pose).tobytes()

    def polygon(self, body: SceneObject, frame: int) -> Float:
        """Return the corners of a body's convex outline in normalised image coordinates, (N, 2), in order."""
        polygons = self._polygons[body.object_id]
        return polygons[frame if len(polygons) > 1 else 0]

    def box(self, body: SceneObject, frame: int) -> tuple[float, float, float, float]:
        """Return the tight normalised box of a body's faces, not clipped; a point if none has area."""
        polygon = self.polygon(body, frame)
        (left, top), (right, bottom) = polygon.min(axis=0), polygon.max(axis=0)
        return float(left), float(top), float(right), float(bottom)

    def moves(self, body: SceneObject, frame: int) -> bool:
        """Tell whether a body differs from what it was one frame before."""
        states = self._states[body.object_id]
        return len(states) > 1 and frame > 0 and states[frame] != states[frame - 1]

    def has_moved(self, body: SceneObject, frame: int) -> bool:
        """Tell whether a body differs from what it was at frame 0."""
        states = self._states[body.object_id]
        return len(states) > 1 and states[frame] != states[0]

    def mask(self, bodies: Iterable[SceneObject], *frames: int) -> NDArray[np.bool_]:
        """Return the pixels that the outlines of some bodies touch at some frames, hidden or not, (H, W)."""
        width, height = self._camera.width, self._camera.height
        canvas = Image.new("L", (width * _FINER, height * _FINER))
        draw = ImageDraw.Draw(canvas)
        for body, frame in itertools.product(bodies, frames):
            corners = np.floor(self.polygon(body, frame) * canvas.size)
            if len(corners) > 1:
                draw.polygon(corners.ravel().tolist(), fill=1, outline=1)
        # Lines are drawn up to a fine pixel off: each pixel looks at one more on all sides.
        fine = np.pad(np.asarray(canvas, dtype=bool), 1)
        rows = np.logical_or.reduce([fine[k : k + height * _FINER : _FINER] for k in range(_FINER + 2)])
        columns = [rows[:, k : k + width * _FINER : _FINER] for k in range(_FINER + 2)]
        return np.asarray(np.logical_or.reduce(columns))


def _extent(mesh: Mesh) -> Float:
    """Return the corners of a mesh's faces that have area; a single point if none has."""
    corners = mesh.vertices[mesh.faces]
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    is_real = areas > _NO_AREA * areas.max(initial=0.0)
    if not is_real.any():
        return mesh.vertices.mean(axis=0, keepdims=True)
    return np.asarray(mesh.vertices[np.unique(mesh.faces[is_real])])


def _hull(points: Float) -> Float:
    """Return the corners of the convex hull of (N, 2) or (N, 3) points; in 2D, in order around it."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        return points[ConvexHull(points).vertices]
    except QhullError:  # flat, or a single point
        return points


def _bytes(mesh: Mesh) -> bytes:
    normals = b"" if mesh.normals is None else np.ascontiguousarray(mesh.normals).tobytes()
    return np.ascontiguousarray(mesh.vertices).tobytes() + normals
