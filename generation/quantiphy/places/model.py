"""What a place is: a backdrop with lights and a free space for the things that move."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from generation.core.records import StrictModel
from generation.quantiphy.things.model import Move, Point, Scale
from generation.scene import AreaLight, RigidObject

Background = Literal["X", "S", "C"]
RGB = tuple[float, float, float]


@dataclass(frozen=True)
class Place:
    """A place in the world frame: z up, the ground z = 0, the camera at negative y looks along +y.

    Attributes:
        backdrop: what stands still, one body a material.
        lights, environment: see ``generation.scene``.
        free: lowest and highest corner, m, of the box around the origin in which nothing of the backdrop is.
        measures: things of the backdrop whose size may be asked: name to the word for its size and the two
            end points in the world, m.
    """

    backdrop: tuple[RigidObject, ...]
    lights: tuple[AreaLight, ...]
    environment: RGB
    free: tuple[Point, Point]
    measures: Mapping[str, tuple[str, Point, Point]] = field(default_factory=dict)

    @property
    def extent(self) -> float:
        """Half the width of the free space, m."""
        return (self.free[1][0] - self.free[0][0]) / 2


class PlaceParams(StrictModel):
    """Everything drawn for a place.

    Attributes:
        place: a name in ``PLACES``. numbers, choices: by the place's own words.
    """

    place: str
    numbers: dict[str, float]
    choices: dict[str, str]


@dataclass(frozen=True)
class PlaceKind:
    """A kind of places.

    Attributes:
        name: of the place. background: X plain, S one textured surface, C furnished.
        scale: of the things that fit in.
        make: builds it; pure.
        ground: what z = 0 is; things with ``floats`` need water.
        suits: moves that look right here.
        clashes: kinds of things that stand here already, or could be taken for something that does.
        ranges, options: of the drawn numbers and choices.
    """

    name: str
    background: Background
    scale: Scale
    make: Callable[[PlaceParams], Place]
    ground: Literal["solid", "water"] = "solid"
    suits: frozenset[Move] = frozenset()
    clashes: frozenset[str] = frozenset()
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def sample(self, rng: np.random.Generator) -> PlaceParams:
        """Draw a place of this kind; nothing is built."""
        numbers = {word: float(f"{rng.uniform(low, high):.4g}") for word, (low, high) in self.ranges.items()}
        choices = {word: names[int(rng.integers(len(names)))] for word, names in self.options.items()}
        return PlaceParams(place=self.name, numbers=numbers, choices=choices)

    def build(self, params: PlaceParams) -> Place:
        """Return the place that parameters describe; the same for the same parameters."""
        return self.make(params)
