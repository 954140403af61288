"""What a thing is: parts with materials, measures that can be asked, and the parameters that made it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from generation.core.records import StrictModel
from generation.scene import Material, Mesh
from physprobe.errors import unknown_name

Point = tuple[float, float, float]
Scale = Literal["table", "room", "street", "open"]
Move = Literal["slides", "rolls", "drives", "floats", "flies", "rises", "falls", "swings", "orbits", "stands"]


@dataclass(frozen=True)
class Part:
    """All of a thing that is made of one material."""

    mesh: Mesh
    material: Material


@dataclass(frozen=True)
class Thing:
    """A thing in its own frame: metres, z up, front to +x, the origin in the middle of its bounding box.

    Attributes:
        parts: closed bodies, one part a material.
        measures: what can be asked, word for a question ("length", "wheel diameter") to size in m. Each is
            an extent that is seen from the side (along y), those along y from the front.
        measure_axes: the two end points of each measure, m.
        ground_z: height of the plane that the thing stands on, or of the water line if it floats, m.
        colored: index of the part that carries the colour of its name.
    """

    parts: tuple[Part, ...]
    measures: Mapping[str, float]
    measure_axes: Mapping[str, tuple[Point, Point]]
    ground_z: float
    colored: int = 0


class ThingParams(StrictModel):
    """Everything drawn for a thing.

    Attributes:
        kind: a name in ``KINDS``. color: one of the kind's colours. sizes: m, by the kind's own words.
    """

    kind: str
    color: str
    sizes: dict[str, float]


@dataclass(frozen=True)
class Kind:
    """A kind of things.

    Attributes:
        name: what a person calls it, in the singular.
        scale: table 0.05 to 0.6 m, room 0.3 to 2.5 m, street 1 to 15 m, open 10 to 100 m.
        moves: how such things move. "floats" is on water; balloons fly.
        colors: in which they come; the coloured part dominates the look.
        ranges: lowest and highest of each drawn size, m.
        make: builds the thing; pure.
    """

    name: str
    scale: Scale
    moves: frozenset[Move]
    colors: tuple[str, ...]
    ranges: Mapping[str, tuple[float, float]]
    make: Callable[[ThingParams], Thing]

    def sample(self, rng: np.random.Generator, color: str) -> ThingParams:
        """Draw the sizes of a thing of a colour, to four digits; nothing is built.

        Raises:
            UserError: it does not come in this colour.
        """
        if color not in self.colors:
            raise unknown_name(f"colour of a {self.name}", color, self.colors)
        sizes = {word: float(f"{rng.uniform(low, high):.4g}") for word, (low, high) in self.ranges.items()}
        return ThingParams(kind=self.name, color=color, sizes=sizes)

    def build(self, params: ThingParams) -> Thing:
        """Return the thing that parameters describe; the same for the same parameters."""
        return self.make(params)


def describe(params: ThingParams) -> str:
    """Return the noun phrase for questions, "red car"; one of its kind and colour is told from all others."""
    return f"{params.color} {params.kind}"


def is_confusable(one: ThingParams, other: ThingParams) -> bool:
    """Whether the name of one could be taken for the other: a yellow tennis ball is a yellow ball, too."""
    return one.color == other.color and one.kind.split()[-1] == other.kind.split()[-1]
