"""What can be measured on any triangle mesh."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from generation.scene import Float, Int, Mesh


def volume(mesh: Mesh) -> float:
    """Return the signed volume in m^3 inside a closed mesh, by the divergence theorem.

    Positive when the faces turn outwards. Faces without area count for nothing.
    """
    corners = mesh.vertices[mesh.faces]
    # About the middle of the mesh: far from the origin, the terms would cancel and lose digits.
    a, b, c = np.moveaxis(corners - mesh.vertices.mean(axis=0), 1, 0)
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


def soup(triangles: Float, normals: Float) -> Mesh:
    """Return a mesh of separate triangles or quads that share no vertices.

    Args:
        triangles: (N, 3, 3) or (N, 4, 3) corners in m, counter-clockwise from outside.
        normals: unit vectors of the same shape.
    """
    count, corners = triangles.shape[:2]
    first = corners * np.arange(count)[:, None]
    fans = [first + np.array([0, k, k + 1]) for k in range(1, corners - 1)]
    return Mesh(triangles.reshape(-1, 3), np.stack(fans, axis=1).reshape(-1, 3), normals.reshape(-1, 3))


def padded_soup(mesh: Mesh, count: int) -> Mesh:
    """Return a mesh as separate triangles, filled up to a number of them with triangles of no size.

    Raises:
        ValueError: the mesh has more triangles.
    """
    missing = count - len(mesh.faces)
    if missing < 0:
        raise ValueError(f"{len(mesh.faces)} triangles don't fit in {count}")
    assert mesh.normals is not None
    corner = mesh.faces[0, 0]
    faces = np.concatenate([mesh.faces, np.full((missing, 3), corner)])
    return soup(mesh.vertices[faces], mesh.normals[faces])


def joined(meshes: Sequence[Mesh]) -> Mesh:
    """Return several meshes with normals as one, without texture coordinates."""
    offsets = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes[:-1])])
    return Mesh(
        np.concatenate([mesh.vertices for mesh in meshes]),
        np.concatenate([mesh.faces + offset for mesh, offset in zip(meshes, offsets, strict=True)]),
        np.concatenate([mesh.normals for mesh in meshes if mesh.normals is not None]),
    )


def flipped(mesh: Mesh) -> Mesh:
    """Return the same surface seen from its other side."""
    normals = None if mesh.normals is None else -mesh.normals
    return Mesh(mesh.vertices, mesh.faces[:, ::-1], normals, mesh.uvs)


def transformed(mesh: Mesh, pose: Float) -> Mesh:
    """Return a mesh moved by a (4, 4) rotation and translation."""
    normals = None if mesh.normals is None else mesh.normals @ pose[:3, :3].T
    return Mesh(mesh.vertices @ pose[:3, :3].T + pose[:3, 3], mesh.faces, normals, mesh.uvs)


def vertex_normals(vertices: Float, faces: Int) -> Float:
    """Return unit normals (V, 3): the faces' normals at each vertex, weighted by area."""
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    weighted = np.cross(b - a, c - a)
    total = np.zeros_like(vertices)
    for corner in faces.T:
        np.add.at(total, corner, weighted)
    length = np.linalg.norm(total, axis=1, keepdims=True)
    return np.asarray(np.where(length > 0, total / np.where(length > 0, length, 1), [0.0, 0.0, 1.0]))
