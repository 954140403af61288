"""A bird on the wing and a mannequin in mid-step."""

from __future__ import annotations

import numpy as np

from generation.geometry.lofts import ball, hull, pipe
from generation.geometry.placing import both_sides, moved, scaled, turned
from generation.quantiphy.things.kit import Kit
from generation.quantiphy.things.meshes import wing
from generation.quantiphy.things.model import Kind, Thing, ThingParams
from generation.quantiphy.things.paints import DARK, satin
from generation.rendering.palette import COLORS
from generation.scene import Material, Mesh


def _bird(params: ThingParams) -> Thing:
    """Build a bird of unit wingspan, its wings raised halfway."""
    span = params.sizes["wingspan"]
    material = Material("diffuse", COLORS[params.color])
    tip = Material("diffuse", COLORS["gray" if params.color == "black" else "black"])
    kit = Kit(material)
    kit.paint(
        hull(
            [-0.22, -0.17, -0.08, 0.02, 0.10, 0.15, 0.19, 0.225],
            [0.03, 0.06, 0.105, 0.125, 0.105, 0.075, 0.075, 0.02],
            [-0.005, -0.022, -0.055, -0.062, -0.045, -0.012, 0.012, 0.035],
            [0.012, 0.028, 0.045, 0.056, 0.062, 0.075, 0.090, 0.062],
            between=4,
        )
    )
    tail = wing(
        [(-0.19, 0, 0.004), (-0.19, 0.03, 0.004), (-0.22, 0.075, 0.002)],
        [0.15, 0.15, 0.11],
        [0.012, 0.012, 0.008],
    )
    kit.paint(*both_sides(tail))
    inner = [(0.09, 0.03, 0.02), (0.12, 0.14, 0.085), (0.13, 0.25, 0.135), (0.09, 0.36, 0.160)]
    kit.paint(*both_sides(wing(inner, [0.17, 0.17, 0.155, 0.125], [0.026, 0.022, 0.018, 0.014])))
    outer = [(0.09, 0.355, 0.159), (0.03, 0.43, 0.170), (-0.04, 0.485, 0.174), (-0.08, 0.5, 0.175)]
    kit.add(tip, *both_sides(wing(outer, [0.124, 0.10, 0.055, 0.02], [0.0145, 0.011, 0.008, 0.004])))
    beak = hull(
        [0.0, 0.03, 0.055, 0.062],
        [0.028, 0.020, 0.008, 0.0],
        [-0.014, -0.010, -0.010, -0.012],
        [0.014, 0.008, -0.002, -0.012],
        count=16,
        between=3,
    )
    kit.add(
        Material("plastic", COLORS["orange" if params.color != "orange" else "black"], 0.2),
        moved(beak, 0.212, 0, 0.050),
    )
    kit.add(DARK, *both_sides(moved(ball(0.014, 16), 0.188, -0.032, 0.063)))
    return kit.thing({"x": 0.62 * span, "y": span, "z": 0.245 * span}, {"wingspan": "y", "length": "x"})


def _mannequin(params: ThingParams) -> Thing:
    """Build a walking figure of unit height."""
    height = params.sizes["height"]
    kit = Kit(satin(params.color))
    kit.paint(moved(scaled(ball(1.0, 40), 0.115, 0.092, 0.135), 0.012, 0, 0.932))
    kit.paint(
        pipe(
            np.array([[-0.004, 0, 0.80], [0.0, 0, 0.84], [0.006, 0, 0.89]]),
            np.array([0.040, 0.031, 0.030]),
            20,
        )
    )
    kit.paint(_torso())
    # Right leg in front, left arm in front: points of hip, knee, ankle and of shoulder, elbow, wrist.
    legs = (
        (-0.052, ((0.0, 0.50), (0.085, 0.285), (0.105, 0.060))),
        (0.052, ((0.0, 0.50), (0.0, 0.275), (-0.125, 0.100))),
    )
    for y, (hip, knee, ankle) in legs:
        kit.paint(*_limb(y, hip, knee, ankle, (0.062, 0.050, 0.037, 0.040, 0.022)))
        is_front = ankle[0] > 0
        foot = hull(
            [-0.035, -0.025, 0.02, 0.07, 0.105, 0.115],
            [0.03, 0.045, 0.052, 0.058, 0.046, 0.02],
            [0.0] * 6,
            [0.035, 0.055, 0.055, 0.035, 0.026, 0.014],
            power=2.6,
            between=3,
        )
        kit.paint(
            moved(
                turned(foot, "y", 0 if is_front else 38),
                ankle[0] + (0 if is_front else 0.005),
                y,
                ankle[1] - (0.060 if is_front else 0.045),
            )
        )
    arms = (
        (-0.122, ((-0.005, 0.795), (-0.085, 0.635), (-0.075, 0.49))),
        (0.122, ((-0.005, 0.795), (0.045, 0.63), (0.135, 0.53))),
    )
    for y, (shoulder, elbow, wrist) in arms:
        kit.paint(*_limb(y, shoulder, elbow, wrist, (0.036, 0.030, 0.024, 0.024, 0.016)))
        direction = np.subtract(wrist, elbow) / np.linalg.norm(np.subtract(wrist, elbow))
        x, z = np.array(wrist) + 0.035 * direction
        hand = scaled(ball(1.0, 24), 0.048, 0.026, 0.095)
        kit.paint(moved(turned(hand, "y", -np.degrees(np.arctan2(direction[0], -direction[1]))), x, y, z))
    return kit.thing({"x": 0.335 * height, "y": 0.31 * height, "z": height}, {"height": "z"})


def _torso() -> Mesh:
    """Return hips, waist, chest and shoulders of a figure of unit height, as sections from below."""
    z = np.array([0.455, 0.465, 0.50, 0.54, 0.60, 0.66, 0.73, 0.785, 0.815, 0.83])
    depth = np.array([0.05, 0.085, 0.120, 0.118, 0.096, 0.108, 0.128, 0.105, 0.065, 0.03])
    width = np.array([0.09, 0.15, 0.188, 0.186, 0.158, 0.184, 0.218, 0.225, 0.15, 0.05])
    lying = hull(z, width, -depth / 2, depth / 2, power=2.3, count=36, between=3)
    return turned(lying, "y", -90)


def _limb(
    y: float,
    top: tuple[float, float],
    bend: tuple[float, float],
    end: tuple[float, float],
    radii: tuple[float, ...],
) -> tuple[Mesh, ...]:
    """Return a limb in a plane of constant y: two tapered rods and balls for the joints."""
    a, b, c = ((x, y, z) for x, z in (top, bend, end))
    upper = pipe(np.linspace(a, b, 3), np.array([radii[0], radii[1], radii[2]]), 16)
    calf = np.array([b, np.add(b, np.subtract(c, b) * 0.3), c])
    lower = pipe(calf, np.array([radii[2], radii[3], radii[4]]), 16)
    joints = [
        moved(ball(2 * r, 20), *p) for p, r in ((a, radii[0]), (b, 1.04 * radii[2]), (c, 1.08 * radii[4]))
    ]
    return (upper, lower, *joints)


CREATURES = (
    Kind(
        "bird",
        "room",
        frozenset({"flies"}),
        ("white", "black", "blue", "red", "yellow", "gray"),
        {"wingspan": (0.45, 1.30)},
        _bird,
    ),
    Kind(
        "mannequin",
        "room",
        frozenset({"slides", "falls", "stands"}),
        ("white", "gray", "black", "red", "blue", "green"),
        {"height": (1.60, 1.90)},
        _mannequin,
    ),
)
