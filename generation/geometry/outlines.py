"""Flat plates cut out along an outline."""

from __future__ import annotations

import numpy as np

from generation.geometry.creases import closed
from generation.scene import Float, Int, Mesh


def plate(outline: Float, thickness: float, bevel: float = 0.0, steps: int = 2) -> Mesh:
    """Return a plate in the x-z plane, from y = -thickness / 2 to thickness / 2.

    Args:
        outline: (N, 2) corners (x, z) of a simple polygon, convex or not.
        bevel: radius of the rounded edges, small beside the outline's features.
    """
    outline = np.asarray(outline, dtype=np.float64)
    if _area(outline) < 0:
        outline = outline[::-1]
    bend = np.linspace(0, np.pi / 2, steps + 1) if bevel else np.zeros(1)
    insets = bevel * (1 - np.sin(bend))
    depths = -thickness / 2 + bevel * (1 - np.cos(bend))
    layers = [(inset, y) for inset, y in zip(insets, depths, strict=True)]
    layers += [(inset, -y) for inset, y in reversed(layers)]
    mitres = _mitres(outline)
    rings = [np.insert(outline + inset * mitres, 1, y, axis=1) for inset, y in layers]
    size = len(outline)
    index = np.arange(len(rings) * size).reshape(len(rings), size)
    low, high = index[:-1], index[1:]
    low_next, high_next = np.roll(low, -1, axis=1), np.roll(high, -1, axis=1)
    caps = triangles(outline)
    sides = [np.stack([low, low_next, high_next], 2), np.stack([low, high_next, high], 2)]
    faces = np.concatenate([s.reshape(-1, 3) for s in sides] + [caps[:, ::-1], caps + index[-1, 0]])
    return closed(np.concatenate(rings), faces)


def _area(outline: Float) -> float:
    x, z = outline.T
    return float((x * np.roll(z, -1) - np.roll(x, -1) * z).sum() / 2)


def _mitres(outline: Float) -> Float:
    """Return how far each corner (N, 2) moves when both its sides move inwards by 1."""
    step = np.roll(outline, -1, axis=0) - outline
    step /= np.linalg.norm(step, axis=1, keepdims=True)
    inward = np.stack([-step[:, 1], step[:, 0]], axis=1)
    total = inward + np.roll(inward, 1, axis=0)
    square = np.maximum((total**2).sum(axis=1, keepdims=True), 0.5)
    return np.asarray(2 * total / square)


def triangles(outline: Float) -> Int:
    """Cut a simple counter-clockwise polygon (N, 2) into N - 2 triangles by clipping ears."""
    left = list(range(len(outline)))
    result = []
    while len(left) > 3:
        ear = next((k for k in range(len(left)) if _is_ear(outline, left, k)), None)
        # None is left only where corners lie on one line: any of them will do.
        ear = ear if ear is not None else 0
        result.append((left[ear - 1], left[ear], left[(ear + 1) % len(left)]))
        del left[ear]
    return np.array([*result, tuple(left)])


def _is_ear(outline: Float, left: list[int], k: int) -> bool:
    a, b, c = outline[left[k - 1]], outline[left[k]], outline[left[(k + 1) % len(left)]]
    if _cross(b - a, c - b) <= 1e-12:
        return False
    others = outline[[n for n in left if n not in (left[k - 1], left[k], left[(k + 1) % len(left)])]]
    edges = ((a, b), (b, c), (c, a))
    inside = np.all([_cross(q - p, others - p) > -1e-12 for p, q in edges], axis=0)
    return not bool(inside.any())


def _cross(a: Float, b: Float) -> Float:
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])


def arc(x: float, z: float, radius: float, start_deg: float, end_deg: float, count: int = 12) -> Float:
    """Return points (count, 2) of a circle around (x, z) from one angle to another."""
    angle = np.radians(np.linspace(start_deg, end_deg, count))
    return np.stack([x + radius * np.cos(angle), z + radius * np.sin(angle)], axis=1)
