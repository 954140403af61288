"""Triangle meshes of the things on the table: closed, outward-facing, smooth where they should be.

All lengths are in metres. Vertices at sharp edges are doubled, so that each side keeps its own normal.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable

import numpy as np

from generation.scene import Float, Int, Mesh

Relief = Callable[[Float, Float], Float]

_CREASE_COSINE = np.cos(np.radians(40.0))


def join(meshes: Iterable[Mesh]) -> Mesh:
    """Return several meshes as one; all must have normals, and either all or none uvs."""
    parts = list(meshes)
    offsets = np.cumsum([0, *(len(part.vertices) for part in parts[:-1])])
    return Mesh(
        np.concatenate([part.vertices for part in parts]),
        np.concatenate([part.faces + offset for part, offset in zip(parts, offsets, strict=True)]),
        np.concatenate([part.normals for part in parts if part.normals is not None]),
        np.concatenate([part.uvs for part in parts if part.uvs is not None]) if _has_uvs(parts) else None,
    )


def _has_uvs(parts: list[Mesh]) -> bool:
    return parts[0].uvs is not None


def box(size: tuple[float, float, float]) -> Mesh:
    """Return a box centred at the origin, flat sides, each side with uvs over [0, 1]^2."""
    sides = []
    for axis in range(3):
        for sign in (1.0, -1.0):
            u, v = np.roll(np.eye(3), -axis - 1, axis=0)[:2]
            normal = sign * np.eye(3)[axis]
            if axis == 2 and sign > 0:
                u, v = np.eye(3)[0], np.eye(3)[1]
            elif np.dot(np.cross(u, v), normal) < 0:
                u = -u
            corners = np.array([normal - u - v, normal + u - v, normal + u + v, normal - u + v])
            uvs = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
            faces = np.array([[0, 1, 2], [0, 2, 3]])
            sides.append(Mesh(corners * np.array(size) / 2, faces, np.tile(normal, (4, 1)), uvs))
    return join(sides)


def lathe(profile: Float, segments: int, *, loop: bool = False) -> Mesh:
    """Revolve a profile about the z axis.

    Args:
        profile: (P, 2) points (r, z), going up the outside, with the body on the left. They start and end on
            the axis, or form a loop beside it.
        segments: sides of the approximating polygon.
        loop: join the last point to the first.
    """
    points = np.vstack([profile, profile[:1]]) if loop else np.asarray(profile, dtype=np.float64)
    steps = np.diff(points, axis=0)
    flat = np.stack([steps[:, 1], -steps[:, 0]], axis=1)
    flat /= np.linalg.norm(flat, axis=1, keepdims=True)
    start, end = _profile_normals(points, flat, loop)
    turn = _turn(segments)
    parts = [
        _stack(_revolve(points[k : k + 2], turn), _revolve(np.stack([start[k], end[k]]), turn))
        for k in range(len(steps))
    ]
    return join(parts)


def _profile_normals(points: Float, flat: Float, loop: bool) -> tuple[Float, Float]:
    """Return the normals at each step's two ends, averaged over its neighbour unless the edge is sharp."""
    before, after = np.roll(flat, 1, axis=0), np.roll(flat, -1, axis=0)
    start = np.where((flat * before).sum(1, keepdims=True) > _CREASE_COSINE, flat + before, flat)
    end = np.where((flat * after).sum(1, keepdims=True) > _CREASE_COSINE, flat + after, flat)
    if not loop:
        start[0] = flat[0] * (points[0, 0] > 0, 1.0)
        end[-1] = flat[-1] * (points[-1, 0] > 0, 1.0)
    return (
        start / np.linalg.norm(start, axis=1, keepdims=True),
        end / np.linalg.norm(end, axis=1, keepdims=True),
    )


def _turn(segments: int) -> Float:
    angle = 2 * np.pi * np.arange(segments) / segments
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _revolve(points: Float, turn: Float) -> Float:
    """Return rings (P, S, 3) of profile points, or profile normals, (P, 2)."""
    radial = points[:, None, :1] * turn[None]
    height = np.broadcast_to(points[:, None, 1:], (*radial.shape[:2], 1))
    return np.concatenate([radial, height], axis=2)


def _stack(rings: Float, normals: Float, uvs: Float | None = None) -> Mesh:
    """Connect rings (K, S, 3), each to the next; rings shrunk to a point leave no empty triangles."""
    count, size = rings.shape[:2]
    index = np.arange(count * size).reshape(count, size)
    low, high = index[:-1], index[1:]
    low_next, high_next = np.roll(low, -1, axis=1), np.roll(high, -1, axis=1)
    point = np.ptp(rings, axis=1).max(axis=1) < 1e-12
    first = np.stack([low, low_next, high_next], axis=2)[~point[:-1]]
    second = np.stack([low, high_next, high], axis=2)[~point[1:]]
    faces: Int = np.concatenate([first.reshape(-1, 3), second.reshape(-1, 3)])
    flat_uvs = None if uvs is None else uvs.reshape(-1, 2)
    return Mesh(rings.reshape(-1, 3), faces, normals.reshape(-1, 3), flat_uvs)


def tube(length: float, outer: float, inner: float, segments: int = 48) -> Mesh:
    """Return a hollow tube along +x from x = 0 to x = length, both ends open, their edges rounded.

    Its u runs from 0 at +y around to 1 at -y, alike over and under the tube; v runs from 0 to 1 along it.
    """
    half = (outer - inner) / 2
    middle = (outer + inner) / 2
    bend = np.linspace(0, np.pi, 7)
    top = np.stack([middle + half * np.cos(bend), length - half + half * np.sin(bend)], axis=1)
    bottom = np.stack([middle - half * np.cos(bend), half - half * np.sin(bend)], axis=1)
    upright = lathe(np.vstack([top, bottom]), segments, loop=True)
    assert upright.normals is not None
    vertices = upright.vertices[:, [2, 0, 1]]
    around = np.abs(np.arctan2(vertices[:, 2], vertices[:, 1])) / np.pi
    uvs = np.stack([around, vertices[:, 0] / length], axis=1)
    return Mesh(vertices, upright.faces, upright.normals[:, [2, 0, 1]], uvs)


def saucer(floor_radius: float, rim_radius: float, height: float, floor: float, segments: int = 96) -> Mesh:
    """Return a round dish on a foot ring, standing on z = 0; its flat inside lies at z = ``floor``."""
    foot = 0.62 * floor_radius
    climb = np.linspace(0, 1, 13)
    slope = climb**1.7
    lip = (height - floor) * 0.16
    inside_r, inside_z = (
        floor_radius + (rim_radius - lip - floor_radius) * climb,
        floor + (height - floor) * slope,
    )
    outside = np.stack([inside_r + 1.2 * lip, np.maximum(inside_z - 1.3 * lip, 0.35 * floor)], axis=1)[:-1]
    bend = np.linspace(-0.35 * np.pi, np.pi, 9)[1:-1]
    rim = np.stack([rim_radius - lip / 2 + lip / 2 * np.cos(bend), height + lip / 2 * np.sin(bend)], axis=1)
    under = [
        [0, 0.35 * floor],
        [foot, 0.35 * floor],
        [foot + 0.0004, 0],
        [foot + 0.0026, 0],
        [foot + 0.003, 0.35 * floor],
    ]
    inside = np.stack([inside_r, inside_z], axis=1)[::-1]
    return lathe(np.vstack([under, outside, rim, inside, [[0, floor]]]), segments)


def medal(
    radius: float, thickness: float, relief: Relief, *, rings: int = 32, segments: int = 160, reeds: int = 0
) -> Mesh:
    """Return a coin lying on z = 0: a struck upper face, bevelled edges, a plain lower face.

    Args:
        radius: of the edge. thickness: from the table to the zero level of the relief.
        relief: height of the upper face over points (x, y) of the unit disc, in radii.
        rings, segments: resolution of the upper face.
        reeds: grooves around the edge; must divide ``segments``.
    """
    bevel = 0.035
    turn = _turn(segments)
    rho = np.linspace(1 - bevel, 0, rings)
    plane = rho[:, None, None] * turn[None]
    face_normals = _relief_normals(relief, plane)
    height = thickness / radius + relief(plane[..., 0], plane[..., 1])
    face = np.concatenate([plane, height[..., None]], axis=2)
    groove = 1 - 0.008 * (0.5 - 0.5 * np.cos(reeds * np.arctan2(turn[:, 1], turn[:, 0]))) if reeds else 1.0
    shoulder = height[0].min() - bevel * 0.8
    edge = [_ring(turn * (1 - bevel), 0.0), _ring(turn * np.reshape(groove, (-1, 1)), 0.6 * bevel)]
    edge += [_ring(turn * np.reshape(groove, (-1, 1)), shoulder), face[0]]
    parts = [_facet(_ring(turn * 0, 0.0), edge[0], radius)]
    parts += [_facet(low, high, radius) for low, high in itertools.pairwise(edge)]
    parts.append(_stack(face * radius, face_normals, 0.5 + 0.5 * plane))
    return join(parts)


def _ring(xy: Float, z: float) -> Float:
    return np.concatenate([xy, np.full((len(xy), 1), z)], axis=1)


def _facet(low: Float, high: Float, radius: float) -> Mesh:
    """Return the band between two rings in radii, its normals perpendicular to it along the ring."""
    along = high - low
    around = np.roll(high, -1, axis=0) - np.roll(high, 1, axis=0)
    normals = np.cross(around, along)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    rings = np.stack([low, high])
    return _stack(rings * radius, np.stack([normals, normals]), 0.5 + 0.5 * rings[..., :2])


def _relief_normals(relief: Relief, plane: Float, step: float = 0.012) -> Float:
    x, y = plane[..., 0], plane[..., 1]
    slope_x = (relief(x + step, y) - relief(x - step, y)) / (2 * step)
    slope_y = (relief(x, y + step) - relief(x, y - step)) / (2 * step)
    normals = np.stack([-slope_x, -slope_y, np.ones_like(slope_x)], axis=2)
    return np.asarray(normals / np.linalg.norm(normals, axis=2, keepdims=True))
