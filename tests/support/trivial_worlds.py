"""The least catalogue that QuantiPhy's worlds can be made of: balls, blocks and empty places."""

from __future__ import annotations

from functools import cache

import numpy as np

from generation.core.seeds import item_rng
from generation.quantiphy.catalogue import Catalogue
from generation.quantiphy.design import Clip, Preset, design
from generation.quantiphy.params import WorldParams
from generation.quantiphy.places.model import Background, Place, PlaceKind, PlaceParams
from generation.quantiphy.records import Happening, happening, outlined
from generation.quantiphy.sampling import sample
from generation.quantiphy.things.model import Kind, Move, Part, Thing, ThingParams
from generation.quantiphy.world import World, build
from generation.rendering.shapes import box, lathe
from generation.scene import AreaLight, Material, Mesh, RigidObject

COLORS = {
    "red": (0.6, 0.05, 0.05),
    "green": (0.05, 0.5, 0.1),
    "blue": (0.05, 0.1, 0.6),
    "white": (0.7, 0.7, 0.7),
}
SMALL = Preset(name="small", width=160, height=90, video_ids=None)
WIDE = Preset(name="wide", width=854, height=480, video_ids=None)

_BALL_MOVES: frozenset[Move] = frozenset({"rolls", "falls", "flies", "swings", "orbits", "stands"})
_BLOCK_MOVES: frozenset[Move] = frozenset({"slides", "drives", "falls", "stands"})


def sphere(radius: float) -> Mesh:
    """A ball around the origin whose extents are exact."""
    angle = np.linspace(-np.pi / 2, np.pi / 2, 25)
    return lathe(radius * np.stack([np.cos(angle).clip(0) * (abs(angle) < 1.57), np.sin(angle)], axis=1), 48)


def _ball(params: ThingParams) -> Thing:
    size = params.sizes["diameter"]
    ends = ((-size / 2, 0.0, 0.0), (size / 2, 0.0, 0.0))
    part = Part(sphere(size / 2), Material("diffuse", COLORS[params.color]))
    return Thing((part,), {"diameter": size}, {"diameter": ends}, -size / 2)


def _block(params: ThingParams) -> Thing:
    """Two parts, a lower and an upper half."""
    length, width, height = (params.sizes[word] for word in ("length", "width", "height"))
    halves = []
    for sign in (-1, 1):
        mesh = box((length, width, height / 2))
        moved = Mesh(mesh.vertices + np.array([0, 0, sign * height / 4]), mesh.faces, mesh.normals)
        color = COLORS[params.color] if sign < 0 else (0.1, 0.1, 0.1)
        halves.append(Part(moved, Material("diffuse", color)))
    ends = {
        "length": ((-length / 2, 0.0, 0.0), (length / 2, 0.0, 0.0)),
        "height": ((0.0, 0.0, -height / 2), (0.0, 0.0, height / 2)),
    }
    return Thing(tuple(halves), {"length": length, "height": height}, ends, -height / 2)


def _place(params: PlaceParams) -> Place:
    floor = box((30.0, 30.0, 0.1))
    mesh = Mesh(floor.vertices - np.array([0, 0, 0.05]), floor.faces, floor.normals)
    ground = RigidObject("floor", "prop", Material("diffuse", (0.4, 0.4, 0.4)), mesh, np.eye(4)[None])
    light = AreaLight((-2.0, -4.0, 6.0), (0.0, 0.0, 0.0), (3.0, 3.0), (8.0, 8.0, 8.0))
    return Place((ground,), (light,), (0.4, 0.4, 0.4), ((-2.5, -2.0, 0.0), (2.5, 2.0, 3.0)))


def _place_kind(background: Background) -> PlaceKind:
    return PlaceKind(f"empty_{background}", background, "room", _place)


CATALOGUE = Catalogue(
    kinds={
        "ball": Kind("ball", "room", _BALL_MOVES, tuple(COLORS), {"diameter": (0.2, 0.5)}, _ball),
        "block": Kind(
            "block",
            "room",
            _BLOCK_MOVES,
            tuple(COLORS),
            {"length": (0.3, 0.7), "width": (0.15, 0.25), "height": (0.15, 0.5)},
            _block,
        ),
    },
    places={f"empty_{background}": _place_kind(background) for background in ("X", "S", "C")},
)


def clip(video_id: str) -> Clip:
    """A clip of the design."""
    return next(clip for clip in design() if clip.video_id == video_id)


@cache
def params(video_id: str, seed: int = 0, preset: Preset = WIDE) -> WorldParams:
    """Its parameters, drawn from the least catalogue."""
    return sample(item_rng(seed, "quantiphy", video_id), clip(video_id), preset, seed, CATALOGUE)


@cache
def world(video_id: str, seed: int = 0, preset: Preset = WIDE) -> World:
    """Its world."""
    return build(params(video_id, seed, preset), CATALOGUE)


@cache
def record(video_id: str, seed: int = 0) -> Happening:
    """What happens in it, taking everything for visible."""
    made = world(video_id, seed)
    return happening(params(video_id, seed), made, outlined(made), seed)
