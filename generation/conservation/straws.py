"""Drinking straws that can be cut shorter or drawn out longer.

A straw lies along x in its own frame: its fixed end at x = 0, its free end at x = length.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generation.rendering.shapes import join, tube
from generation.scene import Float, Material, Mesh, Role

_WALL = 0.0008
# The piece to be cut off waits inside the wall, where nothing can see it.
_HIDDEN = 0.00002
# Play between the tubes, how deep inside the inner one starts, and its length as a share of the straw.
_PLAY = 0.0001
_RECESS = 0.003
_INNER_SHARE = 0.55


@dataclass(frozen=True)
class Straw:
    """A straw that moves as a whole, and a part of which shifts along its axis.

    Attributes:
        rest: mesh in the straw's frame at its first length.
        poses: (T, 4, 4) object-to-world matrices.
        part: (V,) bool, the vertices that shift.
        shifts: (T,) m, along the straw's own x axis.
    """

    object_id: str
    role: Role
    material: Material
    rest: Mesh
    poses: Float
    part: NDArray[np.bool_]
    shifts: Float

    @property
    def is_static(self) -> bool:
        """True when neither the pose nor the length changes."""
        return bool(np.all(self.poses == self.poses[0]) and np.all(self.shifts == self.shifts[0]))

    def pose_at(self, frame: int) -> Float:
        """Return the (4, 4) object-to-world matrix at a frame."""
        return self.poses[frame]

    def mesh_at(self, frame: int) -> Mesh:
        """Return the world-space mesh at a frame."""
        rotation, position = self.poses[frame, :3, :3], self.poses[frame, :3, 3]
        vertices = self.rest.vertices + self.part[:, None] * np.array([self.shifts[frame], 0.0, 0.0])
        normals = None if self.rest.normals is None else self.rest.normals @ rotation.T
        return Mesh(vertices @ rotation.T + position, self.rest.faces, normals, self.rest.uvs)


def whole(length: float, radius: float) -> tuple[Mesh, NDArray[np.bool_]]:
    """Return a straw, and which of its vertices make its free end."""
    mesh = tube(length, radius, radius - _WALL)
    return mesh, mesh.vertices[:, 0] > length / 2


def telescope(length: float, radius: float) -> tuple[Mesh, NDArray[np.bool_]]:
    """Return a straw with a second, thinner one inside, and which vertices are the inner one's.

    The inner tube ends flush with the outer one where it shows, at the free end, when it is shifted by 0; see
    :func:`recessed` for how it starts.
    """
    inner_radius = radius - _WALL - _PLAY
    inner_length = _INNER_SHARE * length
    inner = tube(inner_length, inner_radius, inner_radius - _WALL)
    placed = Mesh(
        inner.vertices + np.array([length - inner_length, 0.0, 0.0]), inner.faces, inner.normals, inner.uvs
    )
    outer = tube(length, radius, radius - _WALL)
    part = np.repeat([False, True], [len(outer.vertices), len(inner.vertices)])
    return join([outer, placed]), part


def recessed(extension: Float, approach: Float) -> Float:
    """Return the inner tube's shifts (T,) in m: from inside the mouth up to it, then out by ``extension``.

    Args:
        extension: (T,) m. approach: (T,) progress from 0 to 1, complete before the extension starts.
    """
    return extension - _RECESS * (1.0 - approach)


def scrap(length: float, radius: float) -> Mesh:
    """Return a piece of straw along x, centred at the origin, that fits into the wall of a whole one."""
    mesh = tube(length - 2 * _HIDDEN, radius - _HIDDEN, radius - _WALL + _HIDDEN)
    return Mesh(
        mesh.vertices - np.array([length / 2 - _HIDDEN, 0.0, 0.0]), mesh.faces, mesh.normals, mesh.uvs
    )
