"""Furnished places for cars, boats and people: street, park, harbour, beach, farm."""

from __future__ import annotations

import numpy as np

from generation.geometry.lofts import rod, rounded_box
from generation.geometry.outlines import plate
from generation.geometry.placing import moved, turned
from generation.quantiphy.places.built import (
    BRICK,
    FRAME,
    IRON,
    PALE_WOOD,
    PLANKS,
    PLASTER,
    ROOF,
    SLATE,
    add_bench,
    add_fence,
    add_house,
    add_lamp_post,
    add_shed,
)
from generation.quantiphy.places.model import Place, PlaceKind, PlaceParams
from generation.quantiphy.places.nature import (
    BARK,
    LEAVES,
    ROCK,
    add_bush,
    add_hills,
    add_tree,
    lump,
    palm,
    ridge,
)
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
)
from generation.quantiphy.things.model import Move
from generation.rendering.shapes import lathe
from generation.scene import Material, Mesh

_LAND: frozenset[Move] = frozenset(
    {"slides", "drives", "flies", "rises", "falls", "stands", "orbits", "swings", "rolls"}
)
_WATER_MOVES: frozenset[Move] = frozenset({"floats", "flies", "rises"})
_E = EXTENTS["street"]
_BACK = 8.0
WATER = Material("plastic", texture="water", roughness=0.12)


def _open_air(
    params: PlaceParams, ground: Material, tile: float, y: tuple[float, float] = (-135.0, 320.0)
) -> Scenery:
    scenery = Scenery(_E, depth=_BACK, height=12.0)
    scenery.add(ground, sheet((-400, 400), y, tile=tile))
    scenery.add(textured("sky"), sky(_E, params.numbers["phase"]))
    return scenery


def _street(params: PlaceParams) -> Place:
    phase = params.numbers["phase"]
    scenery = _open_air(params, textured("asphalt"), 5.0, (-135.0, 8.4))
    scenery.add(textured("grass"), sheet((-400, 400), (11.8, 320), 0.05, 6.0))
    scenery.add(textured("paving"), papered((800, 3.4, 0.4), 2.4, (0, 10.1, -0.06)))
    scenery.add(chalk(0.45, 0.44, 0.42), slab((800, 0.18, 0.36), 0, 8.35, -0.2))
    scenery.add(
        chalk(0.66, 0.66, 0.63),
        *(sheet((5.0 * k - 1.2, 5.0 * k + 1.2), (-0.07, 0.07), 0.003) for k in range(-20, 21)),
    )
    walls = (PLASTER, BRICK, chalk(0.55, 0.50, 0.36), chalk(0.50, 0.55, 0.55))
    x = -58.0 + 6 * phase
    for k, share in enumerate(spread(9, phase)):
        width = 9.0 + 4.0 * share
        wall = walls[(k + int(4 * phase)) % 4]
        if wall.texture:
            add_house(scenery, x + width / 2, 15.0, width, 2, wall, ROOF if k % 2 else SLATE)
        else:
            add_house(scenery, x + width / 2, 15.5, width, 1 + k % 2, wall, SLATE if k % 2 else ROOF)
        x += width + 3.2
    for k in range(-2, 3):
        add_tree(scenery, 15.5 * k + 5 * phase, 12.9, 5.5 + (k % 2), phase + 0.2 * k)
    for k in range(-2, 2):
        add_lamp_post(scenery, 17.0 * k + 8.0 + 3 * phase, 10.9, 6.5, 0.14)
    add_fence(scenery, (-60, 60), 13.7, 0.9)
    return scenery.outdoors(params.numbers["lean"])


def _park(params: PlaceParams) -> Place:
    phase = params.numbers["phase"]
    scenery = _open_air(params, textured("grass"), 6.0)
    scenery.add(textured("gravel"), sheet((-400, 400), (8.6, 11.0), 0.006, 2.0))
    for x in (-6.5, 7.5):
        add_bench(scenery, x + 3 * phase, 11.8)
    for x in (-13.0, 2.0, 16.0):
        add_lamp_post(scenery, x + 3 * phase, 11.6, 4.2)
    for k, share in enumerate(spread(9, phase)):
        add_tree(scenery, -42 + 10.5 * k + 4 * share, 16 + 22 * share, 8 + 5 * spread(9, 0.4)[k], share)
    for k, share in enumerate(spread(14, phase + 0.3)):
        add_bush(scenery, -34 + 5.2 * k, 14.0 + 3 * share, 1.4 + 1.2 * share, share)
    add_hills(scenery, phase)
    return scenery.outdoors(params.numbers["lean"])


def _harbour(params: PlaceParams) -> Place:
    phase = params.numbers["phase"]
    scenery = _open_air(params, WATER, 16.0)
    scenery.add(textured("concrete"), papered((800, 60, 4.0), 6.0, (0, 41.0, -0.2)))
    quay = 1.8
    scenery.add(chalk(0.30, 0.29, 0.27), slab((800, 0.5, 0.35), 0, 11.2, quay - 0.3))
    for k in range(-8, 9):
        bollard = np.array(
            [[0, 0], [0.24, 0], [0.20, 0.08], [0.16, 0.35], [0.26, 0.48], [0.22, 0.56], [0, 0.58]]
        )
        scenery.add(IRON, moved(lathe(bollard, 24), 6.0 * k + 2, 11.9, quay))
        scenery.add(
            paint(0.03, 0.03, 0.03, 0.6), moved(rounded_box((0.5, 0.3, 1.5), 0.12), 6.0 * k - 1, 10.9, 0.85)
        )
    for k, share in enumerate(spread(5, phase)):
        base = Scenery(_E)
        add_shed(base, 0, 0, (14.0 + 4 * share, 12.0, 6.0), (BRICK, PLASTER)[k % 2], SLATE, doors=2)
        _lifted(scenery, base, -46 + 22.0 * k, 22.0, quay)
    _crane(scenery, 8.0 + 5 * phase, 15.5, quay)
    for k in range(4):
        add_lamp_post(scenery, -27 + 17.0 * k, 13.0, 7.0, quay)
    add_hills(scenery, phase)
    return scenery.outdoors(params.numbers["lean"])


def _lifted(scenery: Scenery, part: Scenery, x: float, y: float, z: float) -> None:
    """Add another scenery's furniture, shifted."""
    for material, meshes in part.furniture():
        scenery.add(material, *(moved(mesh, x, y, z) for mesh in meshes))


def _crane(scenery: Scenery, x: float, y: float, low: float) -> None:
    """Add a harbour crane on four legs with a slanted jib."""
    tone = paint(0.40, 0.30, 0.06)
    for dx in (-2.2, 2.2):
        for dy in (-1.8, 1.8):
            scenery.add(tone, rod((x + dx, y + dy, low), (x + 0.5 * dx, y + 0.5 * dy, low + 7.5), 0.22, 8))
        scenery.add(tone, rod((x + dx, y - 1.8, low + 1.0), (x + dx, y + 1.8, low + 1.0), 0.14, 8))
    scenery.add(tone, moved(rounded_box((4.4, 3.2, 2.4), 0.2), x - 0.4, y, low + 8.9))
    scenery.add(FRAME, slab((1.4, 0.1, 0.9), x + 0.6, y - 1.6, low + 8.8))
    jib, mast = (x + 14.5, y, low + 17.0), (x - 0.6, y, low + 14.0)
    for dy in (-0.55, 0.55):
        scenery.add(
            tone,
            rod((x + 1.2, y + dy, low + 9.2), (jib[0], y + 0.2 * dy, jib[2]), 0.14, 6),
            rod((x + 1.4, y + dy, low + 10.1), (jib[0], y + 0.2 * dy, jib[2]), 0.10, 6),
        )
        scenery.add(
            tone,
            rod((x - 1.6, y + dy, low + 10.0), (mast[0], y, mast[2]), 0.12, 6),
            rod((x + 0.6, y + dy, low + 10.0), (mast[0], y, mast[2]), 0.12, 6),
        )
    scenery.add(
        IRON,
        rod(mast, jib, 0.05, 6),
        rod(jib, (jib[0], y, low + 8.0), 0.04, 6),
        moved(rounded_box((0.5, 0.4, 0.8), 0.15), jib[0], y, low + 7.7),
    )


def _beach(params: PlaceParams) -> Place:
    phase = params.numbers["phase"]
    scenery = _open_air(params, textured("sand"), 7.0)
    scenery.add(WATER, sheet((-400, 400), (14.5, 320), 0.02, 16.0))
    shore = np.array([[-400.0, 14.4], [400.0, 14.4]])
    scenery.add(
        chalk(0.74, 0.75, 0.74),
        *(
            sheet(
                (6.0 * k + 2 * np.sin(3.0 * k), 6.0 * k + 5.0),
                (shore[0, 1] - 0.25 * np.sin(1.7 * k) - 0.2, shore[0, 1] + 0.35),
                0.03,
            )
            for k in range(-12, 13)
        ),
    )
    for k, (x, y) in enumerate(((-9.5, 10.6), (-2.0, 9.6), (6.5, 10.8), (12.5, 9.9))):
        _umbrella(scenery, x + 2 * phase, y, (chalk(0.66, 0.63, 0.55), chalk(0.42, 0.52, 0.52))[k % 2])
    for k, x in enumerate((-19.0, -15.5, 16.5, 20.0)):
        trunk, leaves = palm(6.5 + 0.8 * (k % 2), phase + 0.3 * k)
        scenery.add(BARK, moved(trunk, x, 10.5 + 1.5 * (k % 2)))
        scenery.add(LEAVES, *(moved(leaf, x, 10.5 + 1.5 * (k % 2)) for leaf in leaves))
    for k, share in enumerate(spread(9, phase)):
        scenery.add(
            ROCK,
            moved(lump(1.2 + 1.6 * share, share, 0.16), 19 + 2.4 * k, 15.0 + 6 * share, 0.1),
            moved(lump(0.9 + 1.2 * share, share + 0.4, 0.16), -21 - 2.6 * k, 15.5 + 7 * share, 0.1),
        )
    scenery.add(chalk(0.20, 0.28, 0.27), *_islands())
    return scenery.outdoors(params.numbers["lean"])


def _islands() -> list[Mesh]:
    return [ridge((-150, -20), (185, 225), 12.0, 0.3), ridge((45, 190), (165, 195), 9.0, 0.7)]


def _umbrella(scenery: Scenery, x: float, y: float, cloth: Material) -> None:
    """Add a parasol and a deck chair."""
    rim = np.array([[0, 2.28], [0.62, 2.12], [1.22, 1.74], [1.25, 1.70], [0.62, 2.085], [0, 2.25]])[::-1]
    scenery.add(cloth, moved(lathe(rim, 16), x, y))
    scenery.add(PALE_WOOD, rod((x, y, 0), (x, y, 2.36), 0.03))
    scenery.add(
        PALE_WOOD,
        moved(turned(rounded_box((0.62, 1.0, 0.06), 0.02), "x", 0), x + 1.3, y - 0.1, 0.34),
        moved(turned(rounded_box((0.62, 0.8, 0.06), 0.02), "x", 42), x + 1.3, y + 0.66, 0.60),
    )
    scenery.add(
        PALE_WOOD,
        *(slab((0.06, 0.06, 0.34), x + 1.3 + dx, y + dy, 0.0) for dx in (-0.28, 0.28) for dy in (-0.5, 0.3)),
    )


def _farm(params: PlaceParams) -> Place:
    phase = params.numbers["phase"]
    scenery = _open_air(params, textured("gravel"), 4.0, (-135.0, 11.0))
    scenery.add(textured("grass"), sheet((-400, 400), (11.0, 320), 0.0, 6.0))
    _barn(scenery, -8.0 + 4 * phase, 17.0)
    add_house(scenery, 15.0 + 4 * phase, 20.0, 11.0, 2, PLASTER)
    add_fence(scenery, (-70, -18), 13.0, 1.1)
    add_fence(scenery, (6, 70), 13.0, 1.1)
    straw = chalk(0.50, 0.36, 0.13)
    bale = turned(
        lathe(np.array([[0, -0.6], [0.62, -0.6], [0.68, -0.5], [0.68, 0.5], [0.62, 0.6], [0, 0.6]]), 28),
        "x",
        90,
    )
    for x, z in ((-19.0, 0.68), (-17.6, 0.68), (-18.3, 1.86)):
        scenery.add(straw, moved(bale, x, 11.5, z))
    scenery.add(
        chalk(0.42, 0.43, 0.43),
        moved(
            lathe(np.array([[0, 0], [1.9, 0], [1.9, 9.5], [1.3, 10.6], [0, 11.1]]), 32), 4.2 + 4 * phase, 19.0
        ),
    )
    for k, share in enumerate(spread(7, phase)):
        add_tree(scenery, -45 + 14.0 * k, 30 + 12 * share, 9 + 4 * share, share)
    add_hills(scenery, phase)
    return scenery.outdoors(params.numbers["lean"])


def _barn(scenery: Scenery, x: float, y: float) -> None:
    width, depth, height = 13.0, 10.0, 4.6
    boards = chalk(0.24, 0.075, 0.050)
    outline = np.array(
        [
            [-width / 2, 0],
            [width / 2, 0],
            [width / 2, height],
            [0.32 * width, height + 2.6],
            [0, height + 3.8],
            [-0.32 * width, height + 2.6],
            [-width / 2, height],
        ]
    )
    scenery.add(boards, moved(plate(outline, depth), x, y + depth / 2))
    edge = np.array(
        [
            [width / 2 + 0.3, height - 0.1],
            [0.33 * width, height + 2.75],
            [0, height + 4.05],
            [-0.33 * width, height + 2.75],
            [-width / 2 - 0.3, height - 0.1],
        ]
    )
    roof = np.vstack([edge, edge[::-1] - [0, 0.22]])
    scenery.add(SLATE, moved(plate(roof, depth + 0.8), x, y + depth / 2))
    scenery.add(FRAME, slab((4.3, 0.08, 3.6), x, y - 0.04, 0.0))
    scenery.add(boards, *(slab((1.95, 0.1, 3.35), x + s * 1.02, y - 0.06, 0.05) for s in (-1, 1)))
    for s in (-1, 1):
        scenery.add(
            FRAME,
            *(
                rod((x + s * 1.02 - d, y - 0.12, 0.15), (x + s * 1.02 + d, y - 0.12, 3.3), 0.07, 6)
                for d in (-0.9, 0.9)
            ),
        )
    scenery.add(FRAME, slab((1.7, 0.08, 1.7), x, y - 0.04, 5.0))
    scenery.add(PLANKS, slab((1.4, 0.1, 1.4), x, y - 0.05, 5.15))


_DRAWN = {"phase": (0.0, 1.0), "lean": (-0.8, 0.8)}
STREETS = (
    PlaceKind("street", "C", "street", _street, suits=_LAND, ranges=_DRAWN),
    PlaceKind("park", "C", "street", _park, suits=_LAND, ranges=_DRAWN),
    PlaceKind("harbour", "C", "street", _harbour, "water", _WATER_MOVES, ranges=_DRAWN),
    PlaceKind("beach", "C", "street", _beach, suits=_LAND, ranges=_DRAWN),
    PlaceKind("farm", "C", "street", _farm, suits=_LAND, ranges=_DRAWN),
)
