"""Put a thing together: group meshes by material, fit sizes exactly, centre it, find the measures' ends."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from generation.geometry.placing import bounds, moved, scaled
from generation.geometry.solid import joined
from generation.quantiphy.things.model import Part, Point, Thing
from generation.rendering.shapes import join
from generation.scene import Float, Material, Mesh

_TOUCH = 1e-9


class Kit:
    """The meshes of a thing under construction.

    Args:
        colored: the material that carries the colour of the thing's name.
    """

    def __init__(self, colored: Material) -> None:
        """Start with nothing."""
        self._colored = colored
        self._meshes: dict[Material, list[Mesh]] = {}

    def add(self, material: Material, *meshes: Mesh) -> None:
        """Add closed bodies of a material; textured ones need uvs."""
        self._meshes.setdefault(material, []).extend(meshes)

    def paint(self, *meshes: Mesh) -> None:
        """Add closed bodies of the coloured material."""
        self.add(self._colored, *meshes)

    def thing(
        self,
        sizes: Mapping[str, float],
        measures: Mapping[str, str],
        rulers: Mapping[str, tuple[Point, Point]] | None = None,
        ground_z: float | None = None,
    ) -> Thing:
        """Return the thing.

        Args:
            sizes: extents in m that the whole gets along "x", "y", "z"; other axes stay as built.
            measures: word to the axis whose whole extent it is.
            rulers: word to two end points, as built, of other measures.
            ground_z: as built, see :class:`Thing`; None: the lowest point.
        """
        everything = [mesh for meshes in self._meshes.values() for mesh in meshes]
        low, high = bounds(everything)
        # Whole extents first: what a rounded sum of parts misses is scaled away.
        factors = np.array([sizes[a] / (high - low)[k] if a in sizes else 1.0 for k, a in enumerate("xyz")])
        middle = (low + high) / 2 * factors

        def place(point: Point | Float) -> Float:
            return np.asarray(point) * factors - middle

        parts = tuple(
            Part(moved(scaled(_one(material, meshes), *factors), *-middle), material)
            for material, meshes in self._meshes.items()
        )
        points = np.concatenate([part.mesh.vertices for part in parts])
        axes = {word: _span(points, "xyz".index(axis)) for word, axis in measures.items()}
        for word, (a, b) in (rulers or {}).items():
            axes[word] = _point(place(a)), _point(place(b))
        return Thing(
            parts=parts,
            measures={word: float(np.linalg.norm(np.subtract(b, a))) for word, (a, b) in axes.items()},
            measure_axes=axes,
            ground_z=float(place((0.0, 0.0, low[2] if ground_z is None else ground_z))[2]),
            colored=list(self._meshes).index(self._colored),
        )


def _one(material: Material, meshes: list[Mesh]) -> Mesh:
    return join(meshes) if material.texture else joined(meshes)


def _span(points: Float, axis: int) -> tuple[Point, Point]:
    """Return the ends of a ruler laid along an axis past the foremost and hindmost points."""
    low, high = points[:, axis].min(), points[:, axis].max()
    ends = [points[np.abs(points[:, axis] - value) < _TOUCH].mean(axis=0) for value in (low, high)]
    line = (ends[0] + ends[1]) / 2
    first, last = line.copy(), line.copy()
    first[axis], last[axis] = low, high
    return _point(first), _point(last)


def _point(values: Float) -> Point:
    x, y, z = (float(value) for value in values)
    return x, y, z
