"""Small scenes with glass and coloured liquid for tests of rendering."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from generation.conservation.glassware import GLASS, Filling, liquid
from generation.conservation.pouring import standing
from generation.geometry.vessel import Shape, vessel
from generation.scene import Camera, DeformingObject, Material, Scene, SceneObject
from tests.support.scenes import block, stage

BLUE = (120.0, 60.0, 15.0)
# From straight in front, so far away that all rays are parallel but for a few arc minutes.
HEAD_ON = Camera((0.0, -1.0, 0.05), (0.0, 0.0, 0.05), 1.0, 8, 6)

_TUMBLER = Shape(bottom=0.010, top=0.011, height=0.030, wall=0.0016, base=0.004)


def tumbler(
    places: Sequence[Sequence[float]], volumes: Sequence[float], name: str = "moved"
) -> list[SceneObject]:
    """A glass at a place (3,) with blue liquid, m^3, at each frame."""
    states = [standing(np.asarray(p), np.array([v]))[0] for p, v in zip(places, volumes, strict=True)]
    filling = Filling(vessel(_TUMBLER, 24), states)
    wet, free = (liquid(BLUE, beyond) for beyond in (GLASS.ior_inside, 1.0))
    parts = (("glass", GLASS, filling.glass_at), ("wet", wet, filling.wet_at), ("top", free, filling.top_at))
    return [DeformingObject(f"{name}_{part}", "moved", m, shape, filling.poses) for part, m, shape in parts]


def filled_tumbler(width: int = 48, height: int = 36) -> Scene:
    """One glass, two thirds full, near the camera."""
    camera = Camera((0.0, -0.12, 0.07), (0.0, 0.0, 0.013), 36, width, height)
    return stage(tumbler([(0, 0, 0)], [5e-6]), 1, camera=camera)


def passing_tumbler() -> Scene:
    """A glass that goes from the left over the middle to the right and fills; it rests at both ends."""
    x = (-0.085, -0.085, -0.002, 0.002, 0.085, 0.085)
    volumes = (2e-6, 2e-6, 4e-6, 4e-6, 6e-6, 6e-6)
    return stage(tumbler([(place, -0.02, 0) for place in x], volumes), 6)


def slab(
    depth: float, absorption: tuple[float, float, float], ior: float = 1.0001, y: float = 0.0
) -> SceneObject:
    """A plate that fills the view of ``HEAD_ON``; ``depth`` and place in m."""
    material = Material("glass", (1.0, 1.0, 1.0), 0.0, ior_inside=ior, absorption=absorption)
    return block(f"slab_{y}", (0.4, depth, 0.4), [(0, y, 0.05)], material)
