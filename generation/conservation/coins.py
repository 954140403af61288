"""Coins: their kinds, metals and struck meshes."""

from __future__ import annotations

import functools
from typing import Literal

from generation.core.records import StrictModel
from generation.rendering.reliefs import relief
from generation.rendering.shapes import medal
from generation.scene import Material, Mesh

Metal = Literal["gold", "silver", "copper"]
Emblem = Literal["star", "one", "two", "five", "portrait", "crown"]

THICKNESS = 0.0026

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
def coin_mesh(kind: CoinKind) -> Mesh:
    """Return the coin lying on z = 0, its axis through the origin."""
    return medal(kind.diameter / 2, THICKNESS, relief(kind.emblem), reeds=80)


def coin_material(kind: CoinKind) -> Material:
    """Return the coin's metal."""
    return METALS[kind.metal]
