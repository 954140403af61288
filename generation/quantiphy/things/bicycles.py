"""A bicycle without rider."""

from __future__ import annotations

import numpy as np

from generation.geometry.lofts import hull, pipe, rod
from generation.geometry.placing import both_sides, moved, turned
from generation.quantiphy.things.kit import Kit
from generation.quantiphy.things.meshes import drum
from generation.quantiphy.things.model import Kind, Thing, ThingParams
from generation.quantiphy.things.paints import DARK, RUBBER, STEEL, gloss
from generation.quantiphy.things.wheels import hoop, spokes

_WHEEL, _AXLES = 0.68, (-0.52, 0.52)
_PEDALS, _SEAT, _HEAD, _FORK = (-0.10, 0.29), (-0.24, 0.80), (0.33, 0.84), (0.38, 0.66)


def _tube(kit: Kit, a: tuple[float, float], b: tuple[float, float], radius: float) -> None:
    kit.paint(rod((a[0], 0, a[1]), (b[0], 0, b[1]), radius, 14))


def _bicycle(params: ThingParams) -> Thing:
    length = params.sizes["length"]
    radius = _WHEEL / 2
    kit = Kit(gloss(params.color))
    for a, b in ((_PEDALS, _SEAT), (_SEAT, _HEAD), (_PEDALS, _FORK), (_HEAD, _FORK)):
        _tube(kit, a, b, 0.024)
    rear, front = (_AXLES[0], radius), (_AXLES[1], radius)
    kit.paint(*both_sides(rod((_PEDALS[0], -0.03, _PEDALS[1]), (rear[0], -0.065, rear[1]), 0.014)))
    kit.paint(*both_sides(rod((_SEAT[0], -0.02, _SEAT[1] - 0.05), (rear[0], -0.065, rear[1]), 0.012)))
    fork = np.array([[_FORK[0], -0.055, _FORK[1]], [0.43, -0.06, 0.50], [front[0], -0.06, front[1]]])
    kit.paint(
        *both_sides(pipe(fork, 0.016)), rod((_FORK[0], -0.06, _FORK[1]), (_FORK[0], 0.06, _FORK[1]), 0.018)
    )
    for x in _AXLES:
        kit.add(RUBBER, moved(hoop(_WHEEL, 0.046), x=x, z=radius))
        rim = (hoop(_WHEEL - 0.075, 0.024, 64, 8), *spokes(_WHEEL - 0.10, 0.0022, 9))
        kit.add(
            STEEL,
            *(moved(mesh, x=x, z=radius) for mesh in rim),
            rod((x, -0.07, radius), (x, 0.07, radius), 0.022),
        )
    kit.add(STEEL, rod((_SEAT[0], 0, _SEAT[1]), (-0.272, 0, 0.92), 0.014))
    saddle = hull(
        [-0.42, -0.40, -0.33, -0.22, -0.14, -0.125],
        [0.10, 0.16, 0.17, 0.07, 0.04, 0.02],
        [0.925, 0.915, 0.915, 0.915, 0.92, 0.93],
        [0.95, 0.962, 0.965, 0.955, 0.955, 0.945],
        between=3,
    )
    kit.add(DARK, saddle)
    kit.add(STEEL, rod((_HEAD[0], 0, _HEAD[1]), (0.305, 0, 0.93), 0.014))
    bar = np.array(
        [
            [0.20, -0.28, 0.985],
            [0.30, -0.25, 0.985],
            [0.345, -0.14, 0.955],
            [0.345, 0.0, 0.94],
            [0.345, 0.14, 0.955],
            [0.30, 0.25, 0.985],
            [0.20, 0.28, 0.985],
        ]
    )
    kit.add(STEEL, pipe(bar, 0.012), rod((0.305, 0, 0.925), (0.35, 0, 0.942), 0.014))
    kit.add(DARK, *both_sides(rod((0.175, -0.283, 0.985), (0.27, -0.26, 0.985), 0.017)))
    _drive(kit)
    return kit.thing(
        {"x": length, "z": 1.0 * length / 1.72, "y": 0.6 * length / 1.72},
        {"length": "x"},
        _wheel_ruler(radius),
    )


def _wheel_ruler(radius: float) -> dict[str, tuple[tuple[float, float, float], tuple[float, float, float]]]:
    x = _AXLES[1]
    return {"wheel diameter": ((x - radius, 0.0, radius), (x + radius, 0.0, radius))}


def _drive(kit: Kit) -> None:
    """Add chain wheel, chain, cranks and pedals."""
    x, z = _PEDALS
    kit.add(
        DARK,
        moved(turned(drum(0.095, 0.008), "x", 90), x, -0.045, z),
        moved(turned(drum(0.045, 0.012), "x", 90), _AXLES[0], -0.045, _WHEEL / 2),
    )
    for side in (-1, 1):
        kit.add(
            DARK, rod((x, -0.049, z + side * 0.093), (_AXLES[0], -0.049, _WHEEL / 2 + side * 0.043), 0.006, 6)
        )
        end = (x + side * 0.12, side * -0.075, z - side * 0.12)
        kit.add(STEEL, rod((x, side * -0.06, z), end, 0.012))
        kit.add(DARK, rod((end[0], side * -0.07, end[2]), (end[0], side * -0.17, end[2]), 0.020))


BICYCLES = (
    Kind(
        "bicycle",
        "street",
        frozenset({"drives", "stands"}),
        ("red", "blue", "green", "yellow", "black", "orange"),
        {"length": (1.62, 1.85)},
        _bicycle,
    ),
)
