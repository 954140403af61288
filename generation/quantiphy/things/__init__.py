"""Kinds of things: procedural meshes with true sizes that a person names at sight."""

from __future__ import annotations

from generation.quantiphy.things.aircraft import AIRCRAFT
from generation.quantiphy.things.balls import BALLS
from generation.quantiphy.things.bicycles import BICYCLES
from generation.quantiphy.things.boats import BOATS
from generation.quantiphy.things.cars import CARS
from generation.quantiphy.things.coaches import COACHES
from generation.quantiphy.things.creatures import CREATURES
from generation.quantiphy.things.crockery import CROCKERY
from generation.quantiphy.things.furniture import FURNITURE
from generation.quantiphy.things.goods import GOODS
from generation.quantiphy.things.model import Kind, Part, Thing, ThingParams, describe
from generation.quantiphy.things.toys import TOYS

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        *BALLS,
        *TOYS,
        *CROCKERY,
        *GOODS,
        *FURNITURE,
        *CREATURES,
        *CARS,
        *BICYCLES,
        *COACHES,
        *BOATS,
        *AIRCRAFT,
    )
}

__all__ = ["KINDS", "Kind", "Part", "Thing", "ThingParams", "describe"]
