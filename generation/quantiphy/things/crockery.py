"""Mug, bottle, teapot and apple."""

from __future__ import annotations

import numpy as np

from generation.geometry.lofts import pipe, spindle
from generation.geometry.outlines import arc
from generation.geometry.placing import moved
from generation.quantiphy.things.kit import Kit
from generation.quantiphy.things.meshes import bare, drum
from generation.quantiphy.things.model import Kind, Thing, ThingParams
from generation.quantiphy.things.paints import WHITE, gloss
from generation.rendering.palette import COLORS
from generation.rendering.shapes import lathe
from generation.scene import Float, Material

_CERAMIC = Material("plastic", (0.72, 0.70, 0.64), 0.08)


def _upright(points: Float) -> Float:
    """Turn points (N, 2) of the x-z plane into points (N, 3)."""
    return np.insert(points, 1, 0.0, axis=1)


def _mug(params: ThingParams) -> Thing:
    height, radius = params.sizes["height"], params.sizes["diameter"] / 2
    wall = 0.06 * height
    bend = np.linspace(0, np.pi, 7)
    lip = np.column_stack(
        [radius - wall / 2 + wall / 2 * np.cos(bend), height - wall / 2 + wall / 2 * np.sin(bend)]
    )
    inside = [[radius - wall, 0.16 * height], [0.86 * (radius - wall), 0.08 * height], [0, 0.07 * height]]
    outside = [[0, 0], [0.86 * radius, 0], [0.97 * radius, 0.03 * height], [radius, 0.09 * height]]
    kit = Kit(gloss(params.color))
    kit.paint(lathe(np.vstack([np.array(outside), lip, np.array(inside)]), 64))
    loop = arc(0, 0, 1.0, 100, -100, 17) * [0.30 * height, 0.31 * height] + [
        radius + 0.02 * height,
        0.52 * height,
    ]
    kit.paint(pipe(_upright(loop), 0.055 * height, 14))
    ends = (-radius, 0.0, 0.6 * height), (radius, 0.0, 0.6 * height)
    return kit.thing({"z": height}, {"height": "z"}, {"diameter": ends})


def _bottle(params: ThingParams) -> Thing:
    height, radius = params.sizes["height"], params.sizes["diameter"] / 2
    shape = [
        [0, 0.012],
        [0.80, 0.0],
        [0.96, 0.012],
        [1.0, 0.045],
        [1.0, 0.56],
        [0.97, 0.62],
        [0.85, 0.69],
        [0.60, 0.76],
        [0.42, 0.81],
        [0.36, 0.86],
        [0.36, 0.945],
        [0, 0.945],
    ]
    kit = Kit(gloss(params.color))
    kit.paint(lathe(np.array(shape) * [radius, height], 64))
    cap = [[0, 0.92], [0.40, 0.92], [0.41, 0.93], [0.41, 0.99], [0.37, 1.0], [0, 1.0]]
    kit.add(WHITE, lathe(np.array(cap) * [radius, height], 48))
    label = [[0.97, 0.19], [1.004, 0.19], [1.004, 0.48], [0.97, 0.48]]
    kit.add(_CERAMIC, lathe(np.array(label) * [radius, height], 64, loop=True))
    return kit.thing({"x": 2 * radius, "y": 2 * radius, "z": height}, {"height": "z", "diameter": "x"})


def _teapot(params: ThingParams) -> Thing:
    length = params.sizes["length"]
    kit = Kit(gloss(params.color))
    angle = np.linspace(-0.42 * np.pi, 0.40 * np.pi, 25)
    side = np.column_stack([0.36 * np.cos(angle), 0.30 + 0.285 * np.sin(angle)])
    kit.paint(lathe(np.vstack([[[0, 0.0], [0.19, 0.0], [0.20, 0.012]], side[1:], [[0, side[-1, 1]]]]), 64))
    lid = np.linspace(0, np.pi / 2, 9)
    dome = np.column_stack([0.135 * np.cos(lid), 0.575 + 0.055 * np.sin(lid)])
    kit.paint(
        lathe(np.vstack([[[0, 0.56], [0.145, 0.56], [0.145, 0.575]], dome[:-1], [[0, dome[-1, 1]]]]), 48)
    )
    kit.paint(
        moved(
            lathe(
                np.array(
                    [
                        [0, 0],
                        [0.022, 0],
                        [0.024, 0.02],
                        [0.045, 0.045],
                        [0.045, 0.06],
                        [0.03, 0.075],
                        [0, 0.08],
                    ]
                ),
                32,
            ),
            z=0.62,
        )
    )
    spout = np.array([[0.27, 0.17], [0.36, 0.20], [0.43, 0.27], [0.47, 0.36], [0.515, 0.45], [0.56, 0.50]])
    kit.paint(pipe(_upright(spout), np.array([0.095, 0.080, 0.060, 0.047, 0.038, 0.034]), 20))
    handle = arc(-0.34, 0.31, 1.0, 75, 285, 21)
    handle = (handle - [-0.34, 0.31]) * [0.20, 0.185] + [-0.32, 0.31]
    kit.paint(pipe(_upright(handle), 0.030, 14))
    return kit.thing({"x": length, "y": 0.66 * length, "z": 0.64 * length}, {"length": "x", "height": "z"})


def _apple(params: ThingParams) -> Thing:
    diameter = params.sizes["diameter"]
    t = np.linspace(0, np.pi, 41)
    # A sphere drawn in at both ends, more at the top, and a little narrower below.
    r = np.sin(t) * (1 + 0.10 * np.cos(t) * -1)
    z = -np.cos(t) * 0.86 - 0.30 * np.exp(-((t - np.pi) ** 2) / 0.16) + 0.20 * np.exp(-(t**2) / 0.10)
    r[[0, -1]] = 0.0
    kit = Kit(Material("plastic", COLORS[params.color], 0.14))
    kit.paint(spindle(np.column_stack([r, z]) / 2, 64))
    stem = np.array([[0.0, 0.0, 0.27], [0.01, 0.0, 0.42], [0.05, 0.0, 0.54]])
    kit.add(Material("diffuse", (0.10, 0.055, 0.025)), pipe(stem, np.array([0.022, 0.020, 0.030]), 10))
    return kit.thing({"x": diameter, "y": diameter, "z": 1.05 * diameter}, {"diameter": "x"})


def _candle(params: ThingParams) -> Thing:
    height, radius = params.sizes["height"], params.sizes["diameter"] / 2
    kit = Kit(Material("plastic", COLORS[params.color], 0.3))
    kit.paint(drum(radius, 0.80 * height, 0.1 * radius, 48))
    kit.add(
        Material("diffuse", (0.02, 0.02, 0.02)), moved(drum(0.05 * radius, 0.06 * height), z=0.79 * height)
    )
    t = np.linspace(0, np.pi, 17)
    flame = np.column_stack(
        [
            np.sin(t) * np.where(t < 0.5 * np.pi, 1, np.sin(t)) * 0.27 * radius,
            (1 - np.cos(t)) / 2 * 0.17 * height,
        ]
    )
    flame[[0, -1], 0] = 0.0
    kit.add(Material("diffuse", (0.95, 0.62, 0.12)), moved(bare(spindle(flame, 24)), z=0.83 * height))
    return kit.thing({"x": 2 * radius, "y": 2 * radius, "z": height}, {"height": "z", "diameter": "x"})


CROCKERY = (
    Kind(
        "mug",
        "table",
        frozenset({"slides", "falls", "swings", "stands"}),
        ("red", "blue", "white", "green", "yellow", "black", "orange"),
        {"height": (0.085, 0.12), "diameter": (0.075, 0.095)},
        _mug,
    ),
    Kind(
        "bottle",
        "table",
        frozenset({"slides", "falls", "floats", "stands"}),
        ("green", "blue", "red", "brown", "white", "pink"),
        {"height": (0.20, 0.32), "diameter": (0.062, 0.085)},
        _bottle,
    ),
    Kind(
        "teapot",
        "table",
        frozenset({"slides", "stands"}),
        ("white", "blue", "red", "brown", "green", "black"),
        {"length": (0.20, 0.28)},
        _teapot,
    ),
    Kind(
        "apple",
        "table",
        frozenset({"falls", "flies", "swings", "slides", "stands"}),
        ("red", "green", "yellow"),
        {"diameter": (0.068, 0.095)},
        _apple,
    ),
    Kind(
        "candle",
        "table",
        frozenset({"slides", "falls", "stands"}),
        ("red", "white", "yellow", "purple", "blue"),
        {"height": (0.09, 0.22), "diameter": (0.04, 0.07)},
        _candle,
    ),
)
