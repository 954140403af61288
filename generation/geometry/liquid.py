"""Liquid at rest in a vessel held at any angle: exact volumes, and meshes cut by the level.

Everything is in the vessel's own frame; ``up`` is the world's vertical seen from there. The liquid is the
part of the cavity below a level plane, so its volume is that of a polyhedron and known without sampling.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from generation.geometry.clipping import Parts, divide, mean_positive, share_below
from generation.geometry.solid import joined, soup
from generation.geometry.vessel import Vessel
from generation.scene import Float, Mesh

_STEEPEST = 0.55 * np.pi


@dataclass(frozen=True)
class Cut:
    """The cavity of a vessel, divided by the level of its liquid. The topology never changes.

    Attributes:
        wet: cavity wall below the level, normals out of the liquid into the wall.
        dry: cavity wall above the level, normals the same way.
        top: level surface and, where the liquid stands above the lip, its open side in the mouth; normals
            out of the liquid. ``wet`` and ``top`` close the liquid.
    """

    wet: Mesh
    dry: Mesh
    top: Mesh


class Cavity:
    """The space inside a vessel, closed by a flat lid over its mouth."""

    def __init__(self, vessel: Vessel) -> None:
        """Prepare the triangles."""
        wall, mouth = vessel.cavity, vessel.mouth
        assert wall.normals is not None
        count, size = len(wall.vertices), len(mouth)
        rim = count + np.arange(size)
        lid = np.stack([np.full(size, count + size), rim, np.roll(rim, -1)], axis=1)
        self._vertices = np.concatenate([wall.vertices, mouth, mouth.mean(axis=0, keepdims=True)])
        self._faces = np.concatenate([wall.faces, lid])
        normals = np.concatenate([wall.normals, np.tile([0.0, 0.0, 1.0], (size + 1, 1))])
        self._corners, self._normals = self._vertices[self._faces], normals[self._faces]
        a, b, c = np.moveaxis(self._corners, 1, 0)
        self._areas = np.cross(b - a, c - a) / 2
        self._wall_count = len(wall.faces)
        self._lip = vessel.lip

    def volume(self, up: Float, level: float) -> float:
        """Return the volume in m^3 below the plane ``point @ up == level``."""
        depths = (level - self._vertices @ up)[self._faces]
        return float(-(self._areas @ up) @ mean_positive(depths))

    def capacity(self) -> float:
        """Return the volume in m^3 of the whole cavity."""
        up = np.array([0.0, 0.0, 1.0])
        return self.volume(up, float((self._vertices @ up).max()))

    def level(self, up: Float, volume: float) -> float:
        """Return the level at which the liquid below it has a volume.

        Raises:
            ValueError: the volume is negative or more than the cavity holds.
        """
        heights = (self._vertices @ up)[self._faces]
        low, high = float(heights.min()), float(heights.max())
        if not 0 <= volume <= self.volume(up, high) * (1 + 1e-12):
            raise ValueError(f"the vessel can't hold {volume} m^3")
        if volume == 0:
            return low
        areas = self._areas @ up
        return _root(lambda level: float(-areas @ mean_positive(level - heights)) - volume, low, high)

    def brim(self, tilt: float, head: float) -> float:
        """Return the level that stands ``head`` above the lip, measured along the mouth, at a tilt (rad)."""
        point = self._lip - np.array([head, 0.0, 0.0])
        return float(point @ up_at(tilt))

    def tilt(self, volume: float, opening: Callable[[float], float] = lambda _: 0.0) -> float:
        """Return the tilt (rad) at which a volume reaches the lip, or rises above it by a head.

        Args:
            volume: m^3. opening: head in m at a tilt (see :meth:`brim`).

        Raises:
            ValueError: no tilt does, as for an empty vessel.
        """

        def surplus(tilt: float) -> float:
            return self.volume(up_at(tilt), self.brim(tilt, opening(tilt))) - volume

        brimful = _root(lambda tilt: self.volume(up_at(tilt), self.brim(tilt, 0.0)) - volume, 0.0, _STEEPEST)
        # Just below, where the level is above the lip for sure.
        return _root(surplus, brimful - 1e-6, _STEEPEST) if opening(brimful) > 0 else brimful

    def head(self, area: float) -> float:
        """Return how far above the lip liquid stands when its open side in the mouth has an area, m^2."""
        lid = self._corners[self._wall_count :]
        x = self._lip[0] - lid[..., 0]
        sizes = np.abs(self._areas[self._wall_count :, 2])
        if area <= 0:
            return 0.0
        return _root(lambda head: float(sizes @ share_below(head - x)) - area, 0.0, float(x.max()))

    def cut(self, up: Float, level: float) -> Cut:
        """Divide the cavity at a level."""
        heights = self._vertices @ up
        depths = (level - heights)[self._faces]
        parts = divide(self._corners, self._normals, depths)
        middle = _middle(parts, self._vertices[heights.argmin()])
        # Faces of no size lie in the liquid's surface: its bounds stay those of the liquid.
        below = np.where((depths > 0).any(axis=1)[:, None, None], parts.below, middle)
        wall, lid = slice(0, self._wall_count), slice(self._wall_count, None)
        return Cut(
            wet=soup(below[wall], parts.normals_below[wall]),
            dry=soup(parts.above[wall], parts.normals_above[wall]),
            top=joined([_surface(parts, middle, up), soup(below[lid], parts.normals_below[lid])]),
        )


def _middle(parts: Parts, otherwise: Float) -> Float:
    """Return the middle of the line where the level meets the wall, (3,)."""
    length = np.linalg.norm(parts.ends - parts.starts, axis=1, keepdims=True)
    if not length.any():
        return otherwise
    return np.asarray(((parts.starts + parts.ends) / 2 * length).sum(axis=0) / length.sum())


def _surface(parts: Parts, middle: Float, up: Float) -> Mesh:
    """Return the level surface as a fan around its middle."""
    crossed = parts.crossed[:, None]
    fan = [np.broadcast_to(middle, parts.starts.shape)]
    fan += [np.where(crossed, end, middle) for end in (parts.starts, parts.ends)]
    triangles = np.stack(fan, axis=1)
    return soup(triangles, np.broadcast_to(up, triangles.shape))


def up_at(tilt: float) -> Float:
    """Return the world's vertical in the frame of a vessel that leans towards +x by ``tilt`` (rad)."""
    return np.array([-np.sin(tilt), 0.0, np.cos(tilt)])


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    return float(brentq(function, low, high, xtol=1e-16, rtol=4 * np.finfo(float).eps, maxiter=200))
