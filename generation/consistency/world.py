"""A family's scene as plain geometry."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generation.consistency.params import BodyParams, FamilyParams, RoomParams
from generation.consistency.solids import Form, Solid
from generation.scene import Camera, Mesh

Float = NDArray[np.float64]

# The mirror hangs this far before the wall, m.
MIRROR_GAP = 0.005
_FORMS: dict[str, Form] = {
    "sphere": "ball",
    "ellipsoid": "ball",
    "cube": "block",
    "box": "block",
    "cylinder": "cylinder",
}


@dataclass(frozen=True)
class World:
    """A scene.

    Attributes:
        solids: the objects, in the order of the parameters. lamp: (3,) m.
    """

    params: FamilyParams
    camera: Camera
    solids: tuple[Solid, ...]
    lamp: Float

    @property
    def room(self) -> RoomParams:
        """The room."""
        return self.params.room

    @property
    def mirror_y(self) -> float:
        """Where the mirror is, m."""
        return self.params.room.back - MIRROR_GAP


def build(params: FamilyParams) -> World:
    """Put the objects of a family on the ground."""
    camera = Camera(params.eye, params.look_at, params.fov_x_deg, params.width, params.height)
    solids = tuple(solid(body) for body in params.bodies)
    return World(params, camera, solids, np.array(params.lamp.position))


def solid(body: BodyParams, lift: float = 0.0) -> Solid:
    """Return an object's shape, ``lift`` m above the ground."""
    cosine, sine = np.cos(body.yaw), np.sin(body.yaw)
    pose = np.eye(4)
    pose[:3, :3] = np.array([[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1]]) @ np.diag(body.half_extents)
    pose[:3, 3] = body.x, body.y, body.half_extents[2] + lift
    return Solid(_FORMS[body.geometry], pose)


def walls(room: RoomParams) -> dict[str, tuple[Mesh, tuple[float, float, float]]]:
    """Return the room's surfaces with their reflectances, normals inwards; no mirror."""
    w, front, back, top = room.half_width, room.front, room.back, room.height
    corners: dict[str, tuple[list[tuple[float, float, float]], tuple[float, float, float]]] = {
        "ground": ([(-w, front, 0), (w, front, 0), (w, back, 0), (-w, back, 0)], room.ground),
        "back_wall": ([(-w, back, 0), (w, back, 0), (w, back, top), (-w, back, top)], room.back_wall),
        "left_wall": ([(-w, front, 0), (-w, back, 0), (-w, back, top), (-w, front, top)], room.side_walls),
        "right_wall": ([(w, back, 0), (w, front, 0), (w, front, top), (w, back, top)], room.side_walls),
        "ceiling": ([(-w, back, top), (w, back, top), (w, front, top), (-w, front, top)], room.ceiling),
    }
    return {name: (_quad(points), color) for name, (points, color) in corners.items()}


def mirror(world: World) -> Mesh:
    """Return the mirror's surface."""
    left, right, bottom, top = world.room.mirror
    y = world.mirror_y
    return _quad([(left, y, bottom), (right, y, bottom), (right, y, top), (left, y, top)])


def _quad(corners: list[tuple[float, float, float]]) -> Mesh:
    return Mesh(np.array(corners, dtype=np.float64), np.array([[0, 1, 2], [0, 2, 3]], dtype=np.int64))
