"""Put a place together: grounds, walls, sky, lights, and furniture grouped by material."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from generation.geometry.solid import joined
from generation.quantiphy.places.model import RGB, Place
from generation.quantiphy.things.model import Point
from generation.rendering.shapes import box, join
from generation.scene import AreaLight, Float, Material, Mesh, RigidObject

_LAMP = (1.0, 0.95, 0.87)
_SUN = (1.0, 0.94, 0.84)


class Scenery:
    """The meshes of a place under construction.

    Args:
        extent: half the width of the free space, m.
        depth: half its depth, m. height: m above the ground.
    """

    def __init__(self, extent: float, depth: float | None = None, height: float | None = None) -> None:
        """Start with nothing."""
        self.extent = extent
        depth, height = depth or 0.7 * extent, height or extent
        self._free = (-extent, -depth, 0.0), (extent, depth, height)
        self._meshes: dict[Material, list[Mesh]] = {}

    def add(self, material: Material, *meshes: Mesh) -> None:
        """Add bodies of a material; textured ones need uvs."""
        self._meshes.setdefault(material, []).extend(meshes)

    def furniture(self) -> Iterator[tuple[Material, list[Mesh]]]:
        """Yield what has been added, by material."""
        yield from self._meshes.items()

    def place(
        self,
        lights: tuple[AreaLight, ...],
        environment: RGB,
        measures: Mapping[str, tuple[str, Point, Point]] | None = None,
    ) -> Place:
        """Return the place."""
        pose = np.eye(4)[None]
        backdrop = tuple(
            RigidObject(
                f"place_{k}", "prop", material, join(meshes) if material.texture else joined(meshes), pose
            )
            for k, (material, meshes) in enumerate(self._meshes.items())
        )
        return Place(backdrop, lights, environment, self._free, measures or {})

    def outdoors(
        self,
        lean: float = -0.55,
        environment: RGB = (0.80, 0.84, 0.92),
        measures: Mapping[str, tuple[str, Point, Point]] | None = None,
    ) -> Place:
        """Return the place under the sun, which stands behind the camera, left for a negative lean."""
        return self.place((sun(self.extent, lean),), environment, measures)

    def indoors(self, environment: RGB = (0.48, 0.48, 0.49), strength: float = 1.0) -> Place:
        """Return the place under two wide lamps."""
        return self.place(lamps(self.extent, strength), environment)


def sun(extent: float, lean: float) -> AreaLight:
    """Return a lamp that throws the soft shadows of a hazy sun over a place."""
    direction = np.array([lean, -0.75, 1.15])
    direction /= np.linalg.norm(direction)
    x, y, z = (float(value) for value in 12 * extent * direction)
    size = 1.5 * extent
    # Irradiance of 1.6 at the origin, whatever the extent.
    radiance = 1.6 * 12**2 / 1.5**2
    return AreaLight(
        (x, y, z), (0.0, 0.0, 0.0), (size, size), (radiance * _SUN[0], radiance * _SUN[1], radiance * _SUN[2])
    )


def lamps(extent: float, strength: float = 1.0) -> tuple[AreaLight, ...]:
    """Return a key lamp at the upper left, before the free space, and a weaker one on the right."""
    key, fill = 17.0 * strength, 5.0 * strength
    e = extent
    return (
        AreaLight(
            (-1.4 * e, -1.5 * e, 2.9 * e),
            (0.0, 0.2 * e, 0.0),
            (1.1 * e, 1.1 * e),
            (key * _LAMP[0], key * _LAMP[1], key * _LAMP[2]),
        ),
        AreaLight(
            (2.2 * e, -1.2 * e, 2.4 * e), (0.0, 0.3 * e, 0.0), (1.2 * e, 1.2 * e), (fill, fill, 1.05 * fill)
        ),
    )


def sheet(x: tuple[float, float], y: tuple[float, float], z: float = 0.0, tile: float = 1.0) -> Mesh:
    """Return a level rectangle that faces up; a texture spans ``tile`` m."""
    corners = np.array([[x[0], y[0], z], [x[1], y[0], z], [x[1], y[1], z], [x[0], y[1], z]])
    faces = np.array([[0, 1, 2], [0, 2, 3]])
    return Mesh(corners, faces, np.tile([0.0, 0.0, 1.0], (4, 1)), corners[:, :2] / tile)


def papered(
    size: tuple[float, float, float], tile: float, center: tuple[float, float, float] = (0.0, 0.0, 0.0)
) -> Mesh:
    """Return a box whose sides carry a texture that spans ``tile`` m."""
    plain = box(size)
    assert plain.normals is not None
    shift = np.array(center)
    axis = np.abs(plain.normals).argmax(axis=1)
    u, v = np.where(axis == 0, 1, 0), np.where(axis == 2, 1, 2)
    index = np.arange(len(axis))
    vertices = plain.vertices + shift
    uvs = np.stack([vertices[index, u], vertices[index, v]], axis=1) / tile
    return Mesh(vertices, plain.faces, plain.normals, uvs)


def slab(size: tuple[float, float, float], x: float, y: float, low: float) -> Mesh:
    """Return a plain box that stands at a height, without uvs."""
    plain = box(size)
    return Mesh(plain.vertices + np.array([x, y, low + size[2] / 2]), plain.faces, plain.normals)


def wall(x: tuple[float, float], y: float, z: tuple[float, float], tile: float = 1.0) -> Mesh:
    """Return an upright rectangle that faces the camera."""
    corners = np.array([[x[0], y, z[0]], [x[1], y, z[0]], [x[1], y, z[1]], [x[0], y, z[1]]])
    faces = np.array([[0, 1, 2], [0, 2, 3]])
    return Mesh(corners, faces, np.tile([0.0, -1.0, 0.0], (4, 1)), corners[:, [0, 2]] / tile)


def sky(extent: float, turn: float = 0.0) -> Mesh:
    """Return a bent screen around the view for the texture "sky"; ``turn`` shifts its clouds, in widths."""
    radius, top = 17 * extent, 9.5 * extent
    angle = np.linspace(np.pi * 0.98, np.pi * 0.02, 25)
    ground = np.stack([radius * np.cos(angle), radius * np.sin(angle) - 3 * extent], axis=1)
    low = np.column_stack([ground, np.full(25, -0.02 * extent)])
    vertices = np.concatenate([low, low * [1, 1, 0] + [0, 0, top]])
    inward = -np.column_stack([np.cos(angle), np.sin(angle), np.zeros(25)])
    u = np.linspace(0, 2.0, 25) + turn
    # Not quite 0 and 1: the texture would repeat across its edges.
    uvs = np.concatenate([np.column_stack([u, np.full(25, 0.004)]), np.column_stack([u, np.full(25, 0.996)])])
    k = np.arange(24)
    faces = np.concatenate([np.stack([k, k + 1, k + 26], 1), np.stack([k, k + 26, k + 25], 1)])
    return Mesh(vertices, faces, np.concatenate([inward, inward]), uvs)


def spread(count: int, phase: float = 0.0) -> Float:
    """Return numbers (count,) in [0, 1) that look drawn and never are: multiples of the golden ratio."""
    return np.asarray(np.mod(phase + 0.6180339887498949 * np.arange(1, count + 1), 1.0))


def paint(r: float, g: float, b: float, roughness: float = 0.35) -> Material:
    """Return painted furniture."""
    return Material("plastic", (r, g, b), roughness)


def chalk(r: float, g: float, b: float) -> Material:
    """Return a matt surface."""
    return Material("diffuse", (r, g, b))


def textured(name: str) -> Material:
    """Return a matt textured surface."""
    return Material("diffuse", texture=name)
