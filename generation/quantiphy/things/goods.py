"""Things that are carried, pushed and stored: crate, barrel, traffic cone, suitcase, bucket, wagon."""

from __future__ import annotations

import numpy as np

from generation.geometry.lofts import pipe, rod, rounded_box
from generation.geometry.outlines import arc
from generation.geometry.placing import both_sides, moved, turned
from generation.quantiphy.things.kit import Kit
from generation.quantiphy.things.meshes import drum
from generation.quantiphy.things.model import Kind, Thing, ThingParams
from generation.quantiphy.things.paints import DARK, RUBBER, STEEL, WHITE, gloss, matt, satin
from generation.quantiphy.things.wheels import add_wheel
from generation.rendering.shapes import lathe
from generation.scene import Material, Mesh


def _crate(params: ThingParams) -> Thing:
    width, height = params.sizes["width"], params.sizes["height"]
    beam, thick = 0.11 * min(width, height), 0.025 * width
    kit = Kit(matt(params.color))
    r, g, b = matt(params.color).color
    boards = Material(
        "diffuse", (min(1.3 * r + 0.02, 0.9), min(1.3 * g + 0.02, 0.9), min(1.3 * b + 0.02, 0.9))
    )
    for turn, across in ((0, width), (90, width), (180, width), (270, width)):
        kit.paint(*(turned(mesh, "z", turn) for mesh in _frame(across, height, beam, thick)))
    inner = width - 2 * thick
    count = max(3, round(height / 0.14))
    plank = (height - 0.02 * height) / count
    kit.add(
        boards,
        *(
            moved(rounded_box((inner, inner, 0.93 * plank), 0.006, 1), z=0.01 * height + (k + 0.5) * plank)
            for k in range(count)
        ),
    )
    slat = inner / 6
    kit.paint(
        *(
            moved(
                rounded_box((width - thick, 0.93 * slat, 0.9 * thick), 0.004, 1),
                y=(k - 2.5) * slat,
                z=height - 0.45 * thick,
            )
            for k in range(6)
        )
    )
    return kit.thing({"x": width, "y": width, "z": height}, {"width": "x", "height": "z"})


def _frame(width: float, height: float, beam: float, thick: float) -> list[Mesh]:
    """Return the beams on a crate's side at y = -width / 2: a border and a diagonal."""
    y = -width / 2 + thick / 2
    parts = [
        moved(rounded_box((beam, thick, height), 0.004, 1), s * (width - beam) / 2, y, height / 2)
        for s in (-1, 1)
    ]
    rail = rounded_box((width - 2 * beam + 0.01, thick, beam), 0.004, 1)
    parts += [moved(rail, 0, y, z) for z in (beam / 2, height - beam / 2)]
    run, rise = width - 1.9 * beam, height - 1.9 * beam
    brace = rounded_box((np.hypot(run, rise), 0.9 * thick, 0.85 * beam), 0.004, 1)
    return [
        *parts,
        moved(turned(brace, "y", -np.degrees(np.arctan2(rise, run))), 0, y + 0.05 * thick, height / 2),
    ]


def _barrel(params: ThingParams) -> Thing:
    """Build a steel drum with two rolling hoops."""
    height, radius = params.sizes["height"], params.sizes["diameter"] / 2
    profile = [[0, 0.02], [0.94, 0.02], [0.95, 0.0], [1.0, 0.0], [1.0, 0.02], [0.965, 0.03]]
    for z in (0.333, 0.667):
        profile += [[0.965, z - 0.025], [1.0, z - 0.010], [1.0, z + 0.010], [0.965, z + 0.025]]
    profile += [[0.965, 0.97], [1.0, 0.98], [1.0, 1.0], [0.95, 1.0], [0.94, 0.98], [0, 0.98]]
    kit = Kit(satin(params.color))
    kit.paint(lathe(np.array(profile) * [radius, height], 64))
    kit.add(STEEL, moved(drum(0.11 * radius, 0.015 * height), x=0.6 * radius, z=0.975 * height))
    return kit.thing({"x": 2 * radius, "y": 2 * radius, "z": height}, {"height": "z", "diameter": "x"})


def _cone(params: ThingParams) -> Thing:
    height = params.sizes["height"]
    base, foot = 0.52 * height, 0.045 * height
    kit = Kit(satin(params.color))
    kit.paint(moved(rounded_box((base, base, foot), 0.02 * height), z=foot / 2))

    def radius(z: float) -> float:
        return height * (0.200 - 0.168 * (z - 0.045) / 0.955)

    def band(low: float, high: float, grow: float) -> Mesh:
        points = [
            [0, low],
            [radius(low) / height + grow, low],
            [radius(high) / height + grow, high],
            [0, high],
        ]
        return lathe(np.array(points) * height, 48)

    kit.paint(
        band(0.04, 0.985, 0.0), moved(drum(radius(0.985), 0.015 * height, 0.005 * height), z=0.985 * height)
    )
    kit.add(WHITE, band(0.34, 0.50, 0.0025), band(0.64, 0.76, 0.0025))
    return kit.thing({"x": base, "y": base, "z": height}, {"height": "z", "base width": "x"})


def _suitcase(params: ThingParams) -> Thing:
    height, width = params.sizes["height"], params.sizes["width"]
    depth = 0.42 * width
    shell = 0.82 * height
    foot = 0.07 * height
    kit = Kit(gloss(params.color))
    kit.paint(moved(rounded_box((width, depth, shell), 0.06 * height, 4), z=foot + shell / 2))
    rib = rounded_box((0.035 * width, depth + 0.012, 0.80 * shell), 0.005)
    kit.paint(*(moved(rib, x=(k - 3) * 0.13 * width, z=foot + shell / 2) for k in range(7)))
    kit.add(DARK, moved(rounded_box((width + 0.004, 0.010, shell + 0.004), 0.004), z=foot + shell / 2))
    top = foot + shell
    kit.add(
        STEEL,
        *(
            rod((s * 0.17 * width, 0, top - 0.02), (s * 0.17 * width, 0, height - 0.015), 0.008)
            for s in (-1, 1)
        ),
    )
    kit.add(DARK, moved(rounded_box((0.34 * width + 0.03, 0.028, 0.03), 0.012), z=height - 0.015))
    grip = arc(0, 0, 1, 0, 180, 9) * [0.10 * width, 0.028 * height] + [0, top - 0.004]
    kit.add(DARK, pipe(np.insert(grip, 1, 0.06, axis=1), 0.009, 10))
    wheel = turned(moved(drum(foot / 2, 0.022), z=-0.011), "x", 90)
    kit.add(RUBBER, *both_sides(*(moved(wheel, s * 0.40 * width, -0.34 * depth, foot / 2) for s in (-1, 1))))
    fork = rounded_box((0.03, 0.04, 0.04), 0.01)
    kit.add(DARK, *both_sides(*(moved(fork, s * 0.40 * width, -0.34 * depth, foot) for s in (-1, 1))))
    return kit.thing({"x": width, "z": height}, {"height": "z", "width": "x"})


def _bucket(params: ThingParams) -> Thing:
    height = params.sizes["height"]
    profile = [
        [0, 0],
        [0.33, 0],
        [0.34, 0.01],
        [0.455, 0.955],
        [0.49, 0.955],
        [0.50, 0.975],
        [0.49, 1.0],
        [0.445, 1.0],
        [0.325, 0.03],
        [0, 0.03],
    ]
    kit = Kit(satin(params.color))
    kit.paint(lathe(np.array(profile) * height, 64))
    bow = arc(0, 0.93, 0.505, 180, 0, 25) * height
    tilted = np.insert(bow, 1, 0.0, axis=1)
    kit.add(STEEL, pipe(tilted, 0.011 * height, 10))
    kit.add(
        WHITE,
        moved(turned(moved(drum(0.03 * height, 0.20 * height), z=-0.1 * height), "y", 90), z=1.435 * height),
    )
    rim = (-0.5 * height, 0.0, 0.975 * height), (0.5 * height, 0.0, 0.975 * height)
    return kit.thing({}, {}, {"rim diameter": rim})


def _wagon(params: ThingParams) -> Thing:
    """Build a child's four-wheeled wagon with a drawbar in front."""
    length = params.sizes["length"]
    tray, width, wheel = 0.72, 0.36, 0.20
    kit = Kit(gloss(params.color))
    floor, side = 0.16, 0.15
    kit.paint(moved(rounded_box((tray, width, 0.02), 0.008), z=floor))
    kit.paint(*both_sides(moved(rounded_box((tray, 0.018, side), 0.008), 0, -width / 2, floor + side / 2)))
    kit.paint(
        *(
            moved(rounded_box((0.018, width, side), 0.008), x=s * tray / 2, z=floor + side / 2)
            for s in (-1, 1)
        )
    )
    rim = rounded_box((tray + 0.03, 0.026, 0.020), 0.009)
    kit.paint(*both_sides(moved(rim, 0, -width / 2, floor + side)))
    kit.add(
        WHITE,
        *both_sides(moved(rounded_box((0.42, 0.006, 0.035), 0.002), 0, -width / 2 - 0.010, floor + 0.08)),
    )
    for x in (-0.24, 0.24):
        for s in (-1, 1):
            add_wheel(kit, x, s * (width / 2 - 0.03), wheel / 2, wheel, 0.05, WHITE)
        kit.add(DARK, moved(rounded_box((0.05, width - 0.1, 0.06), 0.01), x=x, z=wheel / 2 + 0.02))
    kit.add(
        DARK,
        rod((0.34, 0, 0.12), (0.66, 0, 0.40), 0.011),
        rod((0.66, -0.07, 0.40), (0.66, 0.07, 0.40), 0.013),
    )
    return kit.thing({"x": length, "y": 0.375 * length, "z": 0.40 * length}, {"length": "x"})


GOODS = (
    Kind(
        "crate",
        "room",
        frozenset({"slides", "falls", "stands", "floats"}),
        ("brown", "red", "green", "blue", "white", "yellow"),
        {"width": (0.4, 1.0), "height": (0.4, 0.9)},
        _crate,
    ),
    Kind(
        "barrel",
        "room",
        frozenset({"slides", "falls", "floats", "stands"}),
        ("blue", "red", "green", "yellow", "black", "orange"),
        {"height": (0.80, 0.95), "diameter": (0.55, 0.62)},
        _barrel,
    ),
    Kind(
        "traffic cone",
        "room",
        frozenset({"slides", "falls", "stands"}),
        ("orange", "red", "green", "blue"),
        {"height": (0.45, 0.95)},
        _cone,
    ),
    Kind(
        "suitcase",
        "room",
        frozenset({"slides", "drives", "falls", "stands"}),
        ("red", "blue", "black", "yellow", "pink", "green", "purple"),
        {"height": (0.75, 1.05), "width": (0.40, 0.52)},
        _suitcase,
    ),
    Kind(
        "bucket",
        "room",
        frozenset({"slides", "falls", "swings", "stands"}),
        ("blue", "red", "yellow", "green", "black"),
        {"height": (0.26, 0.34)},
        _bucket,
    ),
    Kind(
        "wagon",
        "room",
        frozenset({"drives", "slides", "stands"}),
        ("red", "blue", "green", "yellow"),
        {"length": (0.95, 1.35)},
        _wagon,
    ),
)
