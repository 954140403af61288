"""The rules of light that a picture is made by: physics, or physics with one rule changed.

A rule holds for what the camera sees directly or in the mirror, the visible points; all further bounces of
light obey physics.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from generation.consistency.render_stage import PLACES
from generation.consistency.solids import Solid
from generation.consistency.world import World

Float = NDArray[np.float64]

# Classes of camera samples by what they see: each place for an object, then anything else; seen in the mirror
# counts from here on.
OTHER = PLACES
MIRRORED = PLACES + 1
EVERYTHING = (1 << 2 * MIRRORED) - 1
DIRECT = (1 << MIRRORED) - 1
IN_MIRROR = EVERYTHING ^ DIRECT


def seen(place: int, *, mirrored: bool = True, direct: bool = True) -> int:
    """Return the classes of samples that see an object, as a bit mask."""
    return (1 << place) * direct | (1 << place + MIRRORED) * mirrored


@dataclass(frozen=True)
class Caster:
    """A solid that keeps a lamp's light from visible points.

    Attributes:
        solid: the solid. lamp: (3,) m. place: the object that it belongs to, which it casts no shadow on.
        turn: (4, 4) moves a visible point before it is asked whether light reaches it.
    """

    solid: Solid
    lamp: Float
    place: int
    turn: Float = field(default_factory=lambda: np.eye(4))


@dataclass(frozen=True)
class Layer:
    """One image of a pass.

    Attributes:
        casters: indices of the pass's casters whose shadows it shows. classes: samples that count, as bits.
    """

    casters: Sequence[int]
    classes: int = EVERYTHING


@dataclass(frozen=True)
class Relight:
    """Another lamp for some visible points.

    Attributes:
        classes: which samples. lamp: (3,) m, for their diffuse part. gloss_lamp: for their highlight.
        gloss_eye: from where their highlight is seen.
    """

    classes: int
    lamp: Float
    gloss_lamp: Float
    gloss_eye: Float


@dataclass(frozen=True)
class Unseen:
    """A solid that visible rays pass through.

    Attributes:
        solid: the solid. before: only on rays that meet this one behind it; None: on all.
        mirrored: on rays from the mirror too.
    """

    solid: Solid
    before: Solid | None
    mirrored: bool


@dataclass(frozen=True)
class Cover:
    """A solid that isn't there but hides what is behind it: such samples count as nothing.

    Attributes:
        solid: the solid. mirrored: hides on rays from the mirror too.
    """

    solid: Solid
    mirrored: bool


@dataclass(frozen=True)
class Rules:
    """How to make the images of one pass.

    Attributes:
        casters: at most 8. layers: at least 1.
        mirror_eye: (3,) m, from where the mirror is looked at. mirror_normal: (3,) that it reflects by.
    """

    casters: tuple[Caster, ...]
    layers: tuple[Layer, ...]
    mirror_eye: Float
    mirror_normal: Float = field(default_factory=lambda: np.array([0.0, -1.0, 0.0]))
    relight: Relight | None = None
    unseen: Unseen | None = None
    cover: Cover | None = None


def physics(world: World) -> Rules:
    """Return the rules of a clean image: every object casts its shadow."""
    casters = own_casters(world)
    return Rules(casters, (Layer(range(len(casters))),), np.asarray(world.camera.origin))


def own_casters(world: World) -> tuple[Caster, ...]:
    """Return the objects as what they cast their shadows with."""
    return tuple(Caster(solid, world.lamp, place) for place, solid in enumerate(world.solids))


def changed_casters(world: World, index: int, *instead: Caster) -> tuple[Caster, ...]:
    """Return the objects as casters, with others, or none, in place of one."""
    own = own_casters(world)
    return (*own[:index], *instead, *own[index + 1 :])
