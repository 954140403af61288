"""Furnished places for things from a ball to a table: rooms, halls, a garden."""

from __future__ import annotations

import numpy as np

from generation.geometry.lofts import ball, pipe, rod, rounded_box
from generation.geometry.placing import moved, turned
from generation.quantiphy.places.built import (
    BRICK,
    FRAME,
    GRAY_METAL,
    IRON,
    PALE_WOOD,
    PLANKS,
    add_clock,
    add_fence,
    add_picture,
    add_pot_plant,
    add_shelf,
    add_window,
)
from generation.quantiphy.places.model import RGB, Place, PlaceKind, PlaceParams
from generation.quantiphy.places.nature import add_bush, add_tree
from generation.quantiphy.places.plain import EXTENTS
from generation.quantiphy.places.scenery import (
    Scenery,
    chalk,
    paint,
    papered,
    sheet,
    sky,
    slab,
    spread,
    textured,
    wall,
)
from generation.quantiphy.things.model import Move
from generation.quantiphy.things.wheels import hoop
from generation.rendering.shapes import lathe
from generation.scene import Material, Mesh

_MOVES: frozenset[Move] = frozenset(
    {"slides", "rolls", "drives", "flies", "rises", "falls", "swings", "orbits", "stands"}
)
_E = EXTENTS["room"]
_BACK, _WALL = 1.8, 3.3

_TINTS: dict[str, RGB] = {
    "cream": (0.66, 0.59, 0.46),
    "pale blue": (0.46, 0.55, 0.60),
    "pale green": (0.47, 0.54, 0.42),
    "white": (0.68, 0.68, 0.66),
}


def _hall(floor: Material, tile: float) -> Scenery:
    scenery = Scenery(_E, depth=_BACK, height=3.0)
    scenery.add(floor, sheet((-20, 20), (-24, _WALL + 2.0), tile=tile))
    return scenery


def _skirting(scenery: Scenery, material: Material) -> None:
    scenery.add(material, slab((40.0, 0.03, 0.10), 0.0, _WALL - 0.015, 0.0))


def _living_room(params: PlaceParams) -> Place:
    scenery = _hall(Material("plastic", texture="parquet", roughness=0.3), 1.5)
    scenery.add(chalk(*_TINTS[params.choices["walls"]]), wall((-20, 20), _WALL, (0, 12)))
    _skirting(scenery, FRAME)
    shift = params.numbers["shift"]
    _sofa(scenery, -0.9 + shift, 2.55)
    add_shelf(
        scenery, 2.0 + shift, 3.05, (1.3, 0.34, 2.1), 5, params.numbers["phase"], paint(0.17, 0.10, 0.055)
    )
    add_pot_plant(scenery, -3.0 + shift, 2.7, 1.35, params.numbers["phase"])
    add_pot_plant(scenery, 3.3 + shift, 2.8, 0.8, 0.3)
    add_picture(scenery, -1.45 + shift, _WALL, 1.72, 0.95, 0.70, chalk(0.40, 0.46, 0.50))
    add_picture(scenery, -0.35 + shift, _WALL, 1.72, 0.60, 0.70, chalk(0.48, 0.40, 0.32))
    _curtained_window(scenery, -4.2 + shift)
    _curtained_window(scenery, 4.8 + shift)
    scenery.add(chalk(0.32, 0.27, 0.22), slab((3.0, 1.0, 0.012), -0.9 + shift, 2.4, 0.0))
    return scenery.indoors()


def _sofa(scenery: Scenery, x: float, y: float) -> None:
    cloth, cushion = chalk(0.36, 0.33, 0.28), chalk(0.20, 0.21, 0.22)
    scenery.add(
        cloth,
        moved(rounded_box((2.2, 0.85, 0.24), 0.05, 3), x, y, 0.28),
        moved(rounded_box((2.2, 0.24, 0.62), 0.09, 3), x, y + 0.36, 0.55),
    )
    for side in (-1, 1):
        scenery.add(cloth, moved(rounded_box((0.22, 0.88, 0.48), 0.08, 3), x + side * 1.06, y, 0.40))
        scenery.add(
            cushion,
            moved(
                turned(rounded_box((0.42, 0.16, 0.40), 0.07, 3), "x", -16), x + side * 0.70, y + 0.12, 0.66
            ),
        )
        scenery.add(
            IRON,
            *(moved(rod((0, 0, 0), (0, 0, 0.17), 0.025), x + side * 1.0, y + d, 0.0) for d in (-0.35, 0.35)),
        )
    for k in (-1, 0, 1):
        scenery.add(cloth, moved(rounded_box((0.62, 0.62, 0.15), 0.055, 3), x + 0.635 * k, y - 0.10, 0.45))


def _curtained_window(scenery: Scenery, x: float) -> None:
    scenery.add(chalk(0.62, 0.74, 0.86), slab((1.3, 0.02, 1.5), x, _WALL - 0.01, 0.85))
    for dx in (-0.65, 0.0, 0.65):
        scenery.add(FRAME, slab((0.07, 0.05, 1.57), x + dx, _WALL - 0.02, 0.82))
    for z in (0.82, 1.6, 2.33):
        scenery.add(FRAME, slab((1.37, 0.05, 0.07), x, _WALL - 0.02, z))
    for side in (-1, 1):
        for k in range(6):
            fold = rod(
                (x + side * (0.62 + 0.075 * k), _WALL - 0.12 - 0.02 * (k % 2), 0.06),
                (x + side * (0.62 + 0.075 * k), _WALL - 0.12, 2.5),
                0.055,
                10,
            )
            scenery.add(chalk(0.42, 0.38, 0.32), fold)
    scenery.add(IRON, rod((x - 1.25, _WALL - 0.12, 2.53), (x + 1.25, _WALL - 0.12, 2.53), 0.02))


def _classroom(params: PlaceParams) -> Place:
    scenery = _hall(Material("plastic", texture="floor_tiles", roughness=0.25), 2.4)
    scenery.add(chalk(*_TINTS[params.choices["walls"]]), wall((-20, 20), _WALL, (0, 12)))
    _skirting(scenery, paint(0.25, 0.22, 0.18))
    shift = params.numbers["shift"]
    scenery.add(PALE_WOOD, slab((3.4, 0.04, 1.30), -0.4 + shift, _WALL - 0.02, 0.90))
    scenery.add(chalk(0.028, 0.075, 0.055), slab((3.28, 0.05, 1.18), -0.4 + shift, _WALL - 0.025, 0.96))
    scenery.add(PALE_WOOD, slab((3.4, 0.12, 0.04), -0.4 + shift, _WALL - 0.06, 0.86))
    scenery.add(
        FRAME, *(slab((0.09, 0.015, 0.015), -1.4 + 0.5 * k + shift, _WALL - 0.09, 0.90) for k in range(4))
    )
    _chalk_writing(scenery, -0.4 + shift)
    add_clock(scenery, 1.75 + shift, _WALL, 2.15, 0.17)
    add_shelf(scenery, 2.75 + shift, 3.1, (1.1, 0.35, 1.25), 3, params.numbers["phase"])
    for k in range(3):
        x = -3.0 - 0.55 * k + shift
        scenery.add(paint(0.22, 0.27, 0.30), slab((0.53, 0.42, 1.85), x, 3.05, 0.0))
        scenery.add(
            IRON,
            *(slab((0.26, 0.01, 0.015), x, 2.835, 1.45 + 0.07 * j) for j in range(4)),
            slab((0.02, 0.03, 0.10), x + 0.2, 2.83, 0.95),
        )
    for k in range(3):
        add_picture(
            scenery,
            2.3 + 0.75 * k + shift,
            _WALL,
            1.78,
            0.5,
            0.62,
            (chalk(0.50, 0.46, 0.30), chalk(0.32, 0.42, 0.40), chalk(0.42, 0.34, 0.40))[k],
        )
    return scenery.indoors()


def _chalk_writing(scenery: Scenery, x: float) -> None:
    """Write lines on the board: a sine and a pair of axes."""
    white = chalk(0.62, 0.63, 0.60)
    y = _WALL - 0.052
    t = np.linspace(0, 1, 33)
    curve = np.column_stack([x - 1.2 + 1.1 * t, np.full(33, y), 1.55 + 0.28 * np.sin(2 * np.pi * t)])
    scenery.add(
        white,
        pipe(curve, 0.007, 6),
        rod((x - 1.25, y, 1.55), (x + 0.0, y, 1.55), 0.005, 6),
        rod((x - 1.22, y, 1.15), (x - 1.22, y, 1.98), 0.005, 6),
    )
    for k, length in enumerate((0.9, 0.7, 1.0, 0.5)):
        t = np.linspace(0, 1, int(40 * length))
        line = np.column_stack(
            [
                x + 0.35 + length * t,
                np.full(len(t), y),
                1.95 - 0.2 * k + 0.025 * np.sin(37 * t * length) * np.cos(23 * t + k),
            ]
        )
        scenery.add(white, pipe(line, 0.006, 6))


def _sports_hall(params: PlaceParams) -> Place:
    scenery = _hall(Material("plastic", texture="parquet", roughness=0.22), 2.6)
    wall_y = _WALL + 0.4
    scenery.add(Material("plastic", (0.50, 0.40, 0.26), 0.4), wall((-20, 20), wall_y, (0, 2.2)))
    scenery.add(chalk(0.62, 0.62, 0.59), wall((-20, 20), wall_y + 0.001, (2.2, 12)))
    scenery.add(PALE_WOOD, slab((40.0, 0.05, 0.08), 0.0, wall_y, 2.16))
    for y, tone in ((-1.3, (0.70, 0.70, 0.68)), (1.5, (0.70, 0.70, 0.68)), (1.95, (0.50, 0.42, 0.08))):
        scenery.add(chalk(*tone), sheet((-20, 20), (y - 0.025, y + 0.025), 0.0008))
    shift = params.numbers["shift"]
    for k in (-3.6, -2.6, 2.7, 3.7):
        _wall_bars(scenery, k + shift, wall_y - 0.10)
    _hoop(scenery, shift, wall_y)
    for k in range(4):
        scenery.add(
            paint(0.13, 0.18, 0.24) if k % 2 else paint(0.20, 0.22, 0.22),
            moved(
                rounded_box((1.9, 0.95, 0.085), 0.03), 1.15 + shift + 0.04 * (k % 3), 2.9, 0.045 + 0.088 * k
            ),
        )
    scenery.add(
        PALE_WOOD,
        slab((2.2, 0.25, 0.05), -1.4 + shift, 2.9, 0.32),
        *(slab((0.06, 0.22, 0.32), -1.4 + s + shift, 2.9, 0.0) for s in (-0.85, 0.85)),
    )
    return scenery.indoors()


def _wall_bars(scenery: Scenery, x: float, y: float) -> None:
    scenery.add(PALE_WOOD, *(slab((0.05, 0.12, 2.6), x + s, y, 0.0) for s in (-0.45, 0.45)))
    scenery.add(
        PALE_WOOD,
        *(
            rod((x - 0.45, y - 0.03, 0.2 + 0.17 * k), (x + 0.45, y - 0.03, 0.2 + 0.17 * k), 0.018, 8)
            for k in range(14)
        ),
    )


def _hoop(scenery: Scenery, x: float, y: float) -> None:
    scenery.add(FRAME, slab((1.8, 0.04, 1.05), x, y - 0.5, 2.45))
    for size, low in (((0.59, 0.05, 0.05), 2.62), ((0.59, 0.05, 0.05), 3.02), ((0.05, 0.05, 0.45), 2.62)):
        scenery.add(
            IRON,
            *(
                slab(size, x + (s * 0.27 if size[0] < 0.1 else 0), y - 0.5, low)
                for s in ((-1, 1) if size[0] < 0.1 else (0,))
            ),
        )
    scenery.add(paint(0.45, 0.14, 0.04), moved(turned(hoop(0.47, 0.022), "x", 90), x, y - 0.80, 2.66))
    scenery.add(IRON, *(slab((0.06, 0.5, 0.06), x + s, y - 0.25, 2.9) for s in (-0.4, 0.4)))
    for k in range(12):
        a, b = 2 * np.pi * k / 12, 2 * np.pi * (k + 1) / 12
        for p, q in ((a, b), (b, a)):
            scenery.add(
                FRAME,
                rod(
                    (x + 0.225 * np.cos(p), y - 0.80 + 0.225 * np.sin(p), 2.65),
                    (x + 0.13 * np.cos(q), y - 0.80 + 0.13 * np.sin(q), 2.25),
                    0.006,
                    4,
                ),
            )


def _warehouse(params: PlaceParams) -> Place:
    scenery = _hall(textured("concrete"), 4.0)
    scenery.add(textured("concrete"), wall((-20, 20), _WALL + 1.2, (0, 12), 3.0))
    shift = params.numbers["shift"]
    for k in range(-3, 4):
        _rack(scenery, 2.75 * k + 0.4 + shift, 2.75, params.numbers["phase"] + 0.13 * k)
    return scenery.indoors()


def _rack(scenery: Scenery, x: float, y: float, phase: float) -> None:
    """Add one bay of a pallet rack with cardboard boxes and plastic bins."""
    upright, beam = paint(0.11, 0.16, 0.22), paint(0.42, 0.20, 0.06)
    for dy in (-0.5, 0.5):
        scenery.add(upright, slab((0.09, 0.07, 4.2), x - 1.375, y + dy, 0.0))
        scenery.add(beam, *(slab((2.66, 0.05, 0.11), x, y + dy, z) for z in (1.25, 2.65)))
    tones = (
        chalk(0.38, 0.25, 0.135),
        chalk(0.44, 0.30, 0.17),
        chalk(0.32, 0.20, 0.105),
        paint(0.22, 0.24, 0.25),
        chalk(0.50, 0.47, 0.42),
    )
    for level, low in enumerate((0.0, 1.36, 2.76)):
        for pallet in (-0.66, 0.66):
            scenery.add(
                PLANKS,
                slab((1.2, 1.0, 0.03), x + pallet, y, low + 0.10),
                *(slab((0.1, 1.0, 0.10), x + pallet + d, y, low) for d in (-0.5, 0.0, 0.5)),
            )
            draws = spread(6, phase + 0.29 * level + 0.41 * pallet)
            for k, share in enumerate(draws):
                size = (0.36, 0.44, 0.26 + 0.16 * draws[(k + 2) % 6])
                column = k % 3
                base = low + 0.13 if k < 3 else low + 0.13 + 0.26 + 0.16 * draws[(k - 1) % 6]
                if k >= 3 and share > 0.75:
                    continue
                box = slab(size, x + pallet + (column - 1) * 0.385, y - 0.25 + 0.1 * share, base)
                scenery.add(tones[int(share * 4.99)], box)
                scenery.add(
                    chalk(0.55, 0.47, 0.33),
                    slab(
                        (0.05, 0.445, size[2] + 0.002),
                        x + pallet + (column - 1) * 0.385,
                        y - 0.25 + 0.1 * share,
                        base,
                    ),
                )


def _garden(params: PlaceParams) -> Place:
    scenery = Scenery(_E, depth=_BACK, height=3.0)
    phase = params.numbers["phase"]
    scenery.add(textured("grass"), sheet((-50, 50), (-24, 60), tile=3.0))
    scenery.add(textured("sky"), sky(_E, phase))
    add_fence(scenery, (-9.0, 3.1), 4.0, 1.5)
    scenery.add(BRICK, papered((7.0, 5.0, 5.2), 1.3, (7.0, 6.2, 2.6)))
    scenery.add(chalk(0.20, 0.085, 0.060), slab((7.6, 5.6, 0.3), 7.0, 6.2, 5.2))
    add_window(scenery, 4.9, 3.7, 1.1, 1.1, 1.2)
    add_window(scenery, 7.2, 3.7, 1.1, 1.1, 1.2)
    for k, share in enumerate(spread(9, phase)):
        add_bush(scenery, -6.4 + 1.05 * k, 3.45, 0.5 + 0.45 * share, share)
    add_tree(scenery, -3.6, 6.0, 4.6, phase)
    add_tree(scenery, 1.2, 7.5, 5.4, phase + 0.5)
    add_tree(scenery, -9.0, 8.0, 6.0, phase + 0.7)
    scenery.add(GRAY_METAL, *(moved(_flower_pot(), 3.15 + 0.42 * k, 3.35, 0.0) for k in range(3)))
    scenery.add(
        chalk(0.62, 0.50, 0.55),
        *(
            moved(
                ball(0.10, 12),
                3.15 + 0.42 * k + 0.09 * np.cos(2.1 * j),
                3.35 + 0.09 * np.sin(2.1 * j),
                0.38 + 0.03 * j,
            )
            for k in range(3)
            for j in range(4)
        ),
    )
    return scenery.outdoors(params.numbers["lean"])


def _flower_pot() -> Mesh:
    return lathe(np.array([[0, 0], [0.10, 0], [0.14, 0.26], [0.155, 0.27], [0.155, 0.32], [0, 0.32]]), 24)


_SHIFT = {"shift": (-0.4, 0.4)}
_PHASE = {"phase": (0.0, 1.0)}
HALLS = (
    PlaceKind(
        "living room",
        "C",
        "room",
        _living_room,
        suits=_MOVES,
        clashes=frozenset({"armchair"}),
        ranges=_SHIFT | _PHASE,
        options={"walls": tuple(_TINTS)},
    ),
    PlaceKind(
        "classroom",
        "C",
        "room",
        _classroom,
        suits=_MOVES,
        ranges=_SHIFT | _PHASE,
        options={"walls": tuple(_TINTS)},
    ),
    PlaceKind("sports hall", "C", "room", _sports_hall, suits=_MOVES, ranges=_SHIFT),
    PlaceKind(
        "warehouse",
        "C",
        "room",
        _warehouse,
        suits=_MOVES,
        clashes=frozenset({"crate"}),
        ranges=_SHIFT | _PHASE,
    ),
    PlaceKind("garden", "C", "room", _garden, suits=_MOVES, ranges=_PHASE | {"lean": (-0.8, 0.8)}),
)
