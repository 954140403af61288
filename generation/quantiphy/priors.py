"""The one quantity of a clip that is given."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from generation.quantiphy import wording
from generation.quantiphy.design import Prior
from generation.quantiphy.evidence import GRID, Evidence
from generation.quantiphy.targets import Target, instants, sizes
from generation.quantiphy.wording import Dimension

EARTH = 9.81
# As of an image 480 pixels high: what is given has to be measured best.
_LEAST_SIZE, _LEAST_SPEED, _LEAST_ACCELERATION = 40.0, 70.0, 170.0
# In 3D, only the part across the line of sight tells the scale; accelerations into depth are seen worst.
_LEAST_ACROSS = {"speed": 0.4, "acceleration": 0.6}
# How far the middle of an outline may mislead about what is given, as a share of it.
_ASTRAY = 0.04
GIVEN_BIAS = {False: 0.02, True: 0.03}
_DROPS = frozenset({"projectile", "bouncing"})
_DIMENSIONS: dict[str, Dimension] = {"size": "length", "speed": "speed", "acceleration": "acceleration"}


@dataclass(frozen=True)
class Given:
    """A quantity that is told.

    Attributes:
        quantity: what. entity: index of its thing. measure: word of a size, else "".
        frame: the instant for which it holds; None if it holds throughout. value: SI.
        best: the frame that shows it well; None for a size, which many do.
        is_gravity: whether it is told as the acceleration of gravity, without the thing's name.
    """

    quantity: Literal["size", "speed", "acceleration"]
    entity: int
    measure: str
    frame: int | None
    value: float
    best: int | None = None
    is_gravity: bool = False

    @property
    def dimension(self) -> Dimension:
        """What kind of unit it has."""
        return _DIMENSIONS[self.quantity]

    def text(self, clip: Evidence, unit: str) -> str:
        """Spell it in the official style, for example "speed of the red car at 0.5 s = 2.31 m/s"."""
        told = f"{wording.number(self.value, unit)} {unit}"
        if self.is_gravity:
            return f"gravity acceleration = {told}"
        moment = "" if self.frame is None else f" at {wording.moment(clip.time(self.frame))} s"
        name = clip.entities[self.entity].name
        return f"{self.measure or self.quantity} of the {name}{moment} = {told}"


def priors(clip: Evidence, sort: Prior) -> tuple[Given, ...]:
    """Return what may be given, in a fixed order: sizes, speeds or accelerations."""
    finders: dict[Prior, Callable[[Evidence], Iterator[Given]]] = {
        "S": _sizes,
        "V": lambda c: _instants(c, "speed", _LEAST_SPEED),
        "A": lambda c: _instants(c, "acceleration", _LEAST_ACCELERATION),
    }
    return tuple(finders[sort](clip))


def _sizes(clip: Evidence) -> Iterator[Given]:
    for target in sizes(clip, GIVEN_BIAS, _LEAST_SIZE):
        yield Given("size", target.entities[0], target.measure, None, target.value)


def _instants(clip: Evidence, quantity: Literal["speed", "acceleration"], least: float) -> Iterator[Given]:
    """Yield one for each thing, as of the frame that shows it best; in 2D, any that shows it well will do."""
    best: dict[int, tuple[float, Target]] = {}
    for target in instants(clip):
        (entity,), (frame,) = target.entities, target.frames
        if target.quantity != quantity or target.value * clip.pixels(entity, frame) < least:
            continue
        stray = clip.strays(entity, frame)[quantity == "acceleration"]
        risk = _risk_3d(clip, target) if clip.is_3d else stray / target.value
        if risk > _ASTRAY:
            continue
        if entity not in best or (clip.is_3d and risk < best[entity][0]):
            best[entity] = risk, target
    for _, target in best.values():
        yield _told(clip, target)


def _told(clip: Evidence, target: Target) -> Given:
    (entity,), (frame,) = target.entities, target.frames
    quantity: Literal["speed", "acceleration"] = "speed" if target.quantity == "speed" else "acceleration"
    if _is_constant(clip, entity, quantity):
        return Given(quantity, entity, "", None, target.value, frame, _is_earthly(clip, entity, quantity))
    if _is_earthly(clip, entity, quantity):
        return Given(quantity, entity, "", None, EARTH, frame, is_gravity=True)
    return Given(quantity, entity, "", frame, target.value, frame)


def _risk_3d(clip: Evidence, target: Target) -> float:
    """Return how far outlines around a frame mislead about the scale, as a share of it.

    Depth is told and only the part across the line of sight tells the scale, so that a small part of it
    misleads more. Distances must be told before and after, and change smoothly.
    """
    (entity,), (frame,) = target.entities, target.frames
    first, last = frame - 2 * GRID, frame + 2 * GRID
    if first < 0 or last >= clip.clip.num_frames or not clip.is_undisturbed(entity, first, last):
        return math.inf
    share = across(clip, entity, frame, target.quantity)
    if share < _LEAST_ACROSS[target.quantity]:
        return math.inf
    worst = clip.worst_strays(entity, frame)[target.quantity == "acceleration"]
    return worst / target.value / share**2


def across(clip: Evidence, entity: int, frame: int, quantity: str) -> float:
    """Return the share of a speed or acceleration that lies in the image plane."""
    return clip.across((clip.velocity if quantity == "speed" else clip.acceleration)[entity, frame])


def _is_constant(clip: Evidence, entity: int, quantity: str) -> bool:
    values = np.linalg.norm(getattr(clip, "velocity" if quantity == "speed" else quantity)[entity], axis=1)
    return not clip.entities[entity].events and float(np.ptp(values)) < 1e-6 * float(values.max())


def _is_earthly(clip: Evidence, entity: int, quantity: str) -> bool:
    """Whether a thing falls as all others that fall do, and as on Earth."""
    falling = {info.gravity for info in clip.entities if info.motion in _DROPS}
    return quantity == "acceleration" and clip.entities[entity].motion in _DROPS and falling == {EARTH}
