"""The vessels of the volume domain and the liquid in them, cut anew at each frame."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Literal

import numpy as np

from generation.conservation.pouring import Held
from generation.geometry.liquid import Cavity, Cut
from generation.geometry.solid import flipped, joined, transformed
from generation.geometry.vessel import Shape, Vessel, vessel
from generation.scene import Float, Material, Mesh

GlassKind = Literal["tall", "short"]

GLASSES: dict[GlassKind, Shape] = {
    "tall": Shape(bottom=0.0195, top=0.0215, height=0.092, wall=0.0018, base=0.0065),
    "short": Shape(bottom=0.0325, top=0.0345, height=0.050, wall=0.0020, base=0.0070),
}
JUG = Shape(bottom=0.0165, top=0.0180, height=0.044, wall=0.0022, base=0.0030, spout=0.0055)

GLASS = Material("glass", color=(1.0, 1.0, 1.0), roughness=0.0)
CHINA = Material("plastic", color=(0.72, 0.70, 0.66), roughness=0.12)
_WATER_IOR = 1.33


def liquid(absorption: tuple[float, float, float], beyond: float) -> Material:
    """Return the surface of a liquid.

    Args:
        absorption: coefficient in 1/m, linear RGB. beyond: refractive index of what it touches.
    """
    return Material(
        "glass",
        color=(1.0, 1.0, 1.0),
        roughness=0.0,
        ior_inside=_WATER_IOR,
        ior_outside=beyond,
        absorption=absorption,
    )


@functools.cache
def glass(kind: GlassKind) -> Vessel:
    """Return a glass standing on z = 0."""
    return vessel(GLASSES[kind])


@functools.cache
def jug() -> Vessel:
    """Return the jug standing on z = 0."""
    return vessel(JUG)


class Filling:
    """A vessel with liquid, frame by frame.

    Args:
        vessel: what holds the liquid. states: how it is held; one for each frame, or one for all.
    """

    def __init__(self, vessel: Vessel, states: Sequence[Held]) -> None:
        """Hold the states; meshes are made when asked for."""
        self.vessel = vessel
        self.states = tuple(states)
        self._cavity = Cavity(vessel)
        self._recent: tuple[tuple[float, float, float], Cut] | None = None

    @property
    def poses(self) -> Float:
        """Poses of the vessel, (T, 4, 4) or (1, 4, 4)."""
        return np.stack([state.pose for state in self.states])

    def cut(self, frame: int) -> Cut:
        """Return the divided cavity at a frame, in the vessel's frame."""
        state = self._state(frame)
        level = (state.tilt, state.head, state.remaining)
        if self._recent is None or self._recent[0] != level:
            self._recent = level, state.cut(self._cavity)
        return self._recent[1]

    def glass(self, frame: int) -> Mesh:
        """Return the outside and what is dry of the inside, in the vessel's frame."""
        return joined([self.vessel.outside, flipped(self.cut(frame).dry)])

    def glass_at(self, frame: int) -> Mesh:
        """Return the outside and what is dry of the inside."""
        return self._placed(self.glass(frame), frame)

    def wall_at(self, frame: int) -> Mesh:
        """Return the outside and the whole inside, for a vessel that isn't transparent."""
        return self._placed(joined([self.vessel.outside, flipped(self.vessel.cavity)]), frame)

    def wet_at(self, frame: int) -> Mesh:
        """Return where the liquid touches the vessel, normals out of the liquid."""
        return self._placed(self.cut(frame).wet, frame)

    def top_at(self, frame: int) -> Mesh:
        """Return where the liquid touches the air, normals out of the liquid."""
        return self._placed(self.cut(frame).top, frame)

    def _state(self, frame: int) -> Held:
        return self.states[frame if len(self.states) > 1 else 0]

    def _placed(self, mesh: Mesh, frame: int) -> Mesh:
        return transformed(mesh, self._state(frame).pose)
