"""Cars, as large as real ones or as toys, and a truck."""

from __future__ import annotations

import numpy as np

from generation.geometry.lofts import hull, pipe, rounded_box
from generation.geometry.placing import both_sides, moved, turned
from generation.quantiphy.things.kit import Kit
from generation.quantiphy.things.model import Kind, Thing, ThingParams
from generation.quantiphy.things.paints import DARK, HEADLIGHT, STEEL, TAILLIGHT, WHITE, WINDOW, gloss
from generation.quantiphy.things.wheels import add_wheel
from generation.scene import Mesh

_COLORS = ("red", "blue", "white", "black", "yellow", "green", "orange", "gray")
# Of a car of unit length: where its axles are, and the radius of the arches over its wheels.
_AXLES, _ARCH = (-0.305, 0.315), 0.082


def _body(width: float) -> Mesh:
    """Return the lower body of a car of unit length: a nose, a tail, arches over the wheels."""
    around = np.linspace(0, np.pi, 11)
    arches = [x + _ARCH * np.cos(around) for x in _AXLES]
    x = np.unique(
        np.concatenate(
            [np.linspace(-0.5, -0.46, 4), np.linspace(-0.45, 0.45, 13), np.linspace(0.46, 0.5, 4), *arches]
        )
    )
    top = np.interp(
        x,
        [-0.5, -0.485, -0.40, -0.2, 0.2, 0.34, 0.45, 0.485, 0.5],
        [0.185, 0.215, 0.226, 0.225, 0.222, 0.205, 0.183, 0.165, 0.135],
    )
    low = np.interp(x, [-0.5, -0.485, -0.46, 0.46, 0.485, 0.5], [0.105, 0.075, 0.052, 0.048, 0.055, 0.075])
    for axle in _AXLES:
        rise = np.sqrt(np.maximum(_ARCH**2 - (x - axle) ** 2, 0))
        low = np.maximum(low, np.where(rise > 0, 0.070 + rise, 0))
    wide = width * np.interp(
        x, [-0.5, -0.49, -0.45, -0.3, 0.3, 0.42, 0.485, 0.5], [0.78, 0.88, 0.95, 1.0, 1.0, 0.96, 0.84, 0.72]
    )
    return hull(x, wide, low, top, power=5.5, taper=0.93, count=36)


def _cabin(width: float, grow: float, roof: bool) -> Mesh:
    """Return the glass house of a car of unit length, or the roof on it."""
    if roof:
        x, high = [-0.295, -0.25, -0.16, -0.05, 0.05, 0.085], [0.312, 0.326, 0.337, 0.337, 0.322, 0.308]
        return hull(
            x,
            np.array([0.60, 0.66, 0.68, 0.68, 0.65, 0.60]) * width,
            np.array(high) - 0.020,
            np.array(high) + grow,
            power=3.5,
            count=32,
            between=3,
        )
    x, high = (
        [-0.40, -0.345, -0.25, -0.16, -0.05, 0.05, 0.155, 0.22],
        [0.215, 0.265, 0.323, 0.336, 0.336, 0.320, 0.255, 0.21],
    )
    wide = np.array([0.72, 0.80, 0.86, 0.88, 0.88, 0.87, 0.84, 0.78]) * width
    return hull(x, wide, np.full(8, 0.17), high, power=4.0, taper=0.80, count=32, between=3)


def _pillars(width: float) -> list[Mesh]:
    y_low, y_high = 0.425 * width, 0.345 * width
    lines = [
        ((0.175, y_low * 0.97, 0.222), (0.068, y_high, 0.305)),
        ((-0.075, y_low * 1.01, 0.222), (-0.08, y_high, 0.320)),
        ((-0.335, y_low * 0.97, 0.222), (-0.24, y_high, 0.313)),
    ]
    return [
        pipe(np.array(line), radius, 8) for line, radius in zip(lines, (0.008, 0.008, 0.016), strict=True)
    ]


def _scaled_car(params: ThingParams, width: float, wheel: float) -> Thing:
    """Build a car of unit length and fit it to its sizes."""
    kit = Kit(gloss(params.color))
    kit.paint(_body(width), _cabin(width, 0.006, roof=True))
    kit.paint(*(mesh for pillar in _pillars(width) for mesh in both_sides(pillar)))
    kit.add(WINDOW, _cabin(width, 0.0, roof=False))
    for x in _AXLES:
        for side in (-1, 1):
            add_wheel(kit, x, side * 0.425 * width, wheel / 2, wheel, 0.052)
    lamp = rounded_box((0.05, 0.062, 0.026), 0.010)
    kit.add(HEADLIGHT, *both_sides(moved(turned(lamp, "z", 22), 0.474, -0.345 * width, 0.143)))
    kit.add(TAILLIGHT, *both_sides(moved(turned(lamp, "z", -14), -0.478, -0.37 * width, 0.175)))
    kit.add(DARK, moved(rounded_box((0.02, 0.5 * width, 0.030), 0.006), x=0.491, z=0.085))
    kit.add(DARK, moved(turned(rounded_box((0.02, 0.36 * width, 0.020), 0.006), "y", -20), x=0.488, z=0.128))
    kit.add(
        DARK, *both_sides(moved(rounded_box((0.56, 0.012, 0.020), 0.005), x=0.0, y=-0.478 * width, z=0.056))
    )
    handle = rounded_box((0.030, 0.008, 0.007), 0.003)
    kit.add(STEEL, *both_sides(*(moved(handle, x, -0.478 * width, 0.190) for x in (-0.155, 0.025))))
    kit.paint(*both_sides(moved(rounded_box((0.025, 0.040, 0.024), 0.008), 0.135, -0.505 * width, 0.233)))
    kit.add(WHITE, moved(rounded_box((0.006, 0.105, 0.024), 0.002), x=-0.502, z=0.125))
    length, height = params.sizes["length"], params.sizes["height"]
    return kit.thing({"x": length, "y": length * width * 1.06, "z": height}, {"length": "x", "height": "z"})


def _car(params: ThingParams) -> Thing:
    return _scaled_car(params, 0.405, 0.150)


def _toy_car(params: ThingParams) -> Thing:
    sizes = {"length": params.sizes["length"], "height": 0.37 * params.sizes["length"]}
    return _scaled_car(params.model_copy(update={"sizes": sizes}), 0.46, 0.158)


def _truck(params: ThingParams) -> Thing:
    """Build a box truck: a cab in front, a cargo box behind."""
    length, height = params.sizes["length"], params.sizes["height"]
    width, wheel = 2.45, 0.95
    front = length / 2
    kit = Kit(gloss(params.color))
    cab = hull(
        [front - 2.0, front - 1.95, front - 0.6, front - 0.25, front - 0.05, front],
        np.array([0.94, 0.97, 0.97, 0.96, 0.93, 0.88]) * width,
        [0.55, 0.50, 0.50, 0.50, 0.50, 0.58],
        [2.75, 2.80, 2.78, 2.62, 2.25, 2.0],
        power=9,
        count=40,
    )
    kit.paint(cab)
    box_length = length - 2.15
    middle = -front + box_length / 2
    kit.paint(moved(rounded_box((box_length, width, height - 1.15), 0.05), x=middle, z=(height + 1.15) / 2))
    kit.add(DARK, moved(rounded_box((length - 0.5, 0.85, 0.28), 0.05), x=-0.1, z=0.86))
    for x in (front - 1.05, -front + 0.30 * box_length, -front + 0.30 * box_length - 1.25 * (length > 8)):
        for side in (-1, 1):
            add_wheel(kit, x, side * (width / 2 - 0.16), wheel / 2, wheel, 0.30)
    _truck_details(kit, front, width)
    return kit.thing({"x": length, "y": width * 1.02, "z": height}, {"length": "x", "height": "z"})


def _truck_details(kit: Kit, front: float, width: float) -> None:
    side_window = rounded_box((0.85, 0.02, 0.72), 0.01)
    kit.add(WINDOW, *both_sides(moved(side_window, front - 0.95, -0.483 * width, 2.10)))
    kit.add(
        WINDOW, moved(turned(rounded_box((0.02, 0.86 * width, 0.85), 0.01), "y", -24), front - 0.14, 0, 2.28)
    )
    kit.add(DARK, moved(rounded_box((0.05, 0.75 * width, 0.45), 0.02), x=front - 0.01, z=1.1))
    kit.add(
        HEADLIGHT,
        *both_sides(moved(rounded_box((0.06, 0.28, 0.16), 0.03), front - 0.01, -0.36 * width, 0.78)),
    )
    kit.add(DARK, *both_sides(moved(rounded_box((0.10, 0.12, 0.42), 0.03), front - 0.28, -0.5 * width, 2.2)))
    kit.add(TAILLIGHT, *both_sides(moved(rounded_box((0.05, 0.22, 0.12), 0.02), -front, -0.38 * width, 1.0)))


CARS = (
    Kind(
        "car",
        "street",
        frozenset({"drives", "slides", "stands"}),
        _COLORS,
        {"length": (3.6, 4.8), "height": (1.40, 1.56)},
        _car,
    ),
    Kind(
        "toy car",
        "table",
        frozenset({"drives", "slides", "falls", "stands"}),
        _COLORS,
        {"length": (0.07, 0.30)},
        _toy_car,
    ),
    Kind(
        "truck",
        "street",
        frozenset({"drives", "slides", "stands"}),
        ("red", "blue", "white", "yellow", "green", "orange"),
        {"length": (6.5, 9.5), "height": (3.1, 3.7)},
        _truck,
    ),
)
