"""Geometry of scenes, measured from their meshes and independently of how they were built."""

from __future__ import annotations

import hashlib
from functools import lru_cache

import numpy as np
from scipy.spatial import ConvexHull

from generation.conservation.design import PRESETS, Cell, design
from generation.conservation.generators import GENERATORS
from generation.core.seeds import item_rng
from generation.rendering.camera import project
from generation.scene import Float, Mesh, RigidObject, Scene, SceneObject

_hulls: dict[int, tuple[Mesh, Float]] = {}


@lru_cache(maxsize=512)
def scenes(domain: str, pair_id: str, seed: int) -> tuple[Scene, Scene]:
    """Return a pair's scenes: conserving, non-conserving."""
    cell = find_cell(domain, pair_id)
    generator = GENERATORS[cell.domain]
    params = generator.sample(item_rng(seed, "conservationbench", pair_id), cell, PRESETS["full"])
    twin = params.model_copy(update={"condition": "nonconserving"})
    return generator.build(params), generator.build(twin)


def find_cell(domain: str, pair_id: str) -> Cell:
    return next(cell for cell in design(domain) if cell.pair_id == pair_id)


def vertices_over_time(body: SceneObject, num_frames: int) -> Float:
    """Return world-space positions (T or 1, V, 3) that span the body's convex hull."""
    if isinstance(body, RigidObject):
        rest = _hull_vertices(body.rest)
        return rest @ body.poses[:, :3, :3].transpose(0, 2, 1) + body.poses[:, None, :3, 3]
    # A straw's part slides along it: the hulls of its first and last shape hold the ends of all between.
    ends = [body.mesh_at(frame).vertices for frame in (0, num_frames - 1)]
    outline = np.unique(np.concatenate([ConvexHull(points).vertices for points in ends]))
    return np.stack([body.mesh_at(frame).vertices[outline] for frame in range(num_frames)])


def _hull_vertices(mesh: Mesh) -> Float:
    # Keyed by identity, with the mesh kept alive, for meshes are shared and arrays can't be hashed.
    if id(mesh) not in _hulls:
        _hulls[id(mesh)] = (mesh, mesh.vertices[ConvexHull(mesh.vertices).vertices])
    return _hulls[id(mesh)][1]


def boxes_over_time(scene: Scene) -> dict[str, Float]:
    """Return normalised image boxes (T or 1, 4) by object id: x_min, y_min, x_max, y_max."""
    boxes = {}
    for body in scene.objects:
        points = vertices_over_time(body, scene.num_frames)
        xy = project(scene.camera, points.reshape(-1, 3))[:, :2].reshape(*points.shape[:2], 2)
        boxes[body.object_id] = np.concatenate([xy.min(axis=1), xy.max(axis=1)], axis=1)
    return boxes


def geometry_hash(scene: Scene, frame: int, object_ids: list[str] | None = None) -> str:
    """Digest all meshes at a frame, rounded to a nanometre."""
    digest = hashlib.sha256()
    for body in scene.objects:
        if object_ids is None or body.object_id in object_ids:
            digest.update(body.object_id.encode())
            digest.update((np.round(body.mesh_at(frame).vertices, 9) + 0.0).tobytes())
    return digest.hexdigest()
