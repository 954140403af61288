"""Two lumps of clay that touch and become one: their common surface, extracted from a grid.

The surface is that of a smooth union of distances (naive surface nets: one vertex in each grid cell that the
surface crosses, moved onto it), so a neck forms and closes without any change of method.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from generation.scene import Float, Int, Mesh

Distance = Callable[[Float], Float]

_SPACING, _COARSE = 0.0013, 0.0022
# Fine grid nodes in a coarse one; coarse nodes this far from the surface, in their spacings, stay coarse.
_BLOCK = 5
_BAND = 1.15


def smooth_minimum(first: Float, second: Float, radius: float) -> Float:
    """Return the smaller of two distances, their crease filled over a radius in m."""
    if radius <= 0:
        return np.minimum(first, second)
    overlap = np.maximum(radius - np.abs(first - second), 0.0) / radius
    return np.asarray(np.minimum(first, second) - overlap**3 * radius / 6)


def occupied(distance: Distance, low: Float, high: Float) -> float:
    """Estimate the volume in m^3 where a distance is negative, to about 1e-3, between corners (3,)."""
    values = _sampled(distance, low, high, _COARSE)
    return float(np.clip(0.5 - values / _COARSE, 0, 1).sum() * _COARSE**3)


def extracted(distance: Distance, low: Float, high: Float) -> Mesh:
    """Return the closed mesh, without normals, near the zero set of a distance positive on the box."""
    values = _sampled(distance, low, high, _SPACING)
    points, number = _cell_points(values)
    return Mesh(low + _SPACING * points, _quads(values, number))


def _sampled(distance: Distance, low: Float, high: Float, spacing: float) -> Float:
    """Evaluate a distance on a grid, exactly near the surface and roughly elsewhere: (nx, ny, nz)."""
    step = spacing * _BLOCK
    axes = [np.arange(a, b, step) + (step - spacing) / 2 for a, b in zip(low, high, strict=True)]
    rough = distance(np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1))
    values = np.kron(rough, np.ones((_BLOCK, _BLOCK, _BLOCK)))
    near = np.abs(values) < _BAND * step
    values[near] = distance(low + spacing * np.argwhere(near))
    return np.asarray(values)


def _cell_points(values: Float) -> tuple[Float, Int]:
    """Return one point a crossed cell, (N, 3) in spacings, and the number of each cell's point, -1: none."""
    inside = values < 0
    corners = [(i, j, k) for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    count = np.sum([_shifted(inside, corner) for corner in corners], axis=0)
    crossed = (count > 0) & (count < 8)
    cells = np.argwhere(crossed)
    total, weight = np.zeros((len(cells), 3)), np.zeros(len(cells))
    for axis in range(3):
        step = np.eye(3, dtype=np.int64)[axis]
        for corner in corners:
            if corner[axis]:
                continue
            start = cells + corner
            a, b = values[tuple(start.T)], values[tuple((start + step).T)]
            cut = (a < 0) != (b < 0)
            share = np.divide(a, a - b, out=np.zeros_like(a), where=cut)
            total += cut[:, None] * (start + share[:, None] * step)
            weight += cut
    number = np.full(crossed.shape, -1)
    number[crossed] = np.arange(len(cells))
    return total / weight[:, None], number


def _shifted(array: np.ndarray, corner: tuple[int, int, int]) -> np.ndarray:
    return array[tuple(slice(c, n - 1 + c) for c, n in zip(corner, array.shape, strict=True))]


def _quads(values: Float, number: Int) -> Int:
    """Connect the four cells around each grid edge that the surface cuts: (F, 3) triangles, outward."""
    inside = values < 0
    faces = []
    for axis in range(3):
        u, v = np.eye(3, dtype=np.int64)[[(axis + 1) % 3, (axis + 2) % 3]]
        lower = np.take(inside, range(inside.shape[axis] - 1), axis)
        upper = np.take(inside, range(1, inside.shape[axis]), axis)
        for leaving in (True, False):
            edges = np.argwhere((lower & ~upper) if leaving else (~lower & upper))
            quad = np.stack([number[tuple((edges - d).T)] for d in (u + v, v, 0 * u, u)], axis=1)
            quad = quad if leaving else quad[:, ::-1]
            faces += [quad[:, [0, 1, 2]], quad[:, [0, 2, 3]]]
    return np.concatenate(faces)
