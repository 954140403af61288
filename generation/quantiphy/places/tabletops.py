"""Furnished places for small things: desk, kitchen, workshop."""

from __future__ import annotations

import numpy as np

from generation.geometry.lofts import ball, pipe, rod, rounded_box
from generation.geometry.outlines import arc, plate
from generation.geometry.placing import moved, turned
from generation.quantiphy.places.built import (
    FRAME,
    GRAY_METAL,
    IRON,
    PALE_WOOD,
    PLASTER,
    add_picture,
    add_pot_plant,
    add_tap,
)
from generation.quantiphy.places.model import Place, PlaceKind, PlaceParams
from generation.quantiphy.places.plain import EXTENTS
from generation.quantiphy.places.scenery import Scenery, chalk, paint, sheet, slab, spread, wall
from generation.quantiphy.things.meshes import drum
from generation.quantiphy.things.model import Move
from generation.quantiphy.things.paints import DARK, STEEL, WINDOW
from generation.rendering.shapes import lathe
from generation.scene import Material

_MOVES: frozenset[Move] = frozenset(
    {"slides", "rolls", "drives", "flies", "rises", "falls", "swings", "orbits", "stands"}
)
_E = EXTENTS["table"]
# Where the free space ends behind, and where the wall stands.
_BACK, _WALL = 0.44, 0.92


def _table(texture: str, tile: float, roughness: float = 0.3) -> Scenery:
    scenery = Scenery(_E, depth=_BACK, height=1.2)
    scenery.add(
        Material("plastic", texture=texture, roughness=roughness),
        sheet((-4.0, 4.0), (-5.0, _WALL), tile=tile),
    )
    return scenery


def _desk(params: PlaceParams) -> Place:
    scenery = _table("oak", 1.3)
    scenery.add(PLASTER, wall((-5, 5), _WALL, (-0.1, 6.0), 2.0))
    shift = params.numbers["shift"]
    x = -0.45 + shift
    scenery.add(
        DARK,
        moved(rounded_box((0.68, 0.03, 0.40), 0.012), x, 0.74, 0.34),
        slab((0.06, 0.04, 0.18), x, 0.77, 0.0),
        moved(rounded_box((0.26, 0.18, 0.014), 0.006), x, 0.75, 0.007),
    )
    scenery.add(WINDOW, slab((0.65, 0.012, 0.365), x, 0.722, 0.158))
    _keyboard(scenery, x, 0.53)
    for side in (-1, 1):
        scenery.add(IRON, moved(rounded_box((0.11, 0.12, 0.20), 0.012), x + 0.47 * side, 0.74, 0.10))
        for z, r in ((0.065, 0.040), (0.150, 0.022)):
            scenery.add(GRAY_METAL, moved(turned(drum(r, 0.008, 0.003), "x", 90), x + 0.47 * side, 0.682, z))
    _files(scenery, 0.45 + shift, 0.72)
    add_pot_plant(scenery, 1.28 + shift, 0.74, 0.42, params.numbers["phase"])
    scenery.add(chalk(0.33, 0.22, 0.13), slab((0.9, 0.02, 0.5), 0.75 + shift, _WALL - 0.01, 0.46))
    scenery.add(
        PALE_WOOD,
        slab((0.94, 0.03, 0.02), 0.75 + shift, _WALL - 0.01, 0.45),
        slab((0.94, 0.03, 0.02), 0.75 + shift, _WALL - 0.01, 0.95),
    )
    for k, (u, v) in enumerate(zip(spread(8, 0.1), spread(8, 0.55), strict=True)):
        tone = (chalk(0.70, 0.66, 0.45), chalk(0.66, 0.68, 0.70), chalk(0.62, 0.60, 0.55))[k % 3]
        scenery.add(
            tone,
            slab((0.075, 0.004, 0.075), 0.38 + 0.74 * u + shift, _WALL - 0.023 - 0.002 * k, 0.50 + 0.34 * v),
        )
    add_picture(scenery, -0.95 + shift, _WALL, 0.75, 0.42, 0.32, chalk(0.35, 0.42, 0.48))
    return scenery.indoors()


def _keyboard(scenery: Scenery, x: float, y: float) -> None:
    scenery.add(IRON, moved(rounded_box((0.44, 0.14, 0.016), 0.006), x, y, 0.009))
    for row in range(5):
        for k in range(15):
            scenery.add(DARK, slab((0.023, 0.020, 0.007), x + (k - 7) * 0.028, y + (row - 2) * 0.026, 0.016))
    scenery.add(DARK, moved(rounded_box((0.062, 0.105, 0.032), 0.015, 3), x + 0.33, y, 0.016))


def _files(scenery: Scenery, x: float, y: float) -> None:
    """Add upright ring binders between two book ends."""
    tones = (
        paint(0.15, 0.17, 0.18),
        paint(0.40, 0.38, 0.33),
        paint(0.22, 0.24, 0.22),
        paint(0.30, 0.25, 0.19),
    )
    place = x
    for k, share in enumerate(spread(7, 0.2)):
        wide = 0.045 + 0.030 * share
        scenery.add(
            tones[k % 4],
            moved(rounded_box((wide * 0.96, 0.26, 0.315), 0.004, 1), place + wide / 2, y, 0.1575),
        )
        scenery.add(FRAME, slab((wide * 0.6, 0.004, 0.10), place + wide / 2, y - 0.131, 0.17))
        scenery.add(STEEL, moved(turned(drum(0.010, 0.004), "x", 90), place + wide / 2, y - 0.130, 0.06))
        place += wide
    for end in (x - 0.006, place + 0.006):
        scenery.add(GRAY_METAL, slab((0.008, 0.16, 0.17), end, y, 0.0))


def _kitchen(params: PlaceParams) -> Place:
    shift = params.numbers["shift"]
    scenery = _table("concrete", 1.1, 0.15)
    scenery.add(
        Material("plastic", texture="wall_tiles", roughness=0.15), wall((-5, 5), _WALL, (0.0, 0.62), 0.62)
    )
    scenery.add(PLASTER, wall((-5, 5), _WALL, (0.62, 6.0), 2.0))
    front = {
        "cream": paint(0.60, 0.55, 0.44),
        "sage": paint(0.30, 0.36, 0.29),
        "gray": paint(0.34, 0.36, 0.38),
    }[params.choices["cupboards"]]
    for k in range(8):
        x = (k - 3.5) * 0.62
        scenery.add(front, moved(rounded_box((0.605, 0.34, 0.80), 0.008), x, 0.75, 1.04))
        scenery.add(front, moved(rounded_box((0.46, 0.012, 0.64), 0.005), x, 0.577, 1.04))
        scenery.add(STEEL, rod((x + 0.25 * (-1) ** k, 0.56, 0.70), (x + 0.25 * (-1) ** k, 0.56, 0.82), 0.006))
    scenery.add(WINDOW, moved(rounded_box((0.60, 0.44, 0.012), 0.004), -0.72 + shift, 0.67, 0.004))
    _pot(scenery, -0.85 + shift, 0.71, 0.125, 0.16)
    _pot(scenery, -0.55 + shift, 0.68, 0.095, 0.10)
    add_tap(scenery, 0.92 + shift, 0.80, 0.32)
    scenery.add(GRAY_METAL, slab((0.56, 0.30, 0.006), 0.92 + shift, 0.62, 0.0))
    scenery.add(IRON, slab((0.46, 0.22, 0.002), 0.92 + shift, 0.60, 0.006))
    _toaster(scenery, 0.12 + shift, 0.74)
    scenery.add(
        PALE_WOOD, moved(turned(rounded_box((0.30, 0.02, 0.42), 0.008), "x", -10), 0.52 + shift, 0.85, 0.22)
    )
    jar = np.array([[0, 0], [0.06, 0], [0.065, 0.01], [0.065, 0.15], [0.055, 0.15], [0.055, 0.02], [0, 0.02]])
    scenery.add(chalk(0.45, 0.43, 0.40), moved(lathe(jar, 32), -0.22 + shift, 0.76, 0.0))
    for k, lean in enumerate((-0.05, -0.01, 0.03, 0.06)):
        top = (-0.22 + shift + lean, 0.76 + 0.02 * (k % 2), 0.29 + 0.015 * k)
        scenery.add(
            PALE_WOOD, rod((-0.22 + shift + 0.3 * lean, 0.76, 0.03), top, 0.006), moved(ball(0.045, 16), *top)
        )
    return scenery.indoors()


def _pot(scenery: Scenery, x: float, y: float, radius: float, height: float) -> None:
    """Add a cooking pot with lid and two handles."""
    r, h = radius, height
    profile = np.array(
        [
            [0, 0.01],
            [r * 0.95, 0.01],
            [r, 0.02],
            [r, h],
            [r * 1.03, h + 0.004],
            [r * 0.9, h + 0.016],
            [r * 0.3, h + 0.035],
            [0, h + 0.036],
        ]
    )
    scenery.add(
        GRAY_METAL,
        moved(lathe(profile, 48), x, y, 0.008),
        moved(drum(0.018, 0.03, 0.006, 20), x, y, h + 0.036),
    )
    grip = arc(0, 0, 1, 90, -90, 9) * [0.035, 0.03]
    for side in (-1, 1):
        path = np.column_stack([side * (grip[:, 0] + r - 0.003), grip[:, 1], np.full(9, 0.8 * h)])
        scenery.add(IRON, moved(pipe(path, 0.007, 8), x, y, 0.008))


def _toaster(scenery: Scenery, x: float, y: float) -> None:
    scenery.add(GRAY_METAL, moved(rounded_box((0.30, 0.17, 0.19), 0.035, 4), x, y, 0.11))
    scenery.add(
        IRON,
        moved(rounded_box((0.28, 0.16, 0.03), 0.008), x, y, 0.015),
        *(slab((0.20, 0.024, 0.004), x, y + s * 0.035, 0.203) for s in (-1, 1)),
    )
    scenery.add(IRON, moved(rounded_box((0.02, 0.04, 0.018), 0.006), x + 0.158, y, 0.15))


def _workshop(params: PlaceParams) -> Place:
    shift = params.numbers["shift"]
    scenery = _table("walnut", 1.3, 0.5)
    scenery.add(chalk(0.44, 0.34, 0.22), wall((-5, 5), _WALL, (0.0, 0.95)))
    scenery.add(PLASTER, wall((-5, 5), _WALL + 0.001, (0.95, 6.0), 2.0))
    scenery.add(PALE_WOOD, slab((10.0, 0.03, 0.05), 0.0, _WALL, 0.95))
    for k in range(60):
        for j in range(5):
            scenery.add(IRON, slab((0.008, 0.004, 0.008), (k - 29.5) * 0.08, _WALL - 0.002, 0.15 + 0.16 * j))
    for k in range(-1, 2):
        _tools(scenery, 1.75 * k + shift)
    _vice(scenery, 1.0 + shift, 0.66)
    _drawers(scenery, -0.95 + shift, 0.76)
    for k, (x, r) in enumerate(((-0.34, 0.085), (-0.14, 0.07), (0.42, 0.085))):
        tin = np.array([[0, 0], [r, 0], [r, 0.18], [0.94 * r, 0.18], [0.92 * r, 0.172], [0, 0.172]])
        scenery.add(GRAY_METAL, moved(lathe(tin, 40), x + shift, 0.76, 0.0))
        band = np.array([[r * 0.9, 0.03], [r * 1.01, 0.03], [r * 1.01, 0.14], [r * 0.9, 0.14]])
        scenery.add(
            (chalk(0.55, 0.52, 0.46), chalk(0.25, 0.30, 0.33), chalk(0.40, 0.30, 0.20))[k],
            moved(lathe(band, 40, loop=True), x + shift, 0.76, 0.0),
        )
    for k in range(4):
        scenery.add(
            PALE_WOOD, slab((0.62 - 0.07 * k, 0.10, 0.035), 0.12 + shift, 0.60 if k < 3 else 0.62, 0.036 * k)
        )
    return scenery.indoors()


def _tools(scenery: Scenery, x: float) -> None:
    """Hang hammer, saw, spanners and screwdrivers on the wall around x."""
    y = _WALL - 0.025
    scenery.add(PALE_WOOD, rod((x - 0.55, y, 0.42), (x - 0.55, y, 0.74), 0.014))
    scenery.add(GRAY_METAL, moved(rounded_box((0.13, 0.03, 0.035), 0.008), x - 0.55, y, 0.745))
    blade = np.array([[-0.30, 0.02], [0.16, 0.0], [0.16, 0.12], [-0.30, 0.055]])
    scenery.add(GRAY_METAL, moved(plate(blade, 0.004), x - 0.08, y, 0.56))
    scenery.add(
        PALE_WOOD,
        moved(
            plate(
                np.array([[0.0, 0.0], [0.10, -0.02], [0.12, 0.10], [0.08, 0.14], [0.0, 0.12]]), 0.022, 0.006
            ),
            x + 0.07,
            y,
            0.56,
        ),
    )
    for k in range(5):
        place, size = x + 0.30 + 0.075 * k, 0.20 + 0.028 * k
        scenery.add(
            GRAY_METAL,
            rod((place, y, 0.82 - size), (place, y, 0.80), 0.008, 8),
            moved(turned(drum(0.022, 0.012), "x", 90), place, y, 0.81),
            moved(turned(drum(0.018, 0.012), "x", 90), place, y, 0.82 - size),
        )
    for k in range(4):
        place = x - 0.42 + 0.07 * k
        scenery.add((IRON, paint(0.35, 0.28, 0.08))[k % 2], rod((place, y, 0.32), (place, y, 0.42), 0.013))
        scenery.add(STEEL, rod((place, y, 0.22), (place, y, 0.32), 0.004))


def _vice(scenery: Scenery, x: float, y: float) -> None:
    tone = paint(0.09, 0.14, 0.17)
    scenery.add(
        tone,
        moved(rounded_box((0.22, 0.18, 0.05), 0.015), x, y, 0.025),
        moved(rounded_box((0.10, 0.12, 0.10), 0.02), x, y, 0.09),
    )
    scenery.add(
        tone, *(moved(rounded_box((0.045, 0.16, 0.08), 0.012), x + s, y, 0.155) for s in (-0.06, 0.035))
    )
    scenery.add(
        GRAY_METAL,
        rod((x - 0.20, y, 0.11), (x + 0.02, y, 0.11), 0.016),
        rod((x - 0.195, y - 0.10, 0.11), (x - 0.195, y + 0.10, 0.11), 0.008),
    )


def _drawers(scenery: Scenery, x: float, y: float) -> None:
    scenery.add(paint(0.20, 0.24, 0.27), slab((0.56, 0.20, 0.42), x, y, 0.0))
    for row in range(5):
        for column in range(5):
            place = x + (column - 2) * 0.107
            scenery.add(
                chalk(0.50, 0.50, 0.48), slab((0.095, 0.02, 0.066), place, y - 0.10, 0.022 + 0.079 * row)
            )
            scenery.add(IRON, slab((0.03, 0.02, 0.01), place, y - 0.115, 0.045 + 0.079 * row))


_SHIFT = {"shift": (-0.12, 0.12)}
TABLETOPS = (
    PlaceKind(
        "desk",
        "C",
        "table",
        _desk,
        suits=_MOVES,
        clashes=frozenset({"book"}),
        ranges=_SHIFT | {"phase": (0.0, 1.0)},
    ),
    PlaceKind(
        "kitchen",
        "C",
        "table",
        _kitchen,
        suits=_MOVES,
        clashes=frozenset({"teapot"}),
        ranges=_SHIFT,
        options={"cupboards": ("cream", "sage", "gray")},
    ),
    PlaceKind("workshop", "C", "table", _workshop, suits=_MOVES, ranges=_SHIFT),
)
