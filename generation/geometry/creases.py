"""Normals that are smooth over bends and sharp over edges."""

from __future__ import annotations

import numpy as np

from generation.geometry.solid import volume
from generation.scene import Float, Int, Mesh


def shaded(vertices: Float, faces: Int, crease_deg: float = 35.0) -> Mesh:
    """Return a mesh with normals, vertices doubled where it bends by more than an angle.

    Args:
        vertices: (V, 3), shared by the faces that meet there.
        faces: (F, 3); those without area are left out.
        crease_deg: faces that differ by less look like one bent surface.
    """
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    weighted = np.cross(b - a, c - a)
    area = np.linalg.norm(weighted, axis=1)
    kept = area > 1e-9 * area.max()
    faces, weighted, area = faces[kept], weighted[kept], area[kept]
    unit = weighted / area[:, None]
    corner_vertex, corner_face = faces.ravel(), np.repeat(np.arange(len(faces)), 3)
    first, second = _pairs(corner_vertex)
    alike = (unit[corner_face[first]] * unit[corner_face[second]]).sum(1) > np.cos(np.radians(crease_deg))
    total = np.zeros((len(corner_vertex), 3))
    np.add.at(total, first[alike], weighted[corner_face[second[alike]]])
    normals = total / np.linalg.norm(total, axis=1, keepdims=True)
    key = np.concatenate([corner_vertex[:, None], np.round(normals * 1e6).astype(np.int64)], axis=1)
    _, index, inverse = np.unique(key, axis=0, return_index=True, return_inverse=True)
    return Mesh(vertices[corner_vertex[index]], inverse.reshape(-1, 3), normals[index])


def _pairs(labels: Int) -> tuple[Int, Int]:
    """Return all ordered pairs of positions with equal labels, a position with itself too."""
    order = np.argsort(labels, kind="stable")
    starts = np.flatnonzero(np.diff(labels[order], prepend=-1))
    sizes = np.diff(np.append(starts, len(labels)))
    repeats = np.repeat(sizes, sizes)
    first = np.repeat(np.arange(len(labels)), repeats)
    begins = np.repeat(np.repeat(starts, sizes), repeats)
    within = np.arange(len(first)) - np.repeat(np.cumsum(repeats) - repeats, repeats)
    return order[first], order[begins + within]


def closed(vertices: Float, faces: Int, crease_deg: float = 35.0) -> Mesh:
    """Return a closed surface, faces turned outwards whichever way they come; see :func:`shaded`."""
    if volume(Mesh(vertices, faces)) < 0:
        faces = faces[:, ::-1]
    return shaded(vertices, faces, crease_deg)
