"""Lumps of clay: superellipsoids with a worked surface, scaled to an exact mesh volume.

A lump is the zero set of an approximate distance, so that two lumps can melt into one (see ``merging``).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from generation.geometry.solid import vertex_normals
from generation.geometry.solid import volume as mesh_volume
from generation.geometry.superellipse import Form, distance, surface
from generation.scene import Float, Int, Mesh

_RINGS, _SEGMENTS = 84, 112
_STEP = 2e-5
# How far the weight of a lump flattens it where it lies, m, and the radius that smooths the edge.
_SAG = 0.0009
_SAG_RADIUS = 0.0030


@dataclass(frozen=True)
class Dents:
    """Shallow marks that fingers leave, as functions of direction.

    Attributes:
        directions: (N, 3) unit vectors. depths: (N,) m, negative for bulges. widths: (N,) radians.
    """

    directions: Float
    depths: Float
    widths: Float

    def depth(self, directions: Float) -> Float:
        """Return the depth in m at unit vectors (..., 3)."""
        cosine = directions @ self.directions.T
        return np.asarray(np.exp((cosine - 1) / self.widths**2) @ self.depths)

    @functools.cached_property
    def on_grid(self) -> Float:
        """Depth in m at the directions of every lump's mesh."""
        return self.depth(_directions())


@dataclass(frozen=True)
class Worked:
    """Marks on their way from some to others.

    Attributes:
        first, last: the marks. share: of the last, in [0, 1].
    """

    first: Dents
    last: Dents
    share: float

    def depth(self, directions: Float) -> Float:
        """Return the depth in m at unit vectors (..., 3)."""
        return (1 - self.share) * self.first.depth(directions) + self.share * self.last.depth(directions)

    @property
    def on_grid(self) -> Float:
        """Depth in m at the directions of every lump's mesh."""
        return (1 - self.share) * self.first.on_grid + self.share * self.last.on_grid


@dataclass(frozen=True)
class Lump:
    """A body of clay around the origin.

    Attributes:
        form: its shape. volume: m^3. dents: marks on it.
        squeeze: factor by which it is longer along x, and shorter along y, than its form.
    """

    form: Form
    volume: float
    dents: Dents | Worked
    squeeze: float = 1.0

    @property
    def half_axes(self) -> tuple[float, float]:
        """(a, c) in m."""
        return self.form.half_axes(self.volume)

    def distance(self, points: Float, depth: Float | float = 0.0) -> Float:
        """Return the approximate signed distance in m of points (..., 3), negative inside.

        Args:
            depth: of the marks at each point, m (see :meth:`depth`); without it, the lump has none.
        """
        a, c = self.half_axes
        points = points / self._stretch
        body = distance(points, self.form, (a, c)) + depth
        return smooth_maximum(body, -points[..., 2] - c + _SAG, _SAG_RADIUS)

    def depth(self, points: Float) -> Float:
        """Return the depth in m of the marks in the direction of points (..., 3)."""
        a, c = self.half_axes
        scaled = points / self._stretch / np.array([a, a, c])
        return self.dents.depth(scaled / np.maximum(np.linalg.norm(scaled, axis=-1, keepdims=True), 1e-9))

    def mesh(self) -> Mesh:
        """Return the closed mesh of this lump, with its exact volume."""
        near = surface(_directions(), self.form, self.half_axes) * self._stretch
        depth = self.dents.on_grid
        points = drawn_in(near, lambda points: self.distance(points, depth))
        return sized(Mesh(points, _faces(), vertex_normals(points, _faces())), self.volume)

    @property
    def _stretch(self) -> Float:
        return np.array([self.squeeze, 1 / self.squeeze, 1.0])


def sized(mesh: Mesh, volume: float) -> Mesh:
    """Return a mesh scaled about the origin to a volume in m^3."""
    return Mesh(mesh.vertices * np.cbrt(volume / mesh_volume(mesh)), mesh.faces, mesh.normals)


def set_down(mesh: Mesh, place: Float) -> Mesh:
    """Return a mesh whose own origin is above or below a place (3,) m, on which it stands."""
    shift = np.array([place[0], place[1], place[2] - mesh.vertices[:, 2].min()])
    return Mesh(mesh.vertices + shift, mesh.faces, mesh.normals)


def smooth_maximum(first: Float, second: Float, radius: float) -> Float:
    """Return the larger of two distances, their edge rounded over a radius in m."""
    overlap = np.maximum(radius - np.abs(first - second), 0.0) / radius
    return np.asarray(np.maximum(first, second) + overlap**3 * radius / 6)


def drawn_in(points: Float, distance: Callable[[Float], Float], rounds: int = 2) -> Float:
    """Return points (N, 3) near the zero set of a distance moved onto it, straight along its gradient."""
    value = distance(points)
    ways = np.stack([(distance(points + step) - value) / _STEP for step in _STEP * np.eye(3)], axis=1)
    ways /= np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), 1e-9)
    for _ in range(rounds):
        points = points - value[:, None] * ways
        value = distance(points)
    return points


@functools.cache
def _directions() -> Float:
    """Return unit vectors of a sphere's grid, closer where lumps have their edges; poles first and last."""
    turn = 2 * np.pi * np.arange(_SEGMENTS) / _SEGMENTS
    rise = np.pi * (np.arange(1, _RINGS) / _RINGS - 0.5)
    rise = rise + 0.12 * np.sin(4 * rise)
    rings = np.stack(
        [
            np.cos(rise)[:, None] * np.cos(turn),
            np.cos(rise)[:, None] * np.sin(turn),
            np.broadcast_to(np.sin(rise)[:, None], (_RINGS - 1, _SEGMENTS)),
        ],
        axis=2,
    )
    return np.concatenate([[[0, 0, -1.0]], rings.reshape(-1, 3), [[0, 0, 1.0]]])


@functools.cache
def _faces() -> Int:
    index = 1 + np.arange((_RINGS - 1) * _SEGMENTS).reshape(_RINGS - 1, _SEGMENTS)
    after = np.roll(index, -1, axis=1)
    last = 1 + index.size
    bottom = np.stack([np.zeros(_SEGMENTS, dtype=int), after[0], index[0]], axis=1)
    top = np.stack([np.full(_SEGMENTS, last), index[-1], after[-1]], axis=1)
    first = np.stack([index[:-1], after[:-1], after[1:]], axis=2).reshape(-1, 3)
    second = np.stack([index[:-1], after[1:], index[1:]], axis=2).reshape(-1, 3)
    return np.concatenate([bottom, first, second, top])
