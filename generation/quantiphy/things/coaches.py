"""Bus, train and steam locomotive."""

from __future__ import annotations

import numpy as np

from generation.geometry.lofts import hull, rod, rounded_box
from generation.geometry.placing import both_sides, moved, turned
from generation.quantiphy.things.kit import Kit
from generation.quantiphy.things.meshes import drum
from generation.quantiphy.things.model import Kind, Thing, ThingParams
from generation.quantiphy.things.paints import DARK, HEADLIGHT, RUBBER, STEEL, TAILLIGHT, WHITE, WINDOW, gloss
from generation.quantiphy.things.wheels import add_wheel, hoop, spokes
from generation.rendering.palette import COLORS
from generation.scene import Material, Mesh


def _bus(params: ThingParams) -> Thing:
    length, height = params.sizes["length"], params.sizes["height"]
    width, front = 2.5, length / 2
    kit = Kit(gloss(params.color))
    ends = np.array([0.0, 0.03, 0.12, 0.30])
    x = np.concatenate([-front + ends, front - ends[::-1]])
    shrink = np.array([0.90, 0.95, 0.985, 1.0])
    kit.paint(
        hull(
            x,
            width * np.append(shrink, shrink[::-1]),
            np.full(8, 0.33),
            height - 0.55 * (1 - np.append(shrink, shrink[::-1])),
            power=11,
            count=48,
        )
    )
    pane = rounded_box((1.32, 0.03, 0.95), 0.012)
    count = int((length - 1.6) / 1.42)
    start = front - 1.0 - 0.71
    kit.add(
        WINDOW,
        *both_sides(
            *(moved(pane, start - 1.42 * k, -width / 2 - 0.003, 0.60 * height + 0.12) for k in range(count))
        ),
    )
    kit.add(WINDOW, moved(rounded_box((0.04, 0.88 * width, 1.35), 0.018), x=front - 0.008, z=0.60 * height))
    kit.add(WINDOW, moved(rounded_box((0.04, 0.80 * width, 0.80), 0.018), x=-front + 0.008, z=0.62 * height))
    door = rounded_box((1.05, 0.04, 1.95), 0.015)
    kit.add(WINDOW, *(moved(door, x, -width / 2 - 0.004, 1.42) for x in (front - 0.75, -0.1 * length)))
    kit.add(
        WHITE, *both_sides(moved(rounded_box((length - 0.9, 0.02, 0.14), 0.009), 0, -width / 2 - 0.002, 1.18))
    )
    kit.add(
        DARK,
        *both_sides(
            *(
                moved(turned(drum(0.58, 0.05, 0.0, 40), "x", 90), x, -width / 2 + 0.036, 0.56)
                for x in _bus_axles(front)
            )
        ),
    )
    for axle in _bus_axles(front):
        for side in (-1, 1):
            add_wheel(kit, axle, side * (width / 2 - 0.09), 0.49, 0.98, 0.30)
    kit.add(
        HEADLIGHT,
        *both_sides(moved(rounded_box((0.05, 0.34, 0.16), 0.02), front - 0.02, -0.37 * width, 0.72)),
    )
    kit.add(
        TAILLIGHT,
        *both_sides(moved(rounded_box((0.05, 0.14, 0.40), 0.02), -front + 0.02, -0.42 * width, 1.0)),
    )
    return kit.thing({"x": length, "y": 2.58, "z": height}, {"length": "x", "height": "z"})


def _bus_axles(front: float) -> tuple[float, float]:
    return front - 2.35, -front + 2.6


def _train(params: ThingParams) -> Thing:
    """Build a multiple unit of three or four coaches with a sloping nose at both ends."""
    length, height = params.sizes["length"], params.sizes["height"]
    count = 4 if length > 72 else 3
    coach, gap = (length - 0.5 * (count - 1)) / count, 0.5
    kit = Kit(gloss(params.color))
    for k in range(count):
        middle = length / 2 - coach / 2 - k * (coach + gap)
        body = _coach(coach, nose=1 if k == 0 else -1 if k == count - 1 else 0)
        kit.paint(moved(body, x=middle))
        _coach_details(kit, middle, coach, k == 0, k == count - 1)
        if k:
            kit.add(RUBBER, moved(rounded_box((1.2, 2.2, 2.6), 0.1), x=middle + coach / 2 + gap / 2, z=2.3))
    return kit.thing({"x": length, "y": 2.9, "z": height}, {"length": "x", "height": "z"})


def _coach(length: float, nose: int) -> Mesh:
    """Return a coach around x = 0 with a nose in front (1), behind (-1) or none (0)."""
    half = length / 2
    flat = np.array([[0.0, 2.70, 0.60, 3.75], [0.1, 2.82, 0.55, 3.85]])
    sloped = np.array(
        [
            [0.0, 1.50, 0.90, 1.70],
            [0.25, 1.95, 0.62, 2.12],
            [0.9, 2.45, 0.52, 2.62],
            [1.8, 2.70, 0.5, 3.15],
            [3.0, 2.82, 0.5, 3.62],
            [4.2, 2.84, 0.5, 3.85],
        ]
    )
    front, back = (sloped if nose == 1 else flat), (sloped if nose == -1 else flat)
    x = np.concatenate([-half + back[:, 0], half - front[::-1, 0]])
    rest = np.concatenate([back[:, 1:], front[::-1, 1:]])
    return hull(x, rest[:, 0], rest[:, 1], rest[:, 2], power=6, taper=0.93, count=48, between=2)


def _coach_details(kit: Kit, middle: float, length: float, leads: bool, trails: bool) -> None:
    low, high = middle - length / 2 + (4.4 if trails else 1.2), middle + length / 2 - (4.4 if leads else 1.2)
    band = rounded_box((high - low, 0.03, 0.95), 0.012)
    kit.add(WINDOW, *both_sides(moved(band, (low + high) / 2, -1.393, 2.45)))
    kit.add(
        WHITE, *both_sides(moved(rounded_box((high - low, 0.03, 0.22), 0.012), (low + high) / 2, -1.42, 1.45))
    )
    doors = rounded_box((1.25, 0.05, 2.1), 0.02)
    kit.add(WHITE, *both_sides(*(moved(doors, x, -1.405, 1.95) for x in (low + 0.8, high - 0.8))))
    kit.add(
        WINDOW,
        *both_sides(
            *(moved(rounded_box((0.8, 0.05, 0.8), 0.02), x, -1.412, 2.45) for x in (low + 0.8, high - 0.8))
        ),
    )
    kit.add(DARK, moved(rounded_box((length - 9.0, 2.3, 0.55), 0.1), x=middle, z=0.55))
    for offset in (-1, 1):
        _bogie(kit, middle + offset * (length / 2 - 3.6))
    for sign, shown in ((1, leads), (-1, trails)):
        if shown:
            kit.add(
                WINDOW,
                moved(
                    turned(rounded_box((1.55, 1.75, 0.06), 0.03), "y", sign * 25),
                    middle + sign * (length / 2 - 1.52),
                    0,
                    2.93,
                ),
            )
            kit.add(
                HEADLIGHT if sign > 0 else TAILLIGHT,
                *both_sides(
                    moved(
                        rounded_box((0.3, 0.3, 0.16), 0.07), middle + sign * (length / 2 - 0.22), -0.72, 1.45
                    )
                ),
            )


def _bogie(kit: Kit, x: float) -> None:
    kit.add(DARK, *both_sides(moved(rounded_box((3.2, 0.12, 0.30), 0.05), x, -0.98, 0.55)))
    wheel = turned(moved(drum(0.46, 0.13, 0.0, 24), z=-0.065), "x", 90)
    kit.add(STEEL, *both_sides(*(moved(wheel, x + s, -0.75, 0.46) for s in (-1.15, 1.15))))


def _locomotive(params: ThingParams) -> Thing:
    """Build a steam locomotive with tender; boiler, cab and tender are coloured."""
    length = params.sizes["length"]
    kit = Kit(gloss(params.color))
    boiler = turned(drum(0.88, 6.0, 0.05, 48), "y", 90)
    kit.paint(moved(boiler, x=-1.4, z=2.55))
    kit.add(DARK, moved(turned(drum(0.92, 1.35, 0.08, 48), "y", 90), x=4.5, z=2.55))
    for x in (-0.4, 1.2, 2.8, 4.2):
        kit.add(STEEL, moved(turned(drum(0.905, 0.07, 0.02, 48), "y", 90), x=x, z=2.55))
    kit.add(DARK, moved(drum(0.26, 1.0, 0.03), x=5.15, z=3.35), moved(drum(0.36, 0.22, 0.05), x=5.15, z=4.25))
    brass = Material("metal", (0.85, 0.62, 0.25), 0.2)
    for x, r in ((3.4, 0.34), (1.6, 0.42)):
        kit.add(
            brass,
            moved(
                hull(
                    [-r, -0.8 * r, 0, 0.8 * r, r],
                    [0, 1.2 * r, 2 * r, 1.2 * r, 0],
                    [0, -r * 0.6, -r, -r * 0.6, 0],
                    [0, 0.6 * r, r, 0.6 * r, 0],
                    between=3,
                ),
                x=x,
                z=3.45,
            ),
        )
    kit.paint(moved(rounded_box((2.0, 2.7, 2.35), 0.06), x=-2.3, z=2.65))
    kit.add(DARK, moved(rounded_box((2.5, 2.95, 0.14), 0.06), x=-2.35, z=3.88))
    kit.add(
        WINDOW,
        *both_sides(*(moved(rounded_box((0.62, 0.04, 0.75), 0.015), x, -1.352, 3.2) for x in (-2.75, -1.85))),
    )
    kit.add(
        DARK,
        moved(rounded_box((9.0, 1.2, 0.40), 0.05), x=1.1, z=1.45),
        moved(rounded_box((8.9, 2.6, 0.10), 0.04), x=1.15, z=1.62),
    )
    kit.add(HEADLIGHT, moved(turned(drum(0.17, 0.2, 0.03), "y", 90), x=5.75, z=3.05))
    kit.add(
        Material("plastic", COLORS["red"] if params.color != "red" else COLORS["black"], 0.2),
        moved(rounded_box((0.18, 2.6, 0.45), 0.05), x=5.9, z=1.30),
    )
    kit.add(
        DARK, *both_sides(*(moved(turned(drum(0.2, 0.35, 0.02), "y", 90), 5.95, -0.85, 1.3) for _ in (0,)))
    )
    _running_gear(kit)
    _tender(kit)
    kit.add(DARK, *both_sides(moved(turned(drum(0.32, 1.1, 0.03), "y", 90), 4.2, -1.18, 0.98)))
    return kit.thing(
        {"x": length, "y": 2.95 * length / 13.0, "z": 4.47 * length / 13.0}, {"length": "x", "height": "z"}
    )


def _running_gear(kit: Kit) -> None:
    for x, diameter in ((-1.6, 1.55), (0.2, 1.55), (2.0, 1.55), (3.7, 0.9), (5.0, 0.9)):
        wheel = (
            hoop(diameter, 0.15, 32, 6),
            *spokes(diameter - 0.1, 0.035, 5),
            moved(turned(drum(0.17, 0.16, 0.0, 12), "x", 90), y=0.08),
        )
        kit.add(
            Material("plastic", (0.35, 0.03, 0.025), 0.3),
            *both_sides(*(moved(w, x, -0.80, diameter / 2) for w in wheel)),
        )
    kit.add(
        STEEL,
        *both_sides(
            moved(rounded_box((3.9, 0.08, 0.14), 0.03), 0.2, -0.96, 0.60),
            rod((4.2, -1.05, 0.98), (0.2, -1.05, 0.62), 0.05),
        ),
    )


def _tender(kit: Kit) -> None:
    kit.paint(moved(rounded_box((3.1, 2.6, 1.75), 0.06), x=-5.3, z=2.3))
    kit.add(
        Material("diffuse", (0.02, 0.02, 0.02)),
        moved(
            hull(
                [-1.4, -1.0, 0, 1.0, 1.4],
                [1.6, 2.0, 2.2, 2.0, 1.6],
                [0] * 5,
                [0.1, 0.45, 0.6, 0.5, 0.1],
                between=3,
            ),
            x=-5.3,
            z=3.1,
        ),
    )
    kit.add(
        DARK,
        moved(rounded_box((3.5, 2.4, 0.3), 0.05), x=-5.2, z=1.3),
        moved(rounded_box((0.9, 1.2, 0.2), 0.05), x=-3.6, z=1.35),
    )
    wheel = turned(moved(drum(0.5, 0.14, 0.02, 24), z=-0.07), "x", 90)
    kit.add(STEEL, *both_sides(*(moved(wheel, -5.3 + s, -0.78, 0.5) for s in (-1.0, 1.0))))


COACHES = (
    Kind(
        "bus",
        "street",
        frozenset({"drives", "stands"}),
        ("red", "blue", "yellow", "green", "orange", "white"),
        {"length": (9.5, 13.0), "height": (2.95, 3.25)},
        _bus,
    ),
    Kind(
        "train",
        "open",
        frozenset({"drives", "stands"}),
        ("red", "blue", "green", "orange", "yellow", "purple"),
        {"length": (45.0, 80.0), "height": (3.8, 4.1)},
        _train,
    ),
    Kind(
        "steam locomotive",
        "open",
        frozenset({"drives", "stands"}),
        ("green", "red", "blue", "black"),
        {"length": (11.0, 15.0)},
        _locomotive,
    ),
)
