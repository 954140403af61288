"""Places without furniture: one colour (X), or one textured surface (S)."""

from __future__ import annotations

import numpy as np

from generation.quantiphy.places.model import Place, PlaceKind, PlaceParams
from generation.quantiphy.places.scenery import Scenery, chalk, lamps, sheet, sun, textured
from generation.quantiphy.things.model import Move, Scale
from generation.scene import Float, Material, Mesh

EXTENTS: dict[Scale, float] = {"table": 0.6, "room": 2.5, "street": 14.0, "open": 60.0}

# Linear RGB of a studio's paper.
PAPERS: dict[str, tuple[float, float, float]] = {
    "white": (0.72, 0.72, 0.72),
    "light gray": (0.42, 0.42, 0.42),
    "dark gray": (0.14, 0.14, 0.145),
    "sand": (0.55, 0.47, 0.36),
    "pale blue": (0.36, 0.46, 0.58),
    "pale green": (0.36, 0.48, 0.38),
}
_ALL: frozenset[Move] = frozenset(
    {"slides", "rolls", "drives", "floats", "flies", "rises", "falls", "swings", "orbits", "stands"}
)
_SOLID = _ALL - {"floats"}


def _sweep(extent: float) -> Mesh:
    """Return a studio background: a floor that bends up into a wall, smooth all over."""
    bend = 1.5 * extent
    angle = np.linspace(0, np.pi / 2, 17)
    curve = np.column_stack([2.5 * extent + bend * np.sin(angle), bend * (1 - np.cos(angle))])
    line: Float = np.vstack([[[-9 * extent, 0.0]], curve, [[4 * extent, 12 * extent]]])
    tilt = np.concatenate([[0.0], angle, [np.pi / 2]])
    normals = np.column_stack([0 * tilt, -np.sin(tilt), np.cos(tilt)])
    left, right = (np.column_stack([np.full(len(line), x), line]) for x in (-9 * extent, 9 * extent))
    k = np.arange(len(line) - 1)
    n = len(line)
    faces = np.concatenate([np.stack([k, k + n, k + n + 1], 1), np.stack([k, k + n + 1, k + 1], 1)])
    return Mesh(np.concatenate([left, right]), faces, np.concatenate([normals, normals]))


def _studio(scale: Scale) -> PlaceKind:
    extent = EXTENTS[scale]

    def make(params: PlaceParams) -> Place:
        scenery = Scenery(extent, height=2 * extent)
        scenery.add(chalk(*PAPERS[params.choices["paper"]]), _sweep(extent))
        return scenery.place(lamps(extent), (0.50, 0.50, 0.505))

    return PlaceKind(f"plain_{scale}", "X", scale, make, suits=_ALL, options={"paper": tuple(PAPERS)})


def _surface(
    name: str, scale: Scale, material: Material, tile: float, *, is_water: bool = False
) -> PlaceKind:
    """Return a place that is one textured surface under an even sky or before an even wall."""
    extent = EXTENTS[scale]
    is_outside = scale in ("street", "open")

    def make(params: PlaceParams) -> Place:
        scenery = Scenery(extent, height=2 * extent)
        reach = 40 if is_outside else 4
        scenery.add(
            material, sheet((-reach * extent, reach * extent), (-9 * extent, reach * extent), tile=tile)
        )
        if is_outside:
            return scenery.place((sun(extent, params.numbers["lean"]),), (0.62, 0.70, 0.80))
        return scenery.place(lamps(extent), (0.46, 0.47, 0.48))

    moves = _ALL if is_water else _SOLID
    return PlaceKind(
        name,
        "S",
        scale,
        make,
        "water" if is_water else "solid",
        moves,
        ranges={"lean": (-0.8, 0.8)} if is_outside else {},
    )


_WATER = Material("plastic", texture="water", roughness=0.15)

PLAIN = tuple(_studio(scale) for scale in EXTENTS)
SURFACES = (
    _surface("oak_table", "table", Material("plastic", texture="oak", roughness=0.3), 1.6),
    _surface("walnut_table", "table", Material("plastic", texture="walnut", roughness=0.3), 1.6),
    _surface("tiled_table", "table", Material("plastic", texture="wall_tiles", roughness=0.2), 0.8),
    _surface("parquet_room", "room", Material("plastic", texture="parquet", roughness=0.3), 1.6),
    _surface("carpet_room", "room", textured("carpet"), 1.0),
    _surface("tiled_room", "room", Material("plastic", texture="floor_tiles", roughness=0.25), 2.4),
    _surface("concrete_room", "room", textured("concrete"), 3.0),
    _surface("pool_table", "table", _WATER, 1.0, is_water=True),
    _surface("pool_room", "room", _WATER, 3.0, is_water=True),
    _surface("asphalt_street", "street", textured("asphalt"), 5.0),
    _surface("paved_street", "street", textured("paving"), 4.0),
    _surface("grass_street", "street", textured("grass"), 6.0),
    _surface("water_street", "street", _WATER, 16.0, is_water=True),
    _surface("concrete_open", "open", textured("concrete"), 24.0),
    _surface("grass_open", "open", textured("grass"), 30.0),
    _surface("sand_open", "open", textured("sand"), 30.0),
    _surface("water_open", "open", _WATER, 70.0, is_water=True),
)
