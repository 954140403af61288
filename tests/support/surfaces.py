"""What tests ask of triangle meshes: closedness, and whether they reach into a box."""

from __future__ import annotations

from collections import Counter

import numpy as np

from generation.scene import Float, Mesh


def is_closed(mesh: Mesh) -> bool:
    """Tell whether each edge is met as often one way as the other, vertices at one place being one."""
    step = 1e-7 * float(np.ptp(mesh.vertices, axis=0).max())
    _, number = np.unique(np.round(mesh.vertices / step), axis=0, return_inverse=True)
    faces = number.reshape(-1)[mesh.faces]
    faces = faces[(faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])]
    edges = Counter(
        map(tuple, np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]).tolist())
    )
    return all(edges[(b, a)] == count for (a, b), count in edges.items())


def area(mesh: Mesh) -> float:
    """Return the surface area in m^2."""
    a, b, c = np.moveaxis(mesh.vertices[mesh.faces], 1, 0)
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)


def reaches_into(mesh: Mesh, low: Float, high: Float) -> bool:
    """Tell whether a triangle shares a point with the inside of a box (separating axes)."""
    middle, half = (np.asarray(low) + high) / 2, (np.asarray(high) - low) / 2
    corners = mesh.vertices[mesh.faces] - middle
    near = (corners.min(axis=1) < half).all(axis=1) & (corners.max(axis=1) > -half).all(axis=1)
    corners = corners[near]
    edges = np.roll(corners, -1, axis=1) - corners
    normals = np.cross(edges[:, 0], edges[:, 1])
    axes = [normals]
    axes += [np.cross(edges[:, k], axis) for k in range(3) for axis in np.eye(3)]
    apart = np.zeros(len(corners), dtype=bool)
    for axis in axes:
        shadow = np.einsum("fkj,fj->fk", corners, axis)
        reach = np.abs(axis) @ half
        # Parallel edges have no common perpendicular.
        apart |= ((shadow.min(axis=1) >= reach) | (shadow.max(axis=1) <= -reach)) & (reach > 1e-12)
    return not bool(apart.all())


def misses(triangles: Float, origin: Float, directions: Float) -> Float:
    """Return which rays (R, 3) from a point meet none of the triangles (F, 3, 3), as (R,) booleans."""
    a, b, c = np.moveaxis(triangles - origin, 1, 0)
    # A ray passes inside where it sees all three edges turn the same way.
    sides = [directions @ np.cross(p, q).T for p, q in ((a, b), (b, c), (c, a))]
    same = np.all([s >= 0 for s in sides], axis=0) | np.all([s <= 0 for s in sides], axis=0)
    normals = np.cross(b - a, c - a)
    ahead = (directions @ normals.T) * np.einsum("ij,ij->i", a, normals) > 0
    return ~(same & ahead).any(axis=1)
