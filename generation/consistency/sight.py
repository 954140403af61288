"""What each pixel sees, and what the lamp reaches: ray queries in closed form, no renderer, no thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from generation.consistency.solids import Solid
from generation.consistency.world import World
from generation.rendering.camera import axes
from generation.scene import Camera

Float = NDArray[np.float64]
Bool = NDArray[np.bool_]
Int = NDArray[np.int64]

# What isn't an object: the room's surfaces, the mirror, and nothing at all.
ROOM, MIRROR, NOTHING = -1, -2, -3
# A ray's way is given by a second point this far along it, m.
_REACH = 1.0


@dataclass(frozen=True)
class Hits:
    """Where rays end.

    Attributes:
        distance: (N,) m. what: (N,) index of an object, ROOM, MIRROR or NOTHING. points: (N, 3) m.
    """

    distance: Float
    what: Int
    points: Float


@dataclass(frozen=True)
class Sight:
    """What the pixels of an image see at their centres, in a mirror too.

    Attributes:
        what: (H, W) index of the object seen, ROOM or NOTHING, directly or in the mirror.
        points: (H, W, 3) m, where; meaningless for NOTHING. mirrored: (H, W) whether in the mirror.
    """

    what: Int
    points: Float
    mirrored: Bool

    def shows(self, index: int, *, mirrored: bool = False) -> Bool:
        """Return where an object is seen, (H, W)."""
        return (self.what == index) & (self.mirrored == mirrored)

    @cached_property
    def is_surface(self) -> Bool:
        """Where something is seen, (H, W)."""
        return self.what != NOTHING


def directions(camera: Camera) -> Float:
    """Return unit vectors through the pixel centres, (H * W, 3), row by row."""
    right, down, forward = axes(camera)
    half = np.tan(np.radians(camera.fov_x_deg) / 2)
    x = ((np.arange(camera.width) + 0.5) / camera.width * 2 - 1) * half
    y = ((np.arange(camera.height) + 0.5) / camera.height * 2 - 1) * half * camera.height / camera.width
    grid = x[None, :, None] * right + y[:, None, None] * down + forward
    flat = grid.reshape(-1, 3)
    return flat / np.linalg.norm(flat, axis=1, keepdims=True)


def look(world: World, solids: Sequence[Solid | None] | None = None, *, mirror: bool = True) -> Sight:
    """Return what the camera sees.

    Args:
        world: the scene. solids: the objects if others than its own; None in place of one that is away.
        mirror: follow rays that meet the mirror; otherwise it is part of the room.
    """
    bodies = world.solids if solids is None else solids
    rays = directions(world.camera)
    eye = np.broadcast_to(np.asarray(world.camera.origin), rays.shape)
    first = cast(world, bodies, eye, rays)
    what, points = first.what.copy(), first.points.copy()
    shape = world.camera.height, world.camera.width
    mirrored = first.what == MIRROR
    if mirror and mirrored.any():
        turned = rays[mirrored] * (1, -1, 1)
        second = cast(world, bodies, first.points[mirrored], turned)
        what[mirrored], points[mirrored] = second.what, second.points
    else:
        what[mirrored], mirrored = ROOM, np.zeros_like(mirrored)
    return Sight(what.reshape(shape), points.reshape(*shape, 3), mirrored.reshape(shape))


def cast(world: World, solids: Sequence[Solid | None], origins: Float, rays: Float) -> Hits:
    """Return where rays from inside the room end, (N, 3) origins and unit directions."""
    distance, what = _room(world, origins, rays)
    for index, body in enumerate(solids):
        if body is None:
            continue
        enter, leave = body.crossing(origins, origins + _REACH * rays)
        nearer = (enter < leave) & (enter > 1e-6) & (enter < distance)
        distance, what = np.where(nearer, enter, distance), np.where(nearer, index, what)
    return Hits(distance, what, origins + distance[:, None] * rays)


def _room(world: World, origins: Float, rays: Float) -> tuple[Float, Int]:
    """Return how far it is to the walls, and which of ROOM, MIRROR, NOTHING is there."""
    room = world.room
    low = np.array([-room.half_width, room.front, 0.0])
    high = np.array([room.half_width, room.back, room.height])
    with np.errstate(divide="ignore"):
        exits = np.where(rays > 0, high - origins, low - origins) / rays
    exits = np.where(rays == 0, np.inf, exits)
    axis = exits.argmin(axis=1)
    distance = exits.min(axis=1)
    what = np.where((axis == 1) & (rays[:, 1] < 0), NOTHING, ROOM)
    left, right, bottom, top = room.mirror
    ahead = rays[:, 1] > 0
    to_mirror = np.where(ahead, (world.mirror_y - origins[:, 1]) / np.where(ahead, rays[:, 1], 1.0), np.inf)
    place = origins + np.where(np.isfinite(to_mirror), to_mirror, 0.0)[:, None] * rays
    x, z = place[:, 0], place[:, 2]
    hit = ahead & (to_mirror > 0) & (to_mirror < distance)
    hit &= (x > left) & (x < right) & (z > bottom) & (z < top)
    return np.where(hit, to_mirror, distance), np.where(hit, MIRROR, what)


def shaded(sight: Sight, casters: Sequence[tuple[int, Solid]], lamp: Float) -> Bool:
    """Return where visible points lie in a cast shadow, (H, W).

    Args:
        sight: the points. casters: solids, each with the index of its object; none shades itself, since all
            are convex. lamp: (3,) m.
    """
    result = np.zeros(sight.what.shape, dtype=bool)
    for index, caster in casters:
        receivers = sight.is_surface & (sight.what != index)
        points = sight.points[receivers]
        result[receivers] |= caster.meets(points, np.broadcast_to(lamp, points.shape))
    return result


def facing(solid: Solid, points: Float, lamp: Float) -> Float:
    """Return the cosine between a solid's normals at (N, 3) points of its surface and the way to a lamp."""
    normals = surface_normals(solid, points)
    way = lamp - points
    return np.sum(normals * way, axis=1) / np.linalg.norm(way, axis=1)


def surface_normals(solid: Solid, points: Float) -> Float:
    """Return outward unit normals at (N, 3) points of a solid's surface."""
    inverse = solid.to_unit
    local = points @ inverse[:3, :3].T + inverse[:3, 3]
    radial = local * solid.quadric
    level = np.linalg.norm(radial, axis=1) if any(solid.quadric) else np.zeros(len(points))
    flat = np.abs(local) / solid.slabs
    axis = flat.argmax(axis=1)
    on_slab = flat.max(axis=1) > level
    square = np.zeros_like(local)
    square[np.arange(len(local)), axis] = np.sign(local[np.arange(len(local)), axis])
    normals = np.where(on_slab[:, None], square, radial) @ inverse[:3, :3]
    return normals / np.linalg.norm(normals, axis=1, keepdims=True)
