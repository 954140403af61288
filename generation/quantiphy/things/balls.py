"""Balls of several sorts, a planet, and a tyre."""

from __future__ import annotations

import numpy as np

from generation.geometry.lofts import ball
from generation.geometry.placing import turned
from generation.quantiphy.things.kit import Kit
from generation.quantiphy.things.model import Kind, Move, Thing, ThingParams
from generation.quantiphy.things.paints import DARK, RUBBER, gloss, printed
from generation.rendering.patterns import print_texture
from generation.rendering.shapes import lathe
from generation.scene import Material

_BALL_MOVES: frozenset[Move] = frozenset({"rolls", "slides", "flies", "falls", "swings", "orbits", "stands"})


def _round(params: ThingParams, material: Material) -> Thing:
    diameter = params.sizes["diameter"]
    kit = Kit(material)
    kit.paint(ball(diameter))
    return kit.thing(dict.fromkeys("xyz", diameter), {"diameter": "x"})


def _plain(params: ThingParams) -> Thing:
    return _round(params, gloss(params.color))


def _basketball(params: ThingParams) -> Thing:
    return _round(params, printed(print_texture("basketball", params.color), 0.4))


def _soccer(params: ThingParams) -> Thing:
    return _round(params, printed(print_texture("soccer", params.color), 0.25))


def _tennis(params: ThingParams) -> Thing:
    return _round(params, Material("diffuse", texture=print_texture("tennis", params.color)))


def _beach(params: ThingParams) -> Thing:
    return _round(params, printed(print_texture("gores", params.color), 0.12))


def _bowling(params: ThingParams) -> Thing:
    return _round(params, printed(print_texture("bowling", params.color), 0.05))


def _planet(params: ThingParams) -> Thing:
    diameter = params.sizes["diameter"]
    radius = diameter / 2
    kit = Kit(Material("diffuse", texture=print_texture("bands", params.color)))
    kit.paint(ball(diameter))
    thin = 0.008 * radius
    for inner, outer, tone in ((1.28, 1.62, 0.42), (1.68, 2.05, 0.60)):
        profile = np.array(
            [[inner, -thin / radius], [outer, -thin / radius], [outer, thin / radius], [inner, thin / radius]]
        )
        kit.add(Material("diffuse", (tone, 0.88 * tone, 0.70 * tone)), lathe(profile * radius, 96, loop=True))
    measures = {"ring diameter": "x", "diameter": "z"}
    return kit.thing({"x": 2.05 * diameter, "y": 2.05 * diameter, "z": diameter}, measures)


def _tire(params: ThingParams) -> Thing:
    radius = params.sizes["diameter"] / 2
    width = 0.62 * radius
    half = np.array([[0.60, 0.30], [0.64, 0.42], [0.75, 0.50], [0.90, 0.47], [0.97, 0.40]])
    upper = np.column_stack([half[:, 0] * radius, half[:, 1] * width])
    treads = []
    for k in range(5):
        z = (0.34 - 0.155 * k) * width
        treads += [[radius, z], [radius, z - 0.11 * width], [0.965 * radius, z - 0.12 * width]]
    tread = np.array(treads[:-1])
    profile = np.vstack([upper * [1, -1], tread[::-1] * [1, 1], upper[::-1]])
    body = turned(lathe(profile, 96, loop=True), "x", 90)
    kit = Kit(RUBBER)
    kit.paint(body)
    rim = np.array([[0.52, -0.28], [0.605, -0.28], [0.605, 0.28], [0.52, 0.28]]) * [radius, width]
    kit.add(DARK, turned(lathe(rim, 64, loop=True), "x", 90))
    return kit.thing({"x": 2 * radius, "z": 2 * radius}, {"diameter": "x"})


BALLS = (
    Kind(
        "ball",
        "table",
        _BALL_MOVES,
        ("red", "orange", "yellow", "green", "blue", "purple", "pink", "white", "black"),
        {"diameter": (0.06, 0.25)},
        _plain,
    ),
    Kind(
        "tennis ball",
        "table",
        _BALL_MOVES,
        ("yellow", "orange", "pink"),
        {"diameter": (0.0654, 0.0686)},
        _tennis,
    ),
    Kind(
        "basketball",
        "room",
        _BALL_MOVES,
        ("orange", "brown", "blue", "purple"),
        {"diameter": (0.235, 0.243)},
        _basketball,
    ),
    Kind(
        "soccer ball",
        "room",
        _BALL_MOVES,
        ("white", "yellow", "orange", "blue"),
        {"diameter": (0.216, 0.223)},
        _soccer,
    ),
    Kind(
        "beach ball",
        "room",
        _BALL_MOVES | {"floats"},
        ("red", "blue", "green", "yellow", "orange"),
        {"diameter": (0.3, 0.5)},
        _beach,
    ),
    Kind(
        "bowling ball",
        "table",
        _BALL_MOVES - {"flies"},
        ("blue", "red", "purple", "black", "green"),
        {"diameter": (0.2165, 0.2183)},
        _bowling,
    ),
    Kind(
        "planet",
        "room",
        frozenset({"orbits", "flies"}),
        ("orange", "yellow", "blue", "red", "purple"),
        {"diameter": (0.3, 0.9)},
        _planet,
    ),
    Kind(
        "tire",
        "room",
        frozenset({"rolls", "swings", "falls", "slides", "stands"}),
        ("black",),
        {"diameter": (0.55, 0.80)},
        _tire,
    ),
)
