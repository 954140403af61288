"""The kinds of things and places that clips are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

from generation.quantiphy.places.model import Place, PlaceKind, PlaceParams
from generation.quantiphy.things.model import Kind, Thing, ThingParams

_KEPT_THINGS, _KEPT_PLACES = 48, 3

_Built = TypeVar("_Built")


@dataclass(frozen=True)
class Catalogue:
    """What clips may show.

    Attributes:
        kinds, places: by name.
    """

    kinds: Mapping[str, Kind]
    places: Mapping[str, PlaceKind]
    _things: dict[str, Thing] = field(default_factory=dict, compare=False, repr=False)
    _sites: dict[str, Place] = field(default_factory=dict, compare=False, repr=False)

    def thing(self, params: ThingParams) -> Thing:
        """Build a thing; the last ones are kept, as drawing a clip and filming it need the same."""
        return _kept(self._things, _KEPT_THINGS, self.kinds[params.kind].build, params)

    def place(self, params: PlaceParams) -> Place:
        """Build a place; the last ones are kept."""
        return _kept(self._sites, _KEPT_PLACES, self.places[params.place].build, params)


def _kept(memory: dict[str, _Built], limit: int, build: Callable[[Any], _Built], params: Any) -> _Built:
    key = params.model_dump_json()
    found = memory.pop(key, None) or build(params)
    memory[key] = found  # the last to be forgotten
    if len(memory) > limit:
        del memory[next(iter(memory))]
    return found


@cache
def standard() -> Catalogue:
    """Return all kinds and places."""
    from generation.quantiphy.places import PLACES
    from generation.quantiphy.things import KINDS

    return Catalogue(KINDS, PLACES)
