"""Chair, table, lamp and armchair."""

from __future__ import annotations

import numpy as np

from generation.geometry.lofts import ball, pipe, rod, rounded_box
from generation.geometry.placing import both_sides, moved, turned
from generation.quantiphy.things.kit import Kit
from generation.quantiphy.things.meshes import drum
from generation.quantiphy.things.model import Kind, Thing, ThingParams
from generation.quantiphy.things.paints import STEEL, WOOD, gloss, matt, satin
from generation.rendering.shapes import lathe
from generation.scene import Material


def _chair(params: ThingParams) -> Thing:
    """Build a kitchen chair of painted wood that looks to +x."""
    height = params.sizes["height"]
    seat, depth, width, leg = 0.45, 0.42, 0.42, 0.038
    kit = Kit(satin(params.color))
    kit.paint(moved(rounded_box((depth, width, 0.035), 0.014, 3), z=seat - 0.0175))
    front = (depth / 2 - 0.04, -width / 2 + 0.04)
    kit.paint(*both_sides(rod((*front, seat - 0.02), (front[0] + 0.02, front[1] - 0.012, 0), leg / 2)))
    back = np.array(
        [
            [-0.24, -0.18, 0.0],
            [-0.18, -0.17, 0.22],
            [-0.17, -0.17, 0.45],
            [-0.20, -0.175, 0.70],
            [-0.26, -0.18, height - 0.01],
        ]
    )
    kit.paint(*both_sides(pipe(back, leg / 2)))
    for z in (0.60, 0.72, 0.84):
        x = float(np.interp(z, back[:, 2], back[:, 0]))
        kit.paint(moved(turned(rounded_box((0.016, 0.34, 0.06), 0.006), "y", -12), x=x, z=z * height / 0.9))
    kit.paint(*both_sides(rod((0.17, -0.175, 0.20), (-0.19, -0.172, 0.20), 0.011)))
    kit.paint(rod((0.0, -0.17, 0.20), (0.0, 0.17, 0.20), 0.010))
    return kit.thing({"z": height}, {"height": "z"})


def _table(params: ThingParams) -> Thing:
    length, height = params.sizes["length"], params.sizes["height"]
    width = 0.55 * length
    kit = Kit(satin(params.color))
    kit.paint(moved(rounded_box((length, width, 0.035), 0.010, 3), z=height - 0.0175))
    leg = rounded_box((0.065, 0.065, height - 0.03), 0.006)
    kit.paint(
        *both_sides(
            *(moved(leg, s * (length / 2 - 0.07), -width / 2 + 0.07, (height - 0.03) / 2) for s in (-1, 1))
        )
    )
    rail = rounded_box((length - 0.2, 0.025, 0.09), 0.004)
    kit.paint(*both_sides(moved(rail, 0, -width / 2 + 0.07, height - 0.08)))
    kit.paint(
        *(
            moved(rounded_box((0.025, width - 0.2, 0.09), 0.004), s * (length / 2 - 0.07), 0, height - 0.08)
            for s in (-1, 1)
        )
    )
    return kit.thing({"x": length, "z": height}, {"length": "x", "height": "z"})


def _lamp(params: ThingParams) -> Thing:
    """Build a table lamp; the shade and the vase under it are coloured."""
    height = params.sizes["height"]
    kit = Kit(matt(params.color))
    outer = np.array([[0.240, 0.60], [0.250, 0.60], [0.165, 1.0], [0.155, 1.0]])
    kit.paint(lathe(outer * height, 64, loop=True))
    foot = [
        [0, 0],
        [0.115, 0],
        [0.12, 0.01],
        [0.115, 0.03],
        [0.05, 0.045],
        [0.06, 0.08],
        [0.095, 0.17],
        [0.10, 0.24],
        [0.085, 0.31],
        [0.045, 0.40],
        [0.028, 0.46],
        [0.03, 0.48],
        [0, 0.48],
    ]
    kit.add(gloss(params.color), lathe(np.array(foot) * height, 48))
    kit.add(STEEL, moved(drum(0.012 * height, 0.22 * height), z=0.47 * height))
    kit.add(Material("plastic", (0.85, 0.83, 0.75), 0.1), moved(ball(0.12 * height, 24), z=0.74 * height))
    kit.add(
        STEEL,
        *(
            rod(
                (0, 0, 0.95 * height),
                (0.172 * height * np.cos(a), 0.172 * height * np.sin(a), 0.95 * height),
                0.004 * height,
                6,
            )
            for a in np.pi * np.arange(6) / 3
        ),
    )
    return kit.thing(
        {"x": 0.5 * height, "y": 0.5 * height, "z": height}, {"height": "z", "shade diameter": "x"}
    )


def _armchair(params: ThingParams) -> Thing:
    height = params.sizes["height"]
    kit = Kit(matt(params.color))
    kit.paint(moved(rounded_box((0.72, 0.80, 0.22), 0.04, 3), x=0.02, z=0.25))
    kit.paint(moved(rounded_box((0.60, 0.54, 0.15), 0.055, 4), x=0.07, z=0.42))
    kit.paint(moved(turned(rounded_box((0.18, 0.60, 0.62), 0.075, 4), "y", -12), x=-0.29, z=0.62))
    kit.paint(*both_sides(moved(rounded_box((0.74, 0.16, 0.36), 0.07, 4), 0.02, -0.36, 0.43)))
    kit.add(WOOD, *both_sides(*(moved(drum(0.024, 0.15), x, -0.32, 0.0) for x in (-0.26, 0.30))))
    return kit.thing({"z": height}, {"height": "z"})


FURNITURE = (
    Kind(
        "chair",
        "room",
        frozenset({"slides", "falls", "stands"}),
        ("red", "blue", "white", "green", "brown", "yellow", "black"),
        {"height": (0.82, 0.98)},
        _chair,
    ),
    Kind(
        "table",
        "room",
        frozenset({"slides", "stands"}),
        ("brown", "white", "black", "red", "blue", "green"),
        {"length": (0.9, 1.8), "height": (0.70, 0.78)},
        _table,
    ),
    Kind(
        "lamp",
        "room",
        frozenset({"slides", "falls", "stands"}),
        ("red", "white", "blue", "yellow", "green", "orange"),
        {"height": (0.38, 0.65)},
        _lamp,
    ),
    Kind(
        "armchair",
        "room",
        frozenset({"slides", "stands"}),
        ("red", "blue", "green", "brown", "gray", "yellow"),
        {"height": (0.88, 1.05)},
        _armchair,
    ),
)
