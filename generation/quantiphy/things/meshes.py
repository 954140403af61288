"""Small builders that several things and places share."""

from __future__ import annotations

import numpy as np

from generation.geometry.lofts import loft
from generation.rendering.shapes import lathe
from generation.scene import Float, Mesh


def drum(radius: float, height: float, bevel: float = 0.0, segments: int = 32) -> Mesh:
    """Return a cylinder about z, standing on z = 0, its edges cut off by a bevel."""
    profile = [
        [0, 0],
        [radius - bevel, 0],
        [radius, bevel],
        [radius, height - bevel],
        [radius - bevel, height],
        [0, height],
    ]
    points = np.array(profile, dtype=np.float64)
    keep = np.append(True, np.linalg.norm(np.diff(points, axis=0), axis=1) > 0)
    return lathe(points[keep], segments)


def airfoil(chord: float, thickness: float, count: int = 20) -> Float:
    """Return a wing's section (count, 2) in the x-z plane, its nose at x = 0, its tail at x = -chord."""
    angle = 2 * np.pi * np.arange(count) / count
    x = (np.cos(angle) - 1) / 2
    z = thickness / 2 * np.sin(angle) * np.sqrt((1 + np.cos(angle)) / 2 + 0.03)
    return np.column_stack([x * chord, z])


def wing(noses: list[tuple[float, float, float]], chords: list[float], thicknesses: list[float]) -> Mesh:
    """Return a wing through sections whose noses lie at points (x, y, z)."""
    rings = [
        np.insert(airfoil(chord, thickness), 1, 0.0, axis=1) + nose
        for nose, chord, thickness in zip(noses, chords, thicknesses, strict=True)
    ]
    return loft(np.array(rings))


def bare(mesh: Mesh) -> Mesh:
    """Return a mesh without uvs, for materials without texture."""
    return Mesh(mesh.vertices, mesh.faces, mesh.normals)
