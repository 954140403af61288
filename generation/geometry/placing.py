"""Move, turn, scale and mirror meshes; their bounds."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from generation.scene import Float, Mesh

_AXES = {"x": 0, "y": 1, "z": 2}


def moved(mesh: Mesh, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Mesh:
    """Return a mesh shifted by (x, y, z) m."""
    return Mesh(mesh.vertices + np.array([x, y, z]), mesh.faces, mesh.normals, mesh.uvs)


def rotation(axis: str, degrees: float) -> Float:
    """Return the (3, 3) right-handed rotation about "x", "y" or "z"."""
    angle = np.radians(degrees)
    k = _AXES[axis]
    i, j = (k + 1) % 3, (k + 2) % 3
    matrix = np.eye(3)
    matrix[i, i] = matrix[j, j] = np.cos(angle)
    matrix[i, j], matrix[j, i] = -np.sin(angle), np.sin(angle)
    return matrix


def turned(mesh: Mesh, axis: str, degrees: float) -> Mesh:
    """Return a mesh turned about the x, y or z axis through the origin."""
    matrix = rotation(axis, degrees)
    normals = None if mesh.normals is None else mesh.normals @ matrix.T
    return Mesh(mesh.vertices @ matrix.T, mesh.faces, normals, mesh.uvs)


def scaled(mesh: Mesh, x: float = 1.0, y: float = 1.0, z: float = 1.0) -> Mesh:
    """Return a mesh scaled about the origin; a negative factor mirrors it, its outside kept outside."""
    factors = np.array([x, y, z], dtype=np.float64)
    faces = mesh.faces[:, ::-1] if np.prod(factors) < 0 else mesh.faces
    normals = mesh.normals
    if normals is not None:
        normals = normals / factors
        normals = normals / np.linalg.norm(normals, axis=1, keepdims=True)
    return Mesh(mesh.vertices * factors, faces, normals, mesh.uvs)


def mirrored(mesh: Mesh) -> Mesh:
    """Return a mesh reflected in the plane y = 0: the other side of what is built for one."""
    return scaled(mesh, y=-1.0)


def both_sides(*meshes: Mesh) -> tuple[Mesh, ...]:
    """Return meshes and their reflections in the plane y = 0."""
    return (*meshes, *(mirrored(mesh) for mesh in meshes))


def repeated(mesh: Mesh, places: Float, sizes: Float | None = None) -> Mesh:
    """Return copies of a mesh with normals, without uvs, as one.

    Args:
        places: (N, 3) where the mesh's origin comes, m. sizes: (N,) scale factors, > 0; None: as it is.
    """
    assert mesh.normals is not None
    factors = np.ones(len(places)) if sizes is None else np.asarray(sizes)
    vertices = mesh.vertices[None] * factors[:, None, None] + np.asarray(places)[:, None]
    faces = mesh.faces[None] + len(mesh.vertices) * np.arange(len(places))[:, None, None]
    return Mesh(vertices.reshape(-1, 3), faces.reshape(-1, 3), np.tile(mesh.normals, (len(places), 1)))


def bounds(meshes: Iterable[Mesh]) -> tuple[Float, Float]:
    """Return the lowest and the highest corner, (3,) each, of the box around some meshes."""
    parts = [mesh.vertices for mesh in meshes]
    return np.min([p.min(axis=0) for p in parts], axis=0), np.max([p.max(axis=0) for p in parts], axis=0)
