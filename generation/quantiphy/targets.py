"""Everything that could be asked about a clip, with its answer from the record."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from generation.quantiphy.evidence import GRID, Evidence
from generation.quantiphy.wording import Dimension
from generation.scene import Float

Quantity = Literal[
    "size",
    "distance",
    "displacement",
    "speed",
    "horizontal_speed",
    "average_speed",
    "average_velocity",
    "acceleration",
    "average_acceleration",
]
DIMENSIONS: dict[Quantity, Dimension] = {
    "size": "length",
    "distance": "length",
    "displacement": "length",
    "speed": "speed",
    "horizontal_speed": "speed",
    "average_speed": "speed",
    "average_velocity": "speed",
    "acceleration": "acceleration",
    "average_acceleration": "acceleration",
}
STATIC: frozenset[Quantity] = frozenset({"size", "distance", "displacement"})

# Least sizes of what is asked, in pixels, pixels per s and per s^2 of an image 480 pixels high.
_LEAST_SIZE, _LEAST_WAY, _LEAST_SPEED, _LEAST_ACCELERATION = 22.0, 40.0, 45.0, 130.0
# Least share of the thing's highest speed or acceleration: less is too near to zero to be asked.
_LEAST_SHARE = 0.2
ASKED_BIAS = {False: 0.03, True: 0.045}
_SHORTEST = 2 * GRID  # frames of an interval
# Long things at a slant: how far the middles of their outlines may mislead about a way, as a share of it.
_ASTRAY = 0.04
_ASTRAY_SPEED, _ASTRAY_ACCELERATION = 0.05, 0.1  # the same for changes of place
_STRAIGHT = frozenset({"uniform", "accelerated", "braking", "varying"})
_SAGGING = frozenset({"projectile", "bouncing", "pendulum", "incline"})


@dataclass(frozen=True)
class Target:
    """Something to ask.

    Attributes:
        quantity: what. entities: index of the thing, or of two. measure: word of a size, else "".
        frames: none for a size, one for an instant, two for an interval. value: SI.
    """

    quantity: Quantity
    entities: tuple[int, ...]
    frames: tuple[int, ...]
    value: float
    measure: str = ""

    @property
    def is_static(self) -> bool:
        """Whether it is a length: the official inference type calls it static."""
        return self.quantity in STATIC

    @property
    def dimension(self) -> Dimension:
        """What kind of unit it has."""
        return DIMENSIONS[self.quantity]


def targets(clip: Evidence) -> tuple[Target, ...]:
    """Return everything that can be asked, in a fixed order."""
    finders = (sizes, distances, displacements, instants, intervals)
    return tuple(target for finder in finders for target in finder(clip))


def sizes(
    clip: Evidence, bias: dict[bool, float] | None = None, least: float = _LEAST_SIZE
) -> Iterator[Target]:
    """Yield sizes of things that can be read off the image."""
    allowed = (bias or ASKED_BIAS)[clip.is_3d]
    for e, info in enumerate(clip.entities):
        for measure, value in info.measures.items():
            frames = clip.size_frames(e, measure, allowed)
            if frames and max(clip.pixels(e, k) for k in frames) * value >= least:
                yield Target("size", (e,), (), value, measure)


def distances(clip: Evidence) -> Iterator[Target]:
    """Yield distances between the middles of two things."""
    for a, b in itertools.combinations(range(len(clip.entities)), 2):
        for k in clip.frames:
            value = _norm(clip.position[a, k] - clip.position[b, k])
            is_large = value * clip.pixels(a, k) >= _LEAST_WAY
            is_true = _norm(clip.offset[a, k] - clip.offset[b, k]) <= _ASTRAY * value
            if is_large and is_true and clip.is_clear[a, k] and clip.is_clear[b, k]:
                yield Target("distance", (a, b), (k,), value)


def displacements(clip: Evidence) -> Iterator[Target]:
    """Yield distances between two places of a moving thing."""
    for e, first, last in _spans(clip):
        value = _norm(clip.position[e, last] - clip.position[e, first])
        is_true = _norm(clip.offset[e, last] - clip.offset[e, first]) <= _ASTRAY * value
        if is_true and value * clip.pixels(e, first) >= _LEAST_WAY:
            yield Target("displacement", (e,), (first, last), value)


def instants(clip: Evidence) -> Iterator[Target]:
    """Yield speeds and accelerations at a frame."""
    for e, info in enumerate(clip.entities):
        fastest = float(np.linalg.norm(clip.velocity[e], axis=1).max())
        strongest = _strongest(clip, e)
        for k in clip.frames:
            if not clip.is_calm(e, k):
                continue
            scale, (stray, swerve) = clip.pixels(e, k), clip.worst_strays(e, k)
            speed = float(np.linalg.norm(clip.velocity[e, k]))
            is_true = stray <= _ASTRAY_SPEED * speed
            if is_true and speed * scale >= _LEAST_SPEED and speed >= _LEAST_SHARE * fastest:
                yield Target("speed", (e,), (k,), speed)
            level = float(np.linalg.norm(clip.velocity[e, k, :2]))
            is_level = info.motion in _SAGGING and stray <= _ASTRAY_SPEED * level
            if is_level and level * scale >= _LEAST_SPEED and level >= _LEAST_SHARE * fastest:
                yield Target("horizontal_speed", (e,), (k,), level)
            push = float(np.linalg.norm(clip.acceleration[e, k]))
            is_felt = push * scale >= _LEAST_ACCELERATION and swerve <= _ASTRAY_ACCELERATION * push
            if is_felt and push >= _LEAST_SHARE * strongest:
                yield Target("acceleration", (e,), (k,), push)


def _strongest(clip: Evidence, entity: int) -> float:
    """Return the largest acceleration away from jumps, m/s^2."""
    calm = [k for k in range(clip.clip.num_frames) if clip.is_undisturbed(entity, k, k)]
    return float(np.linalg.norm(clip.acceleration[entity, calm], axis=1).max()) if calm else 0.0


def intervals(clip: Evidence) -> Iterator[Target]:
    """Yield averages over intervals."""
    for e, first, last in _spans(clip):
        seconds, scale = clip.time(last) - clip.time(first), clip.pixels(e, first)
        value = _norm(clip.position[e, last] - clip.position[e, first]) / seconds
        is_true = _norm(clip.offset[e, last] - clip.offset[e, first]) <= _ASTRAY * value * seconds
        if is_true and value * scale * seconds >= _LEAST_WAY and value * scale >= _LEAST_SPEED:
            yield Target(_average(clip, e, first, last), (e,), (first, last), value)
        gain = clip.velocity[e, last] - clip.velocity[e, first]
        push = float(np.linalg.norm(gain)) / seconds
        if _shows_gain(clip, e, (first, last), push) and push * scale >= _LEAST_ACCELERATION:
            yield Target("average_acceleration", (e,), (first, last), push)


def _shows_gain(clip: Evidence, entity: int, ends: tuple[int, int], push: float) -> bool:
    """Whether a thing's velocity is seen truly at both ends of an interval without jumps between them."""
    if not (all(clip.is_calm(entity, k) for k in ends) and clip.is_undisturbed(entity, *ends)):
        return False
    astray = sum(clip.worst_strays(entity, k)[0] for k in ends)
    is_true = astray <= _ASTRAY_ACCELERATION * push * (clip.time(ends[1]) - clip.time(ends[0]))
    return is_true and push >= _LEAST_SHARE * _strongest(clip, entity)


def _norm(vector: Float) -> float:
    return float(np.linalg.norm(vector))


def _average(clip: Evidence, entity: int, first: int, last: int) -> Quantity:
    """A thing that goes straight on has an average speed that is the length of its average velocity."""
    way = clip.position[entity, last] - clip.position[entity, first]
    is_onward = bool((clip.velocity[entity, first : last + 1] @ way >= 0).all())
    is_straight = clip.entities[entity].motion in _STRAIGHT and is_onward
    return "average_speed" if is_straight else "average_velocity"


def _spans(clip: Evidence) -> Iterator[tuple[int, int, int]]:
    """Yield (entity, first frame, last frame) of intervals at whose ends a moving thing shows."""
    for e in range(len(clip.entities)):
        if not clip.moves(e):
            continue
        for first, last in itertools.combinations(clip.frames, 2):
            if last - first >= _SHORTEST and clip.is_clear[e, first] and clip.is_clear[e, last]:
                yield e, first, last
