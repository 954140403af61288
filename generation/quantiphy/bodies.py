"""Things as boxes: enough to see where they fit."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from generation.quantiphy.catalogue import Catalogue
from generation.quantiphy.things.model import Kind, Move, Thing, ThingParams
from generation.scene import Float


@dataclass(frozen=True)
class Body:
    """A thing that was drawn.

    Attributes:
        kind, params, thing: what it is.
    """

    kind: Kind
    params: ThingParams
    thing: Thing

    @cached_property
    def half(self) -> Float:
        """Half its extents, (3,) m."""
        points = np.concatenate([part.mesh.vertices for part in self.thing.parts])
        return np.abs(points).max(axis=0)

    @cached_property
    def corners(self) -> Float:
        """The corners of its bounding box in its own frame, (8, 3) m."""
        return np.array(list(itertools.product((-1, 1), repeat=3))) * self.half

    @property
    def size(self) -> float:
        """Its larger extent seen from the side, m."""
        return 2 * float(max(self.half[0], self.half[2]))

    @property
    def base(self) -> float:
        """Height of its middle when it stands on the ground, m."""
        return -self.thing.ground_z

    @property
    def is_ball(self) -> bool:
        """Whether it is round in every direction, and all of it."""
        return "diameter" in self.thing.measures and bool(np.ptp(self.half) < 1e-6 * self.half[0])

    def roll_radius(self, move: Move) -> float:
        """Return the radius with which it rolls in a way to move, 0 if it doesn't."""
        return float(self.half[2]) if move == "rolls" else 0.0


def draw_body(rng: np.random.Generator, kind: Kind, color: str, catalogue: Catalogue) -> Body:
    """Draw a thing of a kind and colour."""
    params = kind.sample(rng, color)
    return Body(kind, params, catalogue.thing(params))
