"""Which part of each body the camera sees past the others."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generation.rendering.mitsuba_scene import MitsubaScene
from generation.rendering.variant import activate
from generation.scene import Mesh, RigidObject, Scene, SceneObject

Float = NDArray[np.float64]
Int = NDArray[np.int64]

_SAMPLES = 512
# A hit this close in front of a sample, relative to the camera's distance, is on the same surface.
_SAME_DEPTH = 1e-4


def surface_samples(mesh: Mesh, count: int = _SAMPLES) -> tuple[Float, Float]:
    """Return points spread evenly over a mesh, with the normals of their faces.

    A low-discrepancy sequence (R2, the plastic number) picks them, so they only depend on the mesh.

    Args:
        mesh: the mesh.
        count: number of points.

    Returns:
        (count, 3) m, and (count, 3) unit vectors; none if the mesh has no area.
    """
    corners = mesh.vertices[mesh.faces]
    edge_1, edge_2 = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    normals = np.cross(edge_1, edge_2)
    areas = np.linalg.norm(normals, axis=1)
    if not areas.any():
        return np.empty((0, 3)), np.empty((0, 3))
    cumulative = np.cumsum(areas)
    face = np.searchsorted(cumulative, (np.arange(count) + 0.5) / count * cumulative[-1])
    index = np.arange(1, count + 1)
    u, v = (0.5 + index * 0.7548776662466927) % 1, (0.5 + index * 0.5698402909980532) % 1
    is_outside = u + v > 1
    u, v = np.where(is_outside, 1 - u, u), np.where(is_outside, 1 - v, v)
    points = corners[face, 0] + u[:, None] * edge_1[face] + v[:, None] * edge_2[face]
    return points, normals[face] / areas[face, None]


class Sight:
    """Asks rays, frame by frame, how much of each object no other body hides. Glass hides nothing.

    Args:
        scene: whose objects are asked for; the backdrop hides them too.
        fingerprints: one per frame; frames with an equal one are measured once.
    """

    def __init__(self, scene: Scene, fingerprints: Sequence[bytes]) -> None:
        """Load the scene."""
        self._scene = scene
        opaque = dataclasses.replace(
            scene, objects=_without_glass(scene.objects), backdrop=_without_glass(scene.backdrop)
        )
        self._stage = MitsubaScene(opaque, dresser=lambda material: {"bsdf": {"type": "diffuse"}})
        self._hits = Hits(self._stage, scene.objects)
        self._rest_samples = {
            id(o.rest): surface_samples(o.rest) for o in scene.objects if isinstance(o, RigidObject)
        }
        self._fingerprints = fingerprints
        self._known: dict[bytes, list[float]] = {}

    def visibility(self, frame: int) -> list[float]:
        """Return, for each object, the share of its camera-facing surface that no other body hides.

        It is 0 for a body that turns no face to the camera.
        """
        fingerprint = self._fingerprints[frame]
        if fingerprint not in self._known:
            self._known[fingerprint] = self._measure(frame)
        return self._known[fingerprint]

    def _measure(self, frame: int) -> list[float]:
        self._stage.show(frame)
        points = [self._facing_points(o, frame) for o in self._scene.objects]
        owners = np.repeat(np.arange(len(points)), [len(p) for p in points])
        is_seen = ~self._is_hidden(np.concatenate([*points, np.empty((0, 3))]), owners)
        return [float(is_seen[owners == k].mean()) if len(p) else 0.0 for k, p in enumerate(points)]

    def _facing_points(self, body: SceneObject, frame: int) -> Float:
        if isinstance(body, RigidObject):
            pose = body.pose_at(frame)
            rest_points, rest_normals = self._rest_samples[id(body.rest)]
            points, normals = rest_points @ pose[:3, :3].T + pose[:3, 3], rest_normals @ pose[:3, :3].T
        else:
            points, normals = surface_samples(body.mesh_at(frame))
        towards = np.asarray(self._scene.camera.origin) - points
        return np.asarray(points[np.einsum("ij,ij->i", normals, towards) > 0])

    def _is_hidden(self, points: Float, owners: Int) -> NDArray[np.bool_]:
        """Tell for each point whether the camera sees another body first in its direction."""
        origin = np.asarray(self._scene.camera.origin)
        distance = np.linalg.norm(points - origin, axis=1)
        first, owner = self._hits.first(origin, (points - origin) / distance[:, None])
        return (first < distance * (1 - _SAME_DEPTH)) & (owner != owners)


def _without_glass(bodies: Sequence[SceneObject]) -> tuple[SceneObject, ...]:
    return tuple(b for b in bodies if b.material.kind != "glass")


class Hits:
    """Finds what rays hit first, for arrays of rays in every variant.

    Args:
        stage: the scene to look at.
        objects: hits are told as places in this sequence.
    """

    def __init__(self, stage: MitsubaScene, objects: Sequence[SceneObject]) -> None:
        """Look up which shapes belong to which objects."""
        self._stage = stage
        self._places = {id(o): k for k, o in enumerate(objects)}
        self._shapes = {s.id(): s for s in stage.handle.shapes() if s.id() in stage.bodies}

    def first(self, origin: Float, directions: Float) -> tuple[Float, Int]:
        """Return distance (inf: none) and object (-1: backdrop or none) of the first hit along each ray."""
        is_scalar = str(activate().variant()).startswith("scalar")
        distance, shape, face = (self._scalar if is_scalar else self._vector)(origin, directions)
        owner = np.full(len(directions), -1)
        for number, name in enumerate(self._shapes):
            held = self._stage.bodies[name]
            places = np.array([self._places.get(id(b), -1) for b in held.bodies])
            mine = shape == number
            owner[mine] = places[np.searchsorted(held.first_faces, face[mine], side="right") - 1]
        return distance, owner

    def _vector(self, origin: Float, directions: Float) -> tuple[Float, Int, Int]:
        import drjit as dr

        mi: Any = activate()
        ray = mi.Ray3f(mi.Point3f(*(float(c) for c in origin)), mi.Vector3f(directions.T.astype(np.float32)))
        found = self._stage.handle.ray_intersect_preliminary(ray, coherent=False)
        outer = dr.select(found.instance != None, found.instance, found.shape)  # noqa: E711
        number = dr.full(mi.Int32, -1, len(directions))
        for k, shape in enumerate(self._shapes.values()):
            number[outer == mi.ShapePtr(shape)] = k
        arrays = found.t, number, found.prim_index
        distance, shape_number, face = (np.array(a) for a in arrays)
        # An instance is one body: its faces don't tell any more.
        return distance.astype(np.float64), shape_number.astype(np.int64), face.astype(np.int64)

    def _scalar(self, origin: Float, directions: Float) -> tuple[Float, Int, Int]:
        mi: Any = activate()
        numbers = {name: k for k, name in enumerate(self._shapes)}
        rows = []
        for direction in directions:
            found = self._stage.handle.ray_intersect_preliminary(
                mi.Ray3f(list(origin), list(direction)), coherent=False
            )
            outer = found.instance or found.shape
            rows.append((found.t, numbers.get(outer.id(), -1) if outer else -1, found.prim_index))
        table = np.array(rows, dtype=np.float64).reshape(-1, 3)
        return table[:, 0], table[:, 1].astype(np.int64), table[:, 2].astype(np.int64)
