"""Trees, bushes, rocks and hills."""

from __future__ import annotations

import numpy as np

from generation.geometry.creases import shaded
from generation.geometry.lofts import ball, loft, pipe
from generation.geometry.placing import moved, repeated, scaled
from generation.quantiphy.places.scenery import Scenery, chalk, spread
from generation.rendering.shapes import lathe
from generation.scene import Int, Mesh

BARK = chalk(0.115, 0.078, 0.050)
LEAVES = chalk(0.060, 0.135, 0.030)
NEEDLES = chalk(0.030, 0.080, 0.035)
ROCK = chalk(0.25, 0.235, 0.215)
HILL = chalk(0.115, 0.165, 0.085)
FAR_HILL = chalk(0.24, 0.32, 0.36)


def lump(diameter: float, phase: float, roughness: float = 0.12) -> Mesh:
    """Return a ball with dents: a bush, a crown, a rock."""
    plain = ball(1.0, 20)
    x, y, z = plain.vertices.T * 2
    waves = np.sin(3.1 * x + 9 * phase) * np.sin(2.7 * y + 4 * phase) + np.sin(4.3 * z + 7 * phase) * np.sin(
        3.7 * x - 5 * phase
    )
    waves = waves + 0.7 * np.sin(7 * x + 5 * phase) * np.sin(6.5 * y + 3 * z)
    vertices = plain.vertices * (1 + roughness * waves)[:, None] * diameter
    _, index, inverse = np.unique(
        np.round(vertices / diameter, 6), axis=0, return_index=True, return_inverse=True
    )
    return shaded(vertices[index], inverse.reshape(-1)[plain.faces], 60.0)


def add_tree(scenery: Scenery, x: float, y: float, height: float, phase: float, low: float = 0.0) -> None:
    """Add a leafy tree."""
    trunk = (
        np.array([[0, 0, -0.01], [0.01 * np.sin(9 * phase), 0.01, 0.25], [0.02 * np.cos(7 * phase), 0, 0.6]])
        * height
    )
    scenery.add(BARK, moved(pipe(trunk, np.array([0.030, 0.022, 0.012]) * height, 8), x, y, low))
    turns = 2 * np.pi * spread(6, phase)
    for k, turn in enumerate(turns):
        reach, up, size = (0.0, 0.80, 0.40) if k == 0 else (0.17, 0.50 + 0.06 * k, 0.36 - 0.01 * k)
        crown = scaled(lump(size * height, phase + 0.17 * k), z=0.85)
        scenery.add(
            LEAVES,
            moved(
                crown, x + reach * height * np.cos(turn), y + reach * height * np.sin(turn), low + up * height
            ),
        )


def add_forest(
    scenery: Scenery, x: tuple[float, float], y: tuple[float, float], count: int, height: float, phase: float
) -> None:
    """Add spruces of about a height all over a rectangle."""
    across, along, sizes = (
        spread(count, phase),
        np.mod(0.7548776662 * np.arange(count), 1),
        spread(count, 0.37),
    )
    places = np.column_stack([x[0] + across * (x[1] - x[0]), y[0] + along * (y[1] - y[0]), np.zeros(count)])
    profile = [[0, 0.10], [0.20, 0.12], [0.085, 0.42], [0.145, 0.40], [0.055, 0.70], [0.095, 0.68], [0, 1.0]]
    stem = lathe(np.array([[0, 0], [0.02, 0], [0.02, 0.13], [0, 0.13]]), 6)
    heights = height * (0.75 + 0.5 * sizes)
    scenery.add(NEEDLES, repeated(lathe(np.array(profile), 10), places, heights))
    scenery.add(BARK, repeated(stem, places, heights))


def add_bush(scenery: Scenery, x: float, y: float, size: float, phase: float) -> None:
    """Add a bush that is as wide as its size."""
    scenery.add(LEAVES, moved(scaled(lump(size, phase, 0.10), z=0.8), x, y, 0.32 * size))


def palm(height: float, phase: float) -> tuple[Mesh, list[Mesh]]:
    """Return trunk and leaves of a palm."""
    s = np.linspace(0, 1, 7)
    path = np.column_stack([0.14 * np.sin(1.4 * s) * np.cos(6 * phase), 0.05 * s**2, s]) * height
    trunk = pipe(path, height * np.linspace(0.032, 0.020, 7), 10)
    leaves = []
    for turn in 2 * np.pi * (np.arange(9) / 9 + phase):
        t = np.linspace(0, 1, 8)
        out, up = 0.42 * height * t, height * (0.10 * np.sin(2.2 * t) - 0.16 * t**2)
        wide = 0.055 * height * np.sin(np.pi * np.clip(t * 0.93 + 0.07, 0, 1)) + 1e-3
        rings = [
            [[o, -w, u - 0.3 * w], [o, 0, u + 0.02], [o, w, u - 0.3 * w], [o, 0, u - 0.02]]
            for o, u, w in zip(out, up, wide, strict=True)
        ]
        leaf = loft(np.array(rings))
        c, n = np.cos(turn), np.sin(turn)
        matrix = np.array([[c, -n, 0], [n, c, 0], [0, 0, 1]])
        assert leaf.normals is not None
        leaves.append(Mesh(leaf.vertices @ matrix.T + path[-1], leaf.faces, leaf.normals @ matrix.T))
    return trunk, leaves


def ridge(
    x: tuple[float, float], y: tuple[float, float], height: float, phase: float, low: float = 0.0
) -> Mesh:
    """Return a chain of hills over a rectangle, level with the ground all around."""
    u, v = np.meshgrid(np.linspace(0, 1, 49), np.linspace(0, 1, 9), indexing="ij")
    waves = (
        0.55
        + 0.22 * np.sin(6.3 * (u * 1.7 + phase))
        + 0.15 * np.sin(6.3 * (u * 3.9 + 2 * phase))
        + 0.06 * np.sin(6.3 * (u * 9.1 + 5 * phase) + 3 * v)
    )
    ends = np.clip(8 * np.minimum(u, 1 - u), 0, 1)
    z = low + height * np.sin(np.pi * v) ** 1.3 * waves * ends * (2 - ends)
    points = np.stack([x[0] + u * (x[1] - x[0]), y[0] + v * (y[1] - y[0]), z], axis=2).reshape(-1, 3)
    return shaded(points, _grid_faces(49, 9), 80.0)


def _grid_faces(rows: int, columns: int) -> Int:
    index = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]
    return np.concatenate([np.stack([a, b, c], 2).reshape(-1, 3), np.stack([a, c, d], 2).reshape(-1, 3)])


def add_hills(scenery: Scenery, phase: float) -> None:
    """Add two chains of hills before the sky, the farther one bluer."""
    e = scenery.extent
    scenery.add(HILL, ridge((-16 * e, 16 * e), (7.5 * e, 10.5 * e), 0.75 * e, phase))
    scenery.add(FAR_HILL, ridge((-18 * e, 18 * e), (10.5 * e, 13.3 * e), 1.7 * e, phase + 0.4))
