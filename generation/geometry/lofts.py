"""Closed bodies between cross-sections: hulls, pipes, rounded boxes, balls."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import PchipInterpolator

from generation.geometry.creases import closed
from generation.scene import Float, Int, Mesh


def loft(rings: Float, crease_deg: float = 35.0) -> Mesh:
    """Connect cross-sections (K, S, 3), each to the next, and close both ends; an end may be a point."""
    count, size = rings.shape[:2]
    ends = np.stack([rings[0].mean(axis=0), rings[-1].mean(axis=0)])
    vertices = np.concatenate([rings.reshape(-1, 3), ends])
    index = np.arange(count * size).reshape(count, size)
    low, high = index[:-1], index[1:]
    low_next, high_next = np.roll(low, -1, axis=1), np.roll(high, -1, axis=1)
    bottom = np.stack([np.roll(index[0], -1), index[0], np.full(size, count * size)], axis=1)
    top = np.stack([index[-1], np.roll(index[-1], -1), np.full(size, count * size + 1)], axis=1)
    first, second = np.stack([low, low_next, high_next], 2), np.stack([low, high_next, high], 2)
    faces: Int = np.concatenate([first.reshape(-1, 3), second.reshape(-1, 3), bottom, top])
    return closed(*_welded(vertices, faces), crease_deg)


def _welded(vertices: Float, faces: Int) -> tuple[Float, Int]:
    """Let faces share vertices that lie at one place, and drop those that lose a corner."""
    step = 1e-9 * max(float(np.ptp(vertices, axis=0).max()), 1e-12)
    _, index, inverse = np.unique(
        np.round(vertices / step).astype(np.int64), axis=0, return_index=True, return_inverse=True
    )
    joined = inverse.reshape(-1)[faces]
    is_whole = (
        (joined[:, 0] != joined[:, 1]) & (joined[:, 1] != joined[:, 2]) & (joined[:, 2] != joined[:, 0])
    )
    return vertices[index], joined[is_whole]


def oval(width: float, height: float, count: int = 32, power: float = 2.0) -> Float:
    """Return points (count, 2) of a superellipse around the origin; power 2 is an ellipse, more is boxier."""
    angle = 2 * np.pi * np.arange(count) / count
    cos, sin = np.cos(angle), np.sin(angle)
    u = np.sign(cos) * np.abs(cos) ** (2 / power) * width / 2
    return np.stack([u, np.sign(sin) * np.abs(sin) ** (2 / power) * height / 2], axis=1)


def hull(
    stations: ArrayLike,
    widths: ArrayLike,
    lows: ArrayLike,
    highs: ArrayLike,
    *,
    power: float = 2.0,
    taper: float = 1.0,
    count: int = 32,
    between: int = 1,
) -> Mesh:
    """Return a body along x whose cross-sections are superellipses.

    Args:
        stations: (K,) x of the sections. widths: (K,) along y.
        lows, highs: (K,) z of each section's lowest and highest point; equal ones with width 0 make a tip.
        power: of the superellipse; ``count`` is its number of points, a multiple of 4.
        taper: how wide sections are at the top, compared with the bottom.
        between: steps from a station to the next, along smooth curves that don't overshoot.
    """
    columns = np.array([stations, widths, lows, highs], dtype=np.float64)
    if between > 1:
        index = np.arange(columns.shape[1])
        fine = np.linspace(0, index[-1], between * index[-1] + 1)
        columns = PchipInterpolator(index, columns, axis=1)(fine)
    x, wide, low, high = columns
    unit = oval(2.0, 2.0, count, power)
    half, middle = (high - low) / 2, (high + low) / 2
    narrowing = 1 + (taper - 1) * (unit[:, 1] + 1) / 2
    y = wide[:, None] / 2 * (unit[:, 0] * narrowing)[None]
    z = middle[:, None] + half[:, None] * unit[None, :, 1]
    return loft(np.stack([np.broadcast_to(x[:, None], y.shape), y, z], axis=2))


def pipe(path: Float, radius: float | Float, sides: int = 12) -> Mesh:
    """Return a round rod along a path (N, 3), its radius constant or given at each point (N,)."""
    path = np.asarray(path, dtype=np.float64)
    steps = np.diff(path, axis=0)
    steps /= np.linalg.norm(steps, axis=1, keepdims=True)
    along = np.concatenate([steps[:1], steps[:-1] + steps[1:], steps[-1:]])
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    radii = np.broadcast_to(np.asarray(radius, dtype=np.float64), len(path))
    side = np.cross(along[0], np.eye(3)[np.argmin(np.abs(along[0]))])
    angle = 2 * np.pi * np.arange(sides) / sides
    rings = []
    for point, direction, r in zip(path, along, radii, strict=True):
        side = side - direction * (side @ direction)
        side = side / np.linalg.norm(side)
        other = np.cross(direction, side)
        rings.append(
            point + r * (np.cos(angle)[:, None] * side + np.sin(angle)[:, None] * other),
        )
    return loft(np.array(rings))


def rod(
    start: tuple[float, float, float], end: tuple[float, float, float], radius: float, sides: int = 12
) -> Mesh:
    """Return a straight round rod."""
    return pipe(np.array([start, end]), radius, sides)


def rounded_box(size: tuple[float, float, float], radius: float, steps: int = 2) -> Mesh:
    """Return a box centred at the origin with all edges rounded."""
    radius = min(radius, 0.499 * min(size))
    core = np.array(size) / 2 - radius
    quarter = np.linspace(0, np.pi / 2, steps + 1)
    around = np.concatenate([quarter + k * np.pi / 2 for k in range(4)])
    signs = np.repeat([[1, 1], [-1, 1], [-1, -1], [1, -1]], steps + 1, axis=0)
    rings: list[Float] = []
    for latitude in np.concatenate([-quarter[::-1], quarter]):
        side = 1 if len(rings) > steps else -1
        xy = signs * core[:2] + radius * np.cos(latitude) * np.stack([np.cos(around), np.sin(around)], axis=1)
        z = side * core[2] + radius * np.sin(latitude)
        rings.append(np.column_stack([xy, np.full(len(xy), z)]))
    return loft(np.array(rings), crease_deg=50.0 if steps == 1 else 35.0)


def spindle(profile: Float, segments: int = 64) -> Mesh:
    """Return a smooth body of revolution about z; u runs once around from +x over +y, v along the profile.

    Args:
        profile: (P, 2) points (r, z) going up, the first and the last on the axis (r = 0).
        segments: sides of the approximating polygon.
    """
    r, z = np.asarray(profile, dtype=np.float64).T
    slope = np.stack([np.gradient(z), -np.gradient(r)], axis=1)
    slope[[0, -1]] = [[0.0, -1.0], [0.0, 1.0]]
    slope /= np.linalg.norm(slope, axis=1, keepdims=True)
    u, v = np.meshgrid(np.linspace(0, 1, segments + 1), np.linspace(0, 1, len(r)))
    # The seam's two sides are the same points to the last bit.
    angle = 2 * np.pi * np.where(u < 1, u, 0.0)
    cos, sin = np.cos(angle), np.sin(angle)
    points = np.stack([r[:, None] * cos, r[:, None] * sin, z[:, None] + 0 * u], axis=2)
    normals = np.stack([slope[:, :1] * cos, slope[:, :1] * sin, slope[:, 1:] + 0 * u], axis=2)
    index = np.arange(u.size).reshape(u.shape)
    a, b, c, d = index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]
    faces = np.concatenate(
        [np.stack([a, b, c], 2)[1:].reshape(-1, 3), np.stack([a, c, d], 2)[:-1].reshape(-1, 3)]
    )
    uvs = np.stack([u, v], axis=2).reshape(-1, 2)
    return Mesh(points.reshape(-1, 3), faces, normals.reshape(-1, 3), uvs)


def ball(diameter: float, segments: int = 64) -> Mesh:
    """Return a sphere around the origin with the uvs of :func:`spindle`: v runs with the latitude."""
    latitude = np.linspace(-np.pi / 2, np.pi / 2, segments // 2 + 1)
    flat = np.cos(latitude)
    flat[[0, -1]] = 0.0
    return spindle(diameter / 2 * np.stack([flat, np.sin(latitude)], axis=1), segments)
