"""The kinds of things and places that clips are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from generation.quantiphy.places.model import Place, PlaceKind, PlaceParams
from generation.quantiphy.things.model import Kind, Thing, ThingParams


@dataclass(frozen=True)
class Catalogue:
    """What clips may show.

    Attributes:
        kinds, places: by name.
    """

    kinds: Mapping[str, Kind]
    places: Mapping[str, PlaceKind]

    def thing(self, params: ThingParams) -> Thing:
        """Build a thing."""
        return self.kinds[params.kind].build(params)

    def place(self, params: PlaceParams) -> Place:
        """Build a place."""
        return self.places[params.place].build(params)


@cache
def standard() -> Catalogue:
    """Return all kinds and places."""
    from generation.quantiphy.places import PLACES
    from generation.quantiphy.things import KINDS

    return Catalogue(KINDS, PLACES)
