"""Coins: their kinds, metals and struck meshes."""

from __future__ import annotations

import dataclasses
import functools
from typing import Literal

from generation.core.records import StrictModel
from generation.rendering.reliefs import relief
from generation.rendering.shapes import medal
from generation.scene import Material, Mesh

Metal = Literal["gold", "silver", "copper"]
Emblem = Literal["star", "one", "two", "five", "portrait", "crown"]

# Of the plain coin without its relief, in diameters.
_THICKNESS = 0.095

METALS: dict[Metal, Material] = {
    "gold": Material("metal", color=(0.88, 0.58, 0.19), roughness=0.23),
    "silver": Material("metal", color=(0.76, 0.76, 0.75), roughness=0.22),
    "copper": Material("metal", color=(0.80, 0.36, 0.20), roughness=0.25),
}


class CoinKind(StrictModel):
    """One kind of coin.

    Attributes:
        diameter: m.
    """

    metal: Metal
    emblem: Emblem
    diameter: float


@functools.lru_cache(maxsize=32)
def coin_mesh(emblem: Emblem, diameter: float) -> Mesh:
    """Return the coin lying on z = 0, its axis through the origin."""
    struck = _struck(emblem)
    return dataclasses.replace(struck, vertices=struck.vertices * diameter)


@functools.lru_cache(maxsize=16)
def _struck(emblem: Emblem) -> Mesh:
    """Return a coin of diameter 1."""
    return medal(0.5, _THICKNESS, relief(emblem), reeds=80)


def coin_material(kind: CoinKind) -> Material:
    """Return the coin's metal."""
    return METALS[kind.metal]
