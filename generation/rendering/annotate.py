"""Per-frame poses, boxes and visibility, from the scene and not from pixels."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generation.core.records import FrameRecord, ObjectState
from generation.rendering.camera import bounding_box
from generation.rendering.mitsuba_scene import Group, MitsubaScene, geometry_fingerprints
from generation.rendering.variant import activate
from generation.scene import Mesh, Scene, SceneObject

Float = NDArray[np.float64]
Int = NDArray[np.int64]

_SAMPLES = 256
# A hit this close in front of a sample, relative to the camera's distance, is on the same surface.
_SAME_DEPTH = 1e-4
_DIGITS = 6


def annotate(scene: Scene) -> tuple[FrameRecord, ...]:
    """Return where each object is, in space and in the image, and how much of it shows, at every frame.

    Objects come in scene order; the backdrop hides but is not listed. Numbers are rounded to 6 decimals.

    Returns:
        T records.
    """
    sight = _Sight(scene)
    records = []
    for frame in range(scene.num_frames):
        visibility = sight.visibility(frame)
        states = tuple(_state(scene, o, frame, v) for o, v in zip(scene.objects, visibility, strict=True))
        records.append(FrameRecord(index=frame, time=round(frame / scene.fps, _DIGITS), objects=states))
    del sight
    gc.collect()
    return tuple(records)


def _state(scene: Scene, body: SceneObject, frame: int, visibility: float) -> ObjectState:
    pose = body.pose_at(frame)
    box = bounding_box(scene.camera, body.mesh_at(frame).vertices)
    x, y, z = (_rounded(v) for v in pose[:3, 3])
    qw, qx, qy, qz = (_rounded(v) for v in quaternion(pose[:3, :3]))
    left, top, right, bottom = (_rounded(v) for v in box)
    return ObjectState(
        object_id=body.object_id,
        position=(x, y, z),
        quaternion=(qw, qx, qy, qz),
        box=(left, top, right, bottom),
        visibility=_rounded(visibility),
    )


def _rounded(value: float) -> float:
    return round(float(value), _DIGITS) + 0.0  # no negative zero


def quaternion(rotation: Float) -> Float:
    """Return the unit quaternion (w, x, y, z) with w >= 0 of a rotation matrix, shape (4,).

    Half turns, where w = 0, get a positive first non-zero component.
    """
    from scipy.spatial.transform import Rotation

    x, y, z, w = Rotation.from_matrix(rotation).as_quat()
    q = np.array([w, x, y, z])
    q[np.abs(q) < 1e-12] = 0
    leading = q[np.flatnonzero(q)[0]]
    return q if leading > 0 else -q


def surface_samples(mesh: Mesh, towards: Float, count: int = _SAMPLES) -> Float:
    """Return points spread evenly over the part of a mesh that faces a viewpoint.

    A low-discrepancy sequence (R2, the plastic number) picks them: the same mesh gives the same points.

    Args:
        mesh: world-space mesh.
        towards: (3,) viewpoint in m.
        count: number of points.

    Returns:
        (count, 3) m, or (0, 3) if no face turns towards the viewpoint.
    """
    corners = mesh.vertices[mesh.faces]
    edge_1, edge_2 = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    normals = np.cross(edge_1, edge_2)
    facing = np.einsum("ij,ij->i", normals, towards - corners[:, 0]) > 0
    areas = np.where(facing, np.linalg.norm(normals, axis=1), 0.0)
    if not areas.any():
        return np.empty((0, 3))
    cumulative = np.cumsum(areas)
    face = np.searchsorted(cumulative, (np.arange(count) + 0.5) / count * cumulative[-1])
    index = np.arange(1, count + 1)
    u, v = (0.5 + index * 0.7548776662466927) % 1, (0.5 + index * 0.5698402909980532) % 1
    fold = u + v > 1
    u, v = np.where(fold, 1 - u, u), np.where(fold, 1 - v, v)
    return corners[face, 0] + u[:, None] * edge_1[face] + v[:, None] * edge_2[face]


class _Sight:
    """Asks, frame by frame, which surface points the camera sees past the other bodies."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._stage = MitsubaScene(scene, see_through_glass=True)
        self._owner = _Owners(self._stage.groups, scene)
        self._fingerprints = geometry_fingerprints(scene)
        self._known: dict[bytes, list[float]] = {}

    def visibility(self, frame: int) -> list[float]:
        """Return the share of its camera-facing samples that no other body hides, for each object."""
        fingerprint = self._fingerprints[frame]
        if fingerprint not in self._known:
            self._known[fingerprint] = self._measure(frame)
        return self._known[fingerprint]

    def _measure(self, frame: int) -> list[float]:
        origin = np.asarray(self._scene.camera.origin)
        points = [surface_samples(o.mesh_at(frame), origin) for o in self._scene.objects]
        self._stage.show(frame)
        owners = np.repeat(np.arange(len(points)), [len(p) for p in points])
        seen = ~self._hidden(np.concatenate([*points, np.empty((0, 3))]), owners)
        return [float(seen[owners == k].mean()) if len(p) else 0.0 for k, p in enumerate(points)]

    def _hidden(self, points: Float, owners: Int) -> NDArray[np.bool_]:
        """Tell for each point whether the camera sees another body first in its direction."""
        origin = np.asarray(self._scene.camera.origin)
        distance = np.linalg.norm(points - origin, axis=1)
        directions = (points - origin) / distance[:, None]
        hit, group, face = _first_hits(self._stage, origin, directions)
        return (hit < distance * (1 - _SAME_DEPTH)) & (self._owner.of(group, face) != owners)


class _Owners:
    """Finds the object that a face of a merged mesh belongs to."""

    def __init__(self, groups: tuple[Group, ...], scene: Scene) -> None:
        index = {id(o): k for k, o in enumerate(scene.objects)}
        self._first_faces = [np.asarray(g.first_faces) for g in groups]
        self._objects = [np.array([index.get(id(o), -1) for o in g.objects]) for g in groups]

    def of(self, group: Int, face: Int) -> Int:
        """Return the object's place in the scene (-1: backdrop or nothing) for arrays of group and face."""
        owner = np.full(len(group), -1)
        for k, (first, objects) in enumerate(zip(self._first_faces, self._objects, strict=True)):
            mine = group == k
            owner[mine] = objects[np.searchsorted(first, face[mine], side="right") - 1]
        return owner


def _first_hits(stage: MitsubaScene, origin: Float, directions: Float) -> tuple[Float, Int, Int]:
    """Return distance (inf: none), group (-1: none) and face of the first hit along each ray."""
    return (
        _scalar_hits(stage, origin, directions) if _is_scalar() else _vector_hits(stage, origin, directions)
    )


def _is_scalar() -> bool:
    return str(activate().variant()).startswith("scalar")


def _vector_hits(stage: MitsubaScene, origin: Float, directions: Float) -> tuple[Float, Int, Int]:
    mi = activate()
    ray = mi.Ray3f(mi.Point3f(*(float(c) for c in origin)), mi.Vector3f(directions.T.astype(np.float32)))
    found = stage.handle.ray_intersect_preliminary(ray, coherent=False)
    distance = np.array(found.t, dtype=np.float64)
    group = np.full(len(directions), -1)
    for k, shape in enumerate(stage.shapes):
        group[np.array(found.shape == mi.ShapePtr(shape))] = k
    return distance, group, np.array(found.prim_index, dtype=np.int64)


def _scalar_hits(stage: MitsubaScene, origin: Float, directions: Float) -> tuple[Float, Int, Int]:
    mi: Any = activate()
    names = [g.name for g in stage.groups]
    rows = []
    for direction in directions:
        found = stage.handle.ray_intersect_preliminary(
            mi.Ray3f(list(origin), list(direction)), coherent=False
        )
        group = names.index(found.shape.id()) if found.is_valid() else -1
        rows.append((found.t, group, found.prim_index))
    table = np.array(rows, dtype=np.float64).reshape(-1, 3)
    return table[:, 0], table[:, 1].astype(np.int64), table[:, 2].astype(np.int64)
