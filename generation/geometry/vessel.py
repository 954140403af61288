"""Drinking glasses and a jug: surfaces of revolution with a real wall, open at the top.

A vessel stands on z = 0, its axis is the z axis, and it pours towards +x.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from generation.geometry.solid import vertex_normals
from generation.scene import Float, Mesh

_SEGMENTS = 72
_BOWL = 0.0006


@dataclass(frozen=True)
class Vessel:
    """A vessel in its own frame, m.

    Attributes:
        outside: mesh from the foot to the crest of the rim, normals out of the wall.
        cavity: mesh from the middle of the bottom to the crest of the rim, normals into the wall.
        mouth: (M, 3) the crest, where the cavity ends: a flat polygon, counter-clockwise from above, whose
            first corner is the lip, on +x.
        floor: height below which the cavity is no more than a shallow bowl.
    """

    outside: Mesh
    cavity: Mesh
    mouth: Float
    floor: float

    @property
    def lip(self) -> Float:
        """The point over which the vessel pours, (3,)."""
        return np.asarray(self.mouth[0])

    @property
    def height(self) -> float:
        """From the table to the crest of the rim."""
        return float(self.mouth[0, 2])

    @property
    def radius(self) -> float:
        """The largest distance of the outside from the axis."""
        return float(np.hypot(*self.outside.vertices[:, :2].T).max())


@dataclass(frozen=True)
class Shape:
    """Measures of a vessel, m.

    Attributes:
        bottom, top: inner radius where the wall begins and ends.
        height: from the table to the crest of the rim.
        wall, base: thickness of the wall and of the bottom.
        spout: how far the rim is pulled out on +x; 0 for a round rim.
    """

    bottom: float
    top: float
    height: float
    wall: float
    base: float
    spout: float = 0.0


def vessel(shape: Shape, segments: int = _SEGMENTS) -> Vessel:
    """Return the vessel of given measures.

    The rim is rounded, so are the corners; the inside rises a little from the middle of the bottom, so that
    the first drops gather there; the outside stands on a ring.
    """
    down, up = np.array([0.0, -1.0]), np.array([0.0, 1.0])
    inside, outside = _inner_profile(shape), _outer_profile(shape)
    cavity = _revolved(inside, _profile_normals(inside, down, down), segments)
    skin = _revolved(outside, _profile_normals(outside, down, up), segments)
    if shape.spout:
        cavity, skin = _pulled(cavity, shape), _pulled(skin, shape)
    return Vessel(skin, cavity, cavity.vertices[-segments:], shape.base + _BOWL)


def _arc(centre: tuple[float, float], radius: float, start_deg: float, end_deg: float, count: int) -> Float:
    angle = np.radians(np.linspace(start_deg, end_deg, count))
    return np.asarray(centre) + radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _inner_profile(shape: Shape) -> Float:
    corner = 0.28 * shape.bottom
    flat = shape.bottom - corner
    radii = flat * np.sqrt(np.linspace(0, 1, 7))
    bottom = np.stack([radii, shape.base + _BOWL * (radii / flat) ** 2], axis=1)
    bend = _arc((flat, shape.base + _BOWL + corner), corner, -84, 0, 8)
    half = shape.wall / 2
    wall_foot, wall_top = bend[-1], np.array([shape.top, shape.height - half])
    wall = wall_foot + np.linspace(0, 1, 5)[1:-1, None] * (wall_top - wall_foot)
    rim = _arc((shape.top + half, shape.height - half), half, 180, 90, 6)
    return np.concatenate([bottom, bend, wall, rim])


def _outer_profile(shape: Shape) -> Float:
    corner = 0.0032
    half = shape.wall / 2
    wide = shape.bottom + shape.wall
    foot = wide - corner
    radii = (foot - 0.0015) * np.linspace(0, 1, 7)
    # A hollow under the base: only a ring touches the table, and no surface coincides with it.
    punt = np.stack([radii, 0.0003 + 0.0012 * (1 - (radii / radii[-1]) ** 2)], axis=1)
    bend = _arc((foot, 0.0003 + corner), corner, -88, 0, 9)
    wall_foot, wall_top = bend[-1], np.array([shape.top + shape.wall, shape.height - half])
    wall = wall_foot + np.linspace(0, 1, 5)[1:-1, None] * (wall_top - wall_foot)
    rim = _arc((shape.top + half, shape.height - half), half, 0, 90, 6)
    return np.concatenate([punt, bend, wall, rim])


def _profile_normals(points: Float, first: Float, last: Float) -> Float:
    """Return unit normals (P, 2) on the right of a profile's way, with given ones at its ends."""
    steps = np.diff(points, axis=0)
    sides = np.stack([steps[:, 1], -steps[:, 0]], axis=1)
    sides /= np.linalg.norm(sides, axis=1, keepdims=True)
    middle = sides[:-1] + sides[1:]
    return np.concatenate([[first], middle / np.linalg.norm(middle, axis=1, keepdims=True), [last]])


def _revolved(profile: Float, normals: Float, segments: int) -> Mesh:
    """Revolve a profile (P, 2) of (r, z) that starts on the z axis; faces turn to the right of its way."""
    angle = 2 * np.pi * np.arange(segments) / segments
    turn = np.stack([np.cos(angle), np.sin(angle), np.ones(segments)], axis=1)
    vertices = (profile[:, None, [0, 0, 1]] * turn).reshape(-1, 3)
    directions = (normals[:, None, [0, 0, 1]] * turn).reshape(-1, 3)
    index = np.arange(len(vertices)).reshape(len(profile), segments)
    low, high = index[:-1], index[1:]
    low_next, high_next = np.roll(low, -1, axis=1), np.roll(high, -1, axis=1)
    first = np.stack([low, low_next, high_next], axis=2)[1:]
    second = np.stack([low, high_next, high], axis=2)
    return Mesh(vertices, np.concatenate([first.reshape(-1, 3), second.reshape(-1, 3)]), directions)


def _pulled(mesh: Mesh, shape: Shape) -> Mesh:
    """Pull the rim out into a spout; the crest stays flat."""
    x, y, z = mesh.vertices.T
    share = np.clip((z / shape.height - 0.55) / 0.45, 0, 1) ** 2
    away = np.exp(-((np.arctan2(y, x) / 0.38) ** 2)) * (np.hypot(x, y) > 0.5 * shape.bottom)
    moved = mesh.vertices + shape.spout * (share * away)[:, None] * np.array([1.0, 0.0, 0.0])
    return Mesh(moved, mesh.faces, vertex_normals(moved, mesh.faces))
