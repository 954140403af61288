"""What scenes look like: shapes, colours, surfaces and lamps; those of test_appearance occur nowhere else."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass
from typing import Literal

import numpy as np

from generation.consistency.params import BodyParams, Color, FamilyParams, Geometry, Surface

Look = Literal["common", "held_out"]
Range = tuple[float, float]
# Radius, and height over width, and depth over width.
Proportions = tuple[Geometry, Range, Range]

DIRECTIONS = 8
ELEVATIONS_DEG: tuple[Range, ...] = ((30.0, 43.0), (44.0, 56.0), (57.0, 70.0))


@dataclass(frozen=True)
class Appearance:
    """Ranges to draw from.

    Attributes:
        shapes: geometry with ranges of height and of depth, each over width.
        hues: colour names with their hue in [0, 1]. roughness: GGX alpha of plastic.
        ground_hue, wall_hue: in [0, 1].
    """

    shapes: tuple[Proportions, ...]
    hues: dict[str, float]
    roughness: tuple[Range, ...]
    ground_hue: Range
    wall_hue: Range


LOOKS: dict[Look, Appearance] = {
    "common": Appearance(
        shapes=(
            ("sphere", (1.0, 1.0), (1.0, 1.0)),
            ("cube", (1.0, 1.0), (1.0, 1.0)),
            ("box", (1.25, 1.7), (0.7, 1.0)),
            ("cylinder", (1.15, 1.6), (1.0, 1.0)),
            ("ellipsoid", (0.65, 0.85), (1.0, 1.0)),
        ),
        hues={"red": 0.0, "yellow": 0.14, "green": 0.36, "blue": 0.6, "purple": 0.77},
        roughness=((0.15, 0.19), (0.27, 0.35)),
        ground_hue=(0.06, 0.12),
        wall_hue=(0.08, 0.16),
    ),
    "held_out": Appearance(
        shapes=(
            ("box", (0.55, 0.8), (0.7, 1.0)),
            ("box", (1.85, 2.2), (1.0, 1.0)),
            ("cylinder", (0.65, 0.9), (1.0, 1.0)),
            ("ellipsoid", (1.2, 1.6), (1.0, 1.0)),
            ("ellipsoid", (0.9, 1.05), (0.65, 0.8)),
        ),
        hues={"orange": 0.065, "lime": 0.24, "turquoise": 0.48, "pink": 0.91},
        roughness=((0.115, 0.14),),
        ground_hue=(0.5, 0.62),
        wall_hue=(0.28, 0.45),
    ),
}


def lamp_bands(look: Look, direction: int) -> tuple[Range, ...]:
    """Return the elevations, degrees, from which a lamp in one of eight directions may shine.

    Every direction and every elevation occurs in both looks, but no pair of them.
    """
    held_out = direction % len(ELEVATIONS_DEG)
    bands = enumerate(ELEVATIONS_DEG)
    return tuple(band for k, band in bands if (k == held_out) == (look == "held_out"))


def body(
    rng: np.random.Generator, look: Look, hue: str, surface: Surface | None = None, *, is_round: bool = False
) -> BodyParams:
    """Draw an object at the origin.

    Args:
        rng: source of chance. look: which ranges. hue: name of its colour.
        surface: if given. is_round: draw a sphere or an ellipsoid.
    """
    ranges = LOOKS[look]
    shapes = [s for s in ranges.shapes if not is_round or s[0] in ("sphere", "ellipsoid")]
    geometry, heights, depths = shapes[int(rng.integers(len(shapes)))]
    tall, deep = rng.uniform(*heights), rng.uniform(*depths)
    width = rng.uniform(0.27, 0.35) / max(tall, 1.0) ** 0.6
    kind: Surface = surface or ("plastic" if rng.random() < 0.5 else "diffuse")
    return BodyParams(
        geometry=geometry,
        half_extents=(float(width), float(width * deep), float(width * tall)),
        x=0.0,
        y=0.0,
        yaw=float(rng.uniform(0, np.pi)),
        surface=kind,
        color_name=hue,
        color=color(rng, ranges.hues[hue], (0.6, 0.82), (0.7, 0.95)),
        roughness=roughness(rng, look, finest=is_round),
    )


def roughness(rng: np.random.Generator, look: Look, *, finest: bool = False) -> float:
    """Draw a GGX alpha; ``finest``: from the lowest range."""
    bands = LOOKS[look].roughness
    low, high = bands[0] if finest else bands[int(rng.integers(len(bands)))]
    return float(rng.uniform(low, high))


def color(rng: np.random.Generator, hue: float, saturation: Range, value: Range) -> Color:
    """Draw a colour around a hue, as linear RGB."""
    srgb = colorsys.hsv_to_rgb(
        float(hue + rng.uniform(-0.012, 0.012)) % 1, rng.uniform(*saturation), rng.uniform(*value)
    )
    red, green, blue = (float(c**2.2) for c in srgb)
    return red, green, blue


def look_of(params: FamilyParams) -> Look:
    """Return which ranges a family was drawn from."""
    return "held_out" if params.split == "test_appearance" else "common"


def _hue_distance(one: float, other: float) -> float:
    """Return how far two hues are apart on the circle of them, in [0, 0.5]."""
    return abs((one - other + 0.5) % 1 - 0.5)


def _silhouette(drawn: BodyParams) -> float:
    """Return the area of an object seen from the side, m^2, mean over directions."""
    width, depth, height = drawn.half_extents
    if drawn.geometry in ("cube", "box"):
        return 4 * height * (width + depth) * 2 / np.pi
    return (4.0 if drawn.geometry == "cylinder" else np.pi) * height * (width + depth) / 2


def stand_ins(rng: np.random.Generator, params: FamilyParams, target: int) -> tuple[BodyParams, BodyParams]:
    """Draw two objects to be seen in place of another: in the most different colour
    that the scene lacks, of another shape and of its own.

    Args:
        rng: source of chance. params: the family. target: index of the object.
    """
    look, old = look_of(params), params.bodies[target]
    used = {b.color_name for b in params.bodies}
    free = [name for name in LOOKS[look].hues if name not in used]
    hue = max(free, key=lambda name: _hue_distance(LOOKS[look].hues[name], LOOKS[look].hues[old.color_name]))
    drawn = body(rng, look, hue, old.surface)
    while drawn.geometry == old.geometry:
        drawn = body(rng, look, hue, old.surface)
    scale = np.sqrt(_silhouette(old) / _silhouette(drawn))
    extents = tuple(float(scale * extent) for extent in drawn.half_extents)
    other = drawn.model_copy(update={"x": old.x, "y": old.y, "half_extents": extents})
    return other, old.model_copy(update={"color_name": hue, "color": other.color})
