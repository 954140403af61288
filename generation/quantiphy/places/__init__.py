"""Kinds of places: plain (X), one textured surface (S), furnished (C)."""

from __future__ import annotations

from generation.quantiphy.places.halls import HALLS
from generation.quantiphy.places.landscapes import LANDSCAPES
from generation.quantiphy.places.model import Place, PlaceKind, PlaceParams
from generation.quantiphy.places.plain import PLAIN, SURFACES
from generation.quantiphy.places.streets import STREETS
from generation.quantiphy.places.tabletops import TABLETOPS

PLACES: dict[str, PlaceKind] = {
    kind.name: kind for kind in (*PLAIN, *SURFACES, *TABLETOPS, *HALLS, *STREETS, *LANDSCAPES)
}

__all__ = ["PLACES", "Place", "PlaceKind", "PlaceParams"]
