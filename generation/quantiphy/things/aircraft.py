"""Airliner, helicopter, drone, balloons and rocket."""

from __future__ import annotations

import numpy as np

from generation.geometry.lofts import ball, hull, pipe, rod, rounded_box, spindle
from generation.geometry.outlines import plate
from generation.geometry.placing import both_sides, moved, turned
from generation.quantiphy.things.kit import Kit
from generation.quantiphy.things.meshes import bare, drum, wing
from generation.quantiphy.things.model import Kind, Thing, ThingParams
from generation.quantiphy.things.paints import DARK, RUBBER, STEEL, WHITE, WINDOW, gloss, printed
from generation.rendering.patterns import print_texture
from generation.rendering.shapes import lathe
from generation.scene import Float, Material, Mesh


def _airliner(params: ThingParams) -> Thing:
    """Build a twin-engined airliner of 38 m, fitted to its size."""
    length = params.sizes["length"]
    kit = Kit(gloss(params.color))
    x = [-19.0, -18.2, -15.5, -12.0, -8.0, 10.0, 13.5, 16.2, 18.0, 18.8, 19.0]
    top = [0.75, 1.05, 1.45, 1.80, 1.95, 1.95, 1.93, 1.60, 0.75, 0.10, -0.25]
    low = [0.35, 0.15, -0.45, -1.30, -1.95, -1.95, -1.90, -1.70, -1.30, -0.75, -0.30]
    wide = [0.3, 0.8, 1.9, 3.1, 3.9, 3.9, 3.8, 3.1, 1.95, 0.8, 0.05]
    kit.paint(hull(x, wide, low, top, count=40, between=3))
    kit.paint(_fin([(-12.6, 1.7), (-15.4, 6.9), (-18.6, 6.9), (-18.2, 1.0)], 0.34))
    kit.add(
        WHITE,
        *both_sides(
            wing(
                [(4.4, -1.0, -1.2), (1.0, -6.0, -0.75), (-5.6, -17.0, 0.55), (-6.1, -17.4, 1.6)],
                [7.4, 4.6, 1.7, 1.1],
                [0.95, 0.55, 0.22, 0.10],
            )
        ),
    )
    kit.add(WHITE, *both_sides(wing([(-14.2, -0.4, 0.75), (-17.3, -6.3, 1.25)], [3.9, 1.5], [0.34, 0.14])))
    nacelle = lathe(
        np.array(
            [
                [0, 0],
                [0.45, 0],
                [0.62, 0.3],
                [0.95, 1.2],
                [1.12, 2.6],
                [1.10, 3.5],
                [1.02, 3.75],
                [0.93, 3.6],
                [0.90, 3.1],
                [0, 3.1],
            ]
        ),
        40,
    )
    kit.paint(*both_sides(moved(turned(nacelle, "y", 90), 1.6, -5.6, -2.05)))
    fan = lathe(np.array([[0, 0], [0.90, 0], [0.90, 0.05], [0.25, 0.06], [0, 0.5]]), 32)
    kit.add(DARK, *both_sides(moved(turned(fan, "y", 90), 4.70, -5.6, -2.05)))
    kit.add(WHITE, *both_sides(moved(rounded_box((2.6, 0.3, 0.8), 0.12), 2.0, -5.6, -1.05)))
    pane = rounded_box((0.36, 0.10, 0.50), 0.04, 1)
    kit.add(WINDOW, *both_sides(*(moved(pane, 12.0 - 0.78 * k, -1.90, 0.42) for k in range(31))))
    kit.add(
        WINDOW, *both_sides(moved(turned(rounded_box((1.5, 0.12, 0.55), 0.05), "z", 27), 16.75, -1.12, 0.70))
    )
    _landing_gear(kit)
    return kit.thing(
        {"x": length, "y": 34.8 * length / 38, "z": 11.2 * length / 38},
        {"length": "x", "wingspan": "y", "height": "z"},
    )


def _fin(outline: list[tuple[float, float]], thickness: float) -> Mesh:
    return plate(np.array(outline), thickness, 0.4 * thickness)


def _landing_gear(kit: Kit) -> None:
    wheel = turned(moved(drum(0.62, 0.34, 0.08), z=-0.17), "x", 90)
    for x, y in ((13.5, 0.0), (-1.4, -3.0), (-1.4, 3.0)):
        kit.add(RUBBER, *(moved(wheel, x, y + s * 0.28, -3.68) for s in (-1, 1)))
        kit.add(STEEL, rod((x, y, -3.68), (x, y, -1.5), 0.13))


def _helicopter(params: ThingParams) -> Thing:
    length = params.sizes["length"]
    kit = Kit(gloss(params.color))
    x = [-1.9, -1.8, -1.2, -0.3, 0.8, 1.6, 2.1, 2.25]
    kit.paint(
        hull(
            x,
            [0.5, 0.8, 1.35, 1.6, 1.6, 1.25, 0.6, 0.05],
            [1.05, 0.92, 0.70, 0.62, 0.62, 0.72, 0.95, 1.15],
            [1.85, 2.02, 2.25, 2.30, 2.20, 1.75, 1.38, 1.2],
            power=2.6,
            count=40,
            between=4,
        )
    )
    glass = hull(
        [0.55, 0.62, 1.2, 1.75, 2.05, 2.14],
        [1.45, 1.60, 1.38, 0.98, 0.55, 0.05],
        [1.15, 1.10, 1.10, 1.10, 1.16, 1.28],
        [2.22, 2.26, 2.06, 1.70, 1.45, 1.34],
        power=2.4,
        count=40,
        between=4,
    )
    kit.add(WINDOW, glass, *both_sides(moved(rounded_box((0.85, 0.06, 0.62), 0.025), -0.05, -0.785, 1.62)))
    boom = np.array([[-1.6, 0, 1.72], [-3.5, 0, 1.82], [-5.9, 0, 1.95]])
    kit.paint(
        pipe(boom, np.array([0.34, 0.22, 0.13]), 20),
        _fin([(-5.35, 1.95), (-5.95, 3.15), (-6.35, 3.15), (-6.1, 1.6)], 0.10),
    )
    kit.paint(moved(rounded_box((0.42, 1.7, 0.06), 0.025), x=-4.9, z=1.9))
    kit.paint(
        moved(
            hull(
                [-1.1, -0.9, 0.0, 0.6, 0.75],
                [0.3, 0.6, 0.8, 0.6, 0.2],
                [2.1] * 5,
                [2.3, 2.5, 2.62, 2.45, 2.25],
                power=3,
                between=3,
            )
        )
    )
    kit.add(DARK, rod((-0.2, 0, 2.5), (-0.2, 0, 3.02), 0.09), moved(drum(0.22, 0.12, 0.03), x=-0.2, z=2.95))
    blade = moved(rounded_box((4.6, 0.26, 0.035), 0.015), x=2.4, z=3.02)
    kit.add(DARK, *(moved(turned(blade, "z", angle), x=-0.2) for angle in (5, 95, 185, 275)))
    tail = moved(rounded_box((0.12, 0.03, 0.95), 0.012), -5.95, -0.22, 2.4)
    kit.add(
        DARK,
        tail,
        moved(turned(moved(tail, 5.95, 0, -2.4), "y", 90), -5.95, 0, 2.4),
        rod((-5.95, -0.24, 2.4), (-5.95, 0.05, 2.4), 0.06),
    )
    skid = np.array([[-1.6, -0.95, 0.05], [1.3, -0.95, 0.05], [1.75, -0.95, 0.12], [2.0, -0.95, 0.30]])
    kit.add(
        STEEL,
        *both_sides(pipe(skid, 0.05), *(rod((s, -0.95, 0.05), (s, -0.5, 0.78), 0.045) for s in (-0.9, 0.9))),
    )
    scale = length / 10.9
    return kit.thing({"x": length, "y": 9.3 * scale, "z": 3.15 * scale}, {"length": "x", "height": "z"})


def _drone(params: ThingParams) -> Thing:
    """Build a quadcopter of unit width."""
    width = params.sizes["width"]
    kit = Kit(gloss(params.color))
    kit.paint(
        hull(
            [-0.26, -0.24, -0.1, 0.12, 0.24, 0.27],
            [0.10, 0.16, 0.21, 0.20, 0.14, 0.05],
            [0.0, -0.035, -0.05, -0.05, -0.03, 0.0],
            [0.03, 0.06, 0.085, 0.08, 0.05, 0.02],
            power=3,
            between=4,
        )
    )
    for sx, sy in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        x, y = 0.335 * sx, 0.335 * sy
        kit.paint(rod((0.10 * sx, 0.06 * sy, 0.02), (x, y, 0.03), 0.026))
        kit.add(DARK, moved(drum(0.045, 0.10, 0.01), x, y, 0.0), moved(drum(0.012, 0.03), x, y, 0.10))
        blade = hull(
            [-0.165, -0.15, -0.06, 0.0, 0.06, 0.15, 0.165],
            [0.02, 0.032, 0.036, 0.018, 0.036, 0.032, 0.02],
            [0.112] * 7,
            [0.118] * 7,
            between=2,
            count=16,
        )
        kit.add(DARK, moved(turned(blade, "z", 25 * sx * sy), x, y))
        kit.paint(
            rod((0.8 * x, 0.8 * y, 0.0), (0.82 * x, 0.82 * y, -0.11), 0.014),
            moved(ball(0.034, 16), 0.82 * x, 0.82 * y, -0.11),
        )
    kit.add(DARK, moved(ball(0.085, 24), 0.20, 0, -0.065))
    kit.add(WINDOW, moved(turned(drum(0.024, 0.012, 0.003), "y", 90), 0.236, 0, -0.065))
    kit.add(
        Material("plastic", (0.75, 0.05, 0.04), 0.1), *both_sides(moved(ball(0.022, 16), 0.25, -0.05, 0.01))
    )
    return kit.thing({"x": width, "y": width, "z": 0.25 * width}, {"width": "x"})


def _drop(diameter: float, height: float, neck: float, count: int = 41) -> Float:
    """Return the profile of a balloon: round above, drawn out to a neck of some radius below, z from 0."""
    t = np.linspace(0, np.pi, count)
    r = diameter / 2 * np.sin(t) * (1 - 0.17 * np.exp(-((t / 0.85) ** 2)) * 1.6)
    z = -np.cos(t)
    z = np.where(z < 0, z * 1.28, z)
    r = np.maximum(r, neck * (t > 0) * (t < 0.5))
    r[[0, -1]] = 0.0
    return np.column_stack([r, (z - z[0]) / (z[-1] - z[0]) * height])


def _balloon(params: ThingParams) -> Thing:
    diameter = params.sizes["diameter"]
    kit = Kit(gloss(params.color))
    kit.paint(bare(spindle(_drop(diameter, 1.22 * diameter, 0.03 * diameter), 64)))
    knot = lathe(
        np.array([[0, -0.07], [0.055, -0.07], [0.05, -0.055], [0.02, -0.02], [0.03, 0.02], [0, 0.02]])
        * diameter,
        24,
    )
    kit.paint(knot)
    string = np.array([[0, 0, -0.05], [0.02, 0, -0.2], [-0.02, 0, -0.35], [0.015, 0, -0.5]]) * diameter
    kit.add(WHITE, pipe(string, 0.006 * diameter, 6))
    return kit.thing({"x": diameter, "y": diameter}, {"diameter": "x"})


def _hot_air_balloon(params: ThingParams) -> Thing:
    height = params.sizes["height"]
    kit = Kit(printed(print_texture("gores", params.color), 0.5))
    profile = _drop(0.80, 0.86, 0.10)
    kit.paint(moved(spindle(profile, 72), z=0.14))
    basket = Material("diffuse", (0.30, 0.16, 0.06))
    kit.add(
        basket,
        moved(rounded_box((0.095, 0.095, 0.07), 0.008), z=0.035),
        *both_sides(moved(rounded_box((0.102, 0.012, 0.010), 0.004), 0, -0.047, 0.068)),
    )
    kit.add(
        DARK,
        *(
            rod((0.042 * a, 0.042 * b, 0.065), (0.075 * a, 0.075 * b, 0.17), 0.0018, 6)
            for a in (-1, 1)
            for b in (-1, 1)
        ),
    )
    kit.add(STEEL, moved(drum(0.018, 0.02, 0.004), z=0.105))
    return kit.thing({"x": 0.80 * height, "y": 0.80 * height, "z": height}, {"height": "z", "diameter": "x"})


def _rocket(params: ThingParams) -> Thing:
    """Build a rocket that stands upright on four fins; it stays upright when it hops up and lands."""
    height = params.sizes["height"]
    kit = Kit(gloss(params.color))
    angle = np.linspace(0, 0.5 * np.pi, 15)
    body = [
        [0, 0.075],
        [0.062, 0.075],
        [0.072, 0.10],
        [0.085, 0.25],
        [0.088, 0.42],
        [0.085, 0.58],
        [0.0755, 0.72],
    ]
    kit.paint(lathe(np.array([*body, [0, 0.72]]), 64))
    nose = np.column_stack([0.0755 * np.cos(angle) ** 0.75, 0.72 + 0.28 * np.sin(angle) ** 1.15])
    nose[-1, 0] = 0.0
    kit.add(WHITE, lathe(np.vstack([[[0, 0.719]], nose]), 64))
    fin = plate(
        np.array(
            [
                [0.06, 0.12],
                [0.075, 0.30],
                [0.12, 0.22],
                [0.185, 0.08],
                [0.185, 0.0],
                [0.16, 0.0],
                [0.12, 0.08],
            ]
        ),
        0.014,
        0.005,
    )
    kit.add(WHITE, *(turned(fin, "z", k) for k in (0, 90, 180, 270)))
    kit.add(DARK, lathe(np.array([[0, 0.02], [0.055, 0.02], [0.045, 0.05], [0.040, 0.08], [0, 0.08]]), 48))
    for z in (0.60, 0.46):
        kit.add(STEEL, moved(turned(drum(0.030, 0.02, 0.005), "x", 90), 0, -0.075, z))
        kit.add(WINDOW, moved(turned(drum(0.022, 0.022, 0.004), "x", 90), 0, -0.076, z))
    kit.add(
        WHITE,
        lathe(np.array([[0.08, 0.335], [0.0885, 0.335], [0.0885, 0.365], [0.08, 0.365]]), 64, loop=True),
    )
    return kit.thing(dict.fromkeys("xy", 0.37 * height) | {"z": height}, {"height": "z"})


AIRCRAFT = (
    Kind(
        "airplane",
        "open",
        frozenset({"flies", "drives", "stands"}),
        ("white", "blue", "red", "orange", "green", "yellow"),
        {"length": (31.0, 45.0)},
        _airliner,
    ),
    Kind(
        "helicopter",
        "street",
        frozenset({"flies", "rises", "stands"}),
        ("red", "yellow", "blue", "green", "white", "orange"),
        {"length": (9.5, 14.5)},
        _helicopter,
    ),
    Kind(
        "drone",
        "room",
        frozenset({"flies", "rises", "falls", "stands"}),
        ("white", "red", "blue", "yellow", "orange", "black"),
        {"width": (0.32, 0.60)},
        _drone,
    ),
    Kind(
        "balloon",
        "room",
        frozenset({"flies", "rises"}),
        ("red", "blue", "yellow", "green", "pink", "purple", "orange", "white"),
        {"diameter": (0.24, 0.36)},
        _balloon,
    ),
    Kind(
        "hot-air balloon",
        "open",
        frozenset({"flies", "rises"}),
        ("red", "blue", "yellow", "green", "orange", "purple"),
        {"height": (18.0, 28.0)},
        _hot_air_balloon,
    ),
    Kind(
        "rocket",
        "open",
        frozenset({"rises", "stands"}),
        ("red", "blue", "orange", "yellow", "green"),
        {"height": (15.0, 45.0)},
        _rocket,
    ),
)
