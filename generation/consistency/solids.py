"""Convex solids in closed form: where rays enter and leave them, and their meshes for the renderer.

A solid is the unit ball, the cube [-1, 1]^3 or the cylinder of radius 1 and z in [-1, 1], moved by an affine
map. All three are one formula: points with q . p^2 <= 1 inside slabs |p_i| <= s_i.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from generation.scene import Mesh

Float = NDArray[np.float64]
Form = Literal["ball", "block", "cylinder"]

# No slab: farther away than anything.
_FAR = 1e9
# Weights of the quadric and half widths of the slabs.
_SHAPES: dict[Form, tuple[tuple[float, float, float], tuple[float, float, float]]] = {
    "ball": ((1.0, 1.0, 1.0), (_FAR, _FAR, _FAR)),
    "block": ((0.0, 0.0, 0.0), (1.0, 1.0, 1.0)),
    "cylinder": ((1.0, 1.0, 0.0), (_FAR, _FAR, 1.0)),
}
_LONGITUDES, _LATITUDES, _SIDES = 128, 64, 128


class Ops(NamedTuple):
    """Array functions under the names that numpy and Dr.Jit don't share."""

    minimum: Callable[[Any, Any], Any]
    maximum: Callable[[Any, Any], Any]
    sqrt: Callable[[Any], Any]
    where: Callable[[Any, Any, Any], Any]


NUMPY = Ops(np.minimum, np.maximum, np.sqrt, np.where)


@dataclass(frozen=True)
class Solid:
    """A convex solid in the world.

    Attributes:
        form: which unit solid. pose: (4, 4) from the unit solid to the world, m; affine.
    """

    form: Form
    pose: Float

    @property
    def quadric(self) -> tuple[float, float, float]:
        """Weights of the squared coordinates."""
        return _SHAPES[self.form][0]

    @property
    def slabs(self) -> tuple[float, float, float]:
        """Half widths along the unit solid's axes."""
        return _SHAPES[self.form][1]

    @property
    def to_unit(self) -> Float:
        """(4, 4) from the world to the unit solid."""
        return np.asarray(np.linalg.inv(self.pose), dtype=np.float64)

    @property
    def center(self) -> Float:
        """(3,) m."""
        center: Float = self.pose[:3, 3]
        return center

    def moved(self, offset: tuple[float, float, float]) -> Solid:
        """Return the solid elsewhere, (3,) m."""
        shift = np.eye(4)
        shift[:3, 3] = offset
        return Solid(self.form, shift @ self.pose)

    def crossing(self, origins: Float, ends: Float) -> tuple[Float, Float]:
        """Return where lines from (N, 3) origins to ends enter and leave, each (N,), in parts of the way.

        Lines that miss the solid leave it before they enter it.
        """
        start, end = self._local(origins), self._local(ends)
        return crossing(start.T, (end - start).T, self.quadric, self.slabs, NUMPY)

    def meets(self, origins: Float, ends: Float) -> NDArray[np.bool_]:
        """Return whether the solid lies between (N, 3) origins and ends."""
        enter, leave = self.crossing(origins, ends)
        return (enter < leave) & (leave > _SKIN) & (enter < 1)

    def _local(self, points: Float) -> Float:
        inverse = self.to_unit
        return points @ inverse[:3, :3].T + inverse[:3, 3]

    def mesh(self) -> Mesh:
        """Return a fine mesh with the solid's normals, inscribed into it."""
        rest = _MESHES[self.form]()
        linear = self.pose[:3, :3]
        vertices = rest.vertices @ linear.T + self.center
        assert rest.normals is not None
        normals = rest.normals @ np.linalg.inv(linear)
        return Mesh(vertices, rest.faces, normals / np.linalg.norm(normals, axis=1, keepdims=True))


# Rays that start on a solid don't meet it there.
_SKIN = 1e-5


def crossing(origin: Any, direction: Any, quadric: Any, slabs: Any, ops: Ops) -> tuple[Any, Any]:
    """Return where lines enter and leave a unit solid, in units of the direction.

    Args:
        origin, direction: three arrays each, in the unit solid's frame.
        quadric, slabs: see :class:`Solid`; numbers or arrays.
        ops: numpy's or Dr.Jit's.
    """
    a = sum((q * d * d for q, d in zip(quadric, direction, strict=True)), 1e-12)
    b = sum(q * o * d for q, o, d in zip(quadric, origin, direction, strict=True))
    c = sum((q * o * o for q, o in zip(quadric, origin, strict=True)), -1.0)
    discriminant = b * b - a * c
    root = ops.sqrt(ops.maximum(discriminant, 0.0))
    misses = discriminant < 0
    enter = ops.where(misses, _FAR, (-b - root) / a)
    leave = ops.where(misses, -_FAR, (-b + root) / a)
    for o, d, s in zip(origin, direction, slabs, strict=True):
        inverse = 1.0 / ops.where(abs(d) < 1e-12, 1e-12, d)
        near, far = (-s - o) * inverse, (s - o) * inverse
        enter = ops.maximum(enter, ops.minimum(near, far))
        leave = ops.minimum(leave, ops.maximum(near, far))
    return enter, leave


def _ball() -> Mesh:
    longitude = np.linspace(0, 2 * np.pi, _LONGITUDES, endpoint=False)
    latitude = np.linspace(0, np.pi, _LATITUDES + 1)
    theta, phi = np.meshgrid(latitude, longitude, indexing="ij")
    points = np.stack([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)], axis=-1)
    vertices = points.reshape(-1, 3)
    return Mesh(vertices, _strip_faces(_LATITUDES, _LONGITUDES), vertices)


def _strip_faces(rows: int, columns: int) -> NDArray[np.int64]:
    """Return faces of a grid of rows + 1 rings, the first on top, counter-clockwise seen from outside."""
    row, column = np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij")
    upper, after = row * columns, (column + 1) % columns
    a, b, c, d = upper + column, upper + columns + column, upper + columns + after, upper + after
    lower = np.stack([a, b, c], axis=-1).reshape(-1, 3)
    return np.concatenate([lower, np.stack([a, c, d], axis=-1).reshape(-1, 3)])


def _block() -> Mesh:
    vertices: list[Float] = []
    normals: list[Float] = []
    faces: list[tuple[int, int, int]] = []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            u, v = np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]
            n = sign * np.eye(3)[axis]
            corners = [n - u - v, n + u - v, n + u + v, n - u + v]
            first = len(vertices)
            vertices += corners if sign > 0 else corners[::-1]
            normals += [n] * 4
            faces += [(first, first + 1, first + 2), (first, first + 2, first + 3)]
    return Mesh(np.array(vertices), np.array(faces, dtype=np.int64), np.array(normals))


def _cylinder() -> Mesh:
    angle = np.linspace(0, 2 * np.pi, _SIDES, endpoint=False)
    around = np.stack([np.cos(angle), np.sin(angle), np.zeros(_SIDES)], axis=1)
    up = np.array([0.0, 0.0, 1.0])
    rings = [around + up, around - up]
    side = np.concatenate(rings), np.tile(around, (2, 1)), _strip_faces(1, _SIDES)
    parts = [side]
    for sign in (1.0, -1.0):
        rim = around + sign * up
        ring, center = np.arange(_SIDES), np.full(_SIDES, _SIDES)
        after = (ring + 1) % _SIDES
        fan = np.stack([center, ring, after] if sign > 0 else [center, after, ring], axis=1)
        parts.append((np.vstack([rim, sign * up]), np.tile(sign * up, (_SIDES + 1, 1)), fan))
    offsets = np.cumsum([0, *(len(vertices) for vertices, _, _ in parts[:-1])])
    return Mesh(
        np.concatenate([vertices for vertices, _, _ in parts]),
        np.concatenate([faces + k for (_, _, faces), k in zip(parts, offsets, strict=True)]),
        np.concatenate([normals for _, normals, _ in parts]),
    )


_MESHES: dict[Form, Callable[[], Mesh]] = {"ball": _ball, "block": _block, "cylinder": _cylinder}
