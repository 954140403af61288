"""Small things of a play room and a desk: die, toy brick, book, pencil, rubber duck."""

from __future__ import annotations

import numpy as np

from generation.geometry.lofts import ball, hull, loft, oval, rounded_box
from generation.geometry.outlines import plate
from generation.geometry.placing import both_sides, moved, scaled, turned
from generation.quantiphy.things.kit import Kit
from generation.quantiphy.things.meshes import drum
from generation.quantiphy.things.model import Kind, Thing, ThingParams
from generation.quantiphy.things.paints import DARK, PAPER, STEEL, gloss, satin
from generation.rendering.palette import COLORS
from generation.rendering.shapes import box
from generation.scene import Float, Material, Mesh

_PIPS = {1: [(0, 0)], 2: [(1, 1), (-1, -1)], 3: [(1, 1), (0, 0), (-1, -1)]}
_PIPS[4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
_PIPS[5] = [*_PIPS[4], (0, 0)]
_PIPS[6] = [*_PIPS[4], (1, 0), (-1, 0)]
# Opposite faces add up to seven.
_SIDES = ((1, "z", 0), (6, "x", 180), (2, "x", 90), (5, "x", -90), (3, "y", 90), (4, "y", -90))


def _die(params: ThingParams) -> Thing:
    edge = params.sizes["edge length"]
    kit = Kit(gloss(params.color))
    kit.paint(rounded_box((edge, edge, edge), 0.12 * edge, 3))
    pip = drum(0.095 * edge, 0.03 * edge, 0.012 * edge, 24)
    dots = gloss("black" if params.color in ("white", "yellow") else "white")
    for count, axis, degrees in _SIDES:
        spots = [moved(pip, 0.25 * edge * a, 0.25 * edge * b, 0.473 * edge) for a, b in _PIPS[count]]
        kit.add(dots, *(turned(spot, axis, degrees) for spot in spots))
    return kit.thing(dict.fromkeys("xyz", edge), {"edge length": "x"})


def _brick(params: ThingParams) -> Thing:
    length = params.sizes["length"]
    unit = length / 4
    height = 1.2 * unit
    kit = Kit(gloss(params.color))
    kit.paint(moved(rounded_box((4 * unit, 2 * unit, height), 0.03 * unit, 1), z=height / 2))
    stud = drum(0.31 * unit, 0.26 * unit, 0.03 * unit)
    kit.paint(
        *(
            moved(stud, (i - 1.5) * unit, (j - 0.5) * unit, height - 0.04 * unit)
            for i in range(4)
            for j in range(2)
        )
    )
    return kit.thing({"x": length}, {"length": "x"})


def _book(params: ThingParams) -> Thing:
    length, thickness = params.sizes["length"], params.sizes["thickness"]
    width, board = 0.70 * length, 0.0028
    kit = Kit(satin(params.color))
    for z in (board / 2, thickness - board / 2):
        kit.paint(moved(rounded_box((length, width, board), 0.0012, 1), z=z))
    kit.add(
        PAPER,
        moved(
            box((0.965 * length, 0.94 * width, thickness - 2 * board + 1e-4)),
            y=0.012 * width,
            z=thickness / 2,
        ),
    )
    # The spine faces the viewer who looks along +y.
    spine = plate(_spine(width, thickness), length)
    kit.paint(turned(spine, "z", 90))
    band = Material("plastic", (0.72, 0.55, 0.20), 0.3)
    for x in (-0.36, -0.30, 0.30, 0.36):
        kit.add(
            band,
            moved(
                rounded_box((0.014 * length, 0.004, 0.62 * thickness), 0.001, 1),
                x=x * length,
                y=-0.5185 * width,
                z=thickness / 2,
            ),
        )
    title = box((0.30 * length, 0.003, 0.28 * thickness))
    kit.add(band, moved(title, y=-0.5185 * width, z=thickness / 2))
    return kit.thing({"x": length, "z": thickness}, {"length": "x", "thickness": "z"})


def _spine(width: float, thickness: float) -> Float:
    angle = np.linspace(-np.pi / 2, np.pi / 2, 15)
    curve = np.stack(
        [-0.49 * width - 0.03 * width * np.cos(angle), thickness / 2 + thickness / 2 * np.sin(angle)], axis=1
    )
    return np.vstack([curve, [[-0.47 * width, thickness], [-0.47 * width, 0.0]]])


def _pencil(params: ThingParams) -> Thing:
    length = params.sizes["length"]
    radius = 0.030 * length
    hexagon = oval(2 * radius, 2 * radius, 6)
    kit = Kit(satin(params.color))
    kit.paint(_prism(hexagon, [(0.10, 1.0), (0.85, 1.0)], length))
    circle = oval(2 * radius, 2 * radius, 24)
    kit.add(Material("diffuse", (0.62, 0.42, 0.22)), _prism(circle, [(0.849, 0.93), (0.965, 0.30)], length))
    kit.add(DARK, _prism(circle, [(0.964, 0.31), (0.997, 0.06), (1.0, 0.0)], length))
    kit.add(STEEL, _prism(circle, [(0.055, 1.02), (0.101, 1.02)], length))
    kit.add(
        Material("diffuse", (0.72, 0.22, 0.24)),
        _prism(circle, [(0.0, 0.8), (0.008, 0.98), (0.056, 1.0)], length),
    )
    return kit.thing({"x": length}, {"length": "x"})


def _prism(section: Float, stations: list[tuple[float, float]], length: float) -> Mesh:
    """Return a body along x with scaled sections at shares of a length."""
    rings = [np.column_stack([np.full(len(section), s * length), section * scale]) for s, scale in stations]
    return loft(np.array(rings))


def _duck(params: ThingParams) -> Thing:
    # Tail to breast.
    stations = np.array([-0.52, -0.50, -0.44, -0.34, -0.20, 0.0, 0.18, 0.30, 0.38, 0.41])
    widths = np.array([0.0, 0.10, 0.22, 0.40, 0.58, 0.68, 0.62, 0.44, 0.20, 0.0])
    highs = np.array([0.50, 0.52, 0.50, 0.42, 0.38, 0.40, 0.43, 0.38, 0.26, 0.18])
    lows = np.array([0.50, 0.40, 0.28, 0.12, 0.02, 0.0, 0.01, 0.05, 0.10, 0.18])
    kit = Kit(gloss(params.color))
    kit.paint(hull(stations, widths, lows, highs, count=32, between=3))
    kit.paint(moved(scaled(ball(0.44, 48), 1.0, 0.94, 0.96), 0.22, 0, 0.58))
    wing = hull(
        np.array([-0.22, -0.18, -0.05, 0.08, 0.13]),
        np.array([0.0, 0.07, 0.12, 0.09, 0.0]),
        np.array([0.10, 0.05, 0.0, 0.02, 0.08]),
        np.array([0.10, 0.15, 0.22, 0.21, 0.08]),
        count=20,
        between=4,
    )
    kit.paint(*both_sides(moved(turned(wing, "x", -12), -0.10, -0.31, 0.16)))
    beak = hull(
        np.array([0.0, 0.06, 0.11, 0.135]),
        np.array([0.16, 0.17, 0.12, 0.0]),
        np.array([-0.05, -0.035, -0.022, 0.0]),
        np.array([0.05, 0.028, 0.018, 0.0]),
        count=24,
        between=3,
    )
    kit.add(
        Material("plastic", COLORS["orange" if params.color != "orange" else "yellow"], 0.1),
        moved(beak, 0.405, 0, 0.55),
    )
    kit.add(DARK, *both_sides(moved(ball(0.055, 20), 0.355, -0.145, 0.64)))
    height = 0.90 * params.sizes["length"]
    return kit.thing(
        {"x": params.sizes["length"], "y": 0.74 * params.sizes["length"], "z": height},
        {"length": "x", "height": "z"},
        ground_z=0.10,
    )


TOYS = (
    Kind(
        "die",
        "table",
        frozenset({"slides", "falls", "flies", "stands"}),
        ("white", "red", "blue", "green", "black", "yellow"),
        {"edge length": (0.05, 0.12)},
        _die,
    ),
    Kind(
        "toy brick",
        "table",
        frozenset({"slides", "falls", "flies", "stands"}),
        ("red", "blue", "yellow", "green", "white", "orange"),
        {"length": (0.06, 0.16)},
        _brick,
    ),
    Kind(
        "book",
        "table",
        frozenset({"slides", "falls", "stands"}),
        ("red", "blue", "green", "black", "brown", "purple"),
        {"length": (0.20, 0.32), "thickness": (0.025, 0.055)},
        _book,
    ),
    Kind(
        "pencil",
        "table",
        frozenset({"slides", "falls", "flies", "stands"}),
        ("yellow", "red", "blue", "green", "purple"),
        {"length": (0.15, 0.19)},
        _pencil,
    ),
    Kind(
        "rubber duck",
        "table",
        frozenset({"floats", "slides", "falls", "stands"}),
        ("yellow", "pink", "blue", "white", "green"),
        {"length": (0.09, 0.25)},
        _duck,
    ),
)
