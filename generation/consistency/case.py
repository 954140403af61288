"""One violation of a family: its numbers, its masks and the tools to paint it with."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from generation.consistency.params import BodyParams, FamilyParams, Intervention
from generation.consistency.render_rules import EVERYTHING, Caster, Rules
from generation.consistency.sight import ROOM, Sight, facing, look, shaded
from generation.consistency.solids import Solid
from generation.consistency.world import World
from physprobe.consistency.vocabulary import Label, Mechanism

# One violation by either mechanism: about the same object, and meant to be as large and as strong.
Twins = Mapping[Mechanism, Intervention]
Float = NDArray[np.float64]
Bool = NDArray[np.bool_]
Image = NDArray[np.float32]

T = TypeVar("T")

# Light that grazes a surface shows no shadow.
_GRAZING = 0.005


@dataclass(frozen=True)
class Masks:
    """Where a violation is, each (H, W).

    Attributes:
        affected: what is wrong or missing. evidence: all that is needed to see that it is.
        influence: what the violation changes at all, in the mirror too.
        fading: weights of a change that fades away towards the border of its influence, or None.
    """

    affected: Bool
    evidence: Bool
    influence: Bool
    fading: NDArray[np.float32] | None = None


@dataclass(frozen=True)
class Shade:
    """An image of the clean scene under other shadows, which costs no rays of its own.

    Attributes:
        casters: what casts shadows. classes: samples that count.
    """

    casters: tuple[Caster, ...]
    classes: int = EVERYTHING


class View:
    """A clean scene and what is seen in it."""

    def __init__(self, world: World) -> None:
        """Look at the scene."""
        self.world = world
        self._known: dict[Hashable, Any] = {}

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what was made under this key, or make it."""
        if key not in self._known:
            self._known[key] = make()
        known: T = self._known[key]
        return known

    @cached_property
    def clean(self) -> Sight:
        """What the camera sees."""
        return look(self.world)

    def without(self, index: int) -> Sight:
        """Return what the camera sees if an object is away."""
        return self.once(
            ("without", index), lambda: look(self.world, replaced(self.world.solids, index, None))
        )

    @cached_property
    def casters(self) -> list[tuple[int, Solid]]:
        """What casts shadows, with its index."""
        return list(enumerate(self.world.solids))

    @cached_property
    def faces_lamp(self) -> Bool:
        """Where visible surfaces face the lamp, (H, W)."""
        return faces(self.world, self.clean, self.world.solids, self.world.lamp)

    @cached_property
    def shadow(self) -> Bool:
        """Where any object's shadow is seen, (H, W)."""
        return self.faces_lamp & np.any([self._dark(k) for k, _ in self.casters], axis=0)

    def shadow_of(self, index: int) -> Bool:
        """Return where the light that an object takes away is missing, shaded by no other, (H, W)."""
        dark = [self._dark(k) for k, _ in self.casters]
        others = np.any(dark[:index] + dark[index + 1 :], axis=0)
        return self.faces_lamp & dark[index] & ~others

    def _dark(self, index: int) -> Bool:
        """Return where an object keeps the lamp's light away, (H, W)."""
        return self.once(("dark", index), lambda: shaded(self.clean, [self.casters[index]], self.world.lamp))


@dataclass(frozen=True)
class Case:
    """A violation in its scene."""

    view: View
    intervention: Intervention

    @property
    def world(self) -> World:
        """The clean scene."""
        return self.view.world

    @property
    def params(self) -> FamilyParams:
        """The family."""
        return self.view.world.params

    @property
    def target(self) -> int:
        """Index of the object that it is about."""
        return self.intervention.target

    @property
    def body(self) -> BodyParams:
        """The object that it is about."""
        return self.params.bodies[self.target]

    @property
    def solid(self) -> Solid:
        """Its shape."""
        return self.world.solids[self.target]

    @property
    def mechanism(self) -> Mechanism:
        """How it is made."""
        return self.intervention.mechanism


class Canvas(Protocol):
    """What a violation is painted with. Images are (H, W, 3) float32 linear radiance."""

    @property
    def clean(self) -> Image:
        """The clean image."""

    @property
    def shades(self) -> Sequence[Image]:
        """The images that the violation asked for."""

    def render(
        self,
        rules: Rules,
        where: Bool,
        solids: Sequence[Solid | None] | None = None,
        stand_in: BodyParams | None = None,
    ) -> Image:
        """Render some pixels under other rules or with other objects; black elsewhere."""


class Violation(Protocol):
    """A way to break physics, by two mechanisms."""

    @property
    def category(self) -> Label:
        """Its label."""

    def draw(self, rng: np.random.Generator, view: View, wish: int) -> Twins | None:
        """Draw one for a scene, by either mechanism; None if the draw doesn't suit the scene.

        Args:
            rng: source of chance. view: the scene. wish: index of the object to take if it is up to chance.
        """

    def masks(self, case: Case) -> Masks:
        """Return where it is."""

    def shades(self, case: Case) -> tuple[Shade, ...]:
        """Return what it needs of the pass over the clean scene."""

    def paint(self, case: Case, canvas: Canvas) -> Image:
        """Return the whole image."""

    def misfit(self, case: Case, masks: Masks) -> str:
        """Return why it can't be seen well, beyond the size of its masks, or ""."""

    def explain(self, case: Case) -> str:
        """Say which law it breaks, with which object, and what shows it."""


class Plain:
    """Defaults of a violation."""

    def shades(self, case: Case) -> tuple[Shade, ...]:
        """None."""
        return ()

    def misfit(self, case: Case, masks: Masks) -> str:
        """Nothing more is asked for."""
        return ""


def twins(first: Intervention, **of_other: object) -> Twins:
    """Return a violation by mechanism A and its twin by B, which differs in some numbers."""
    return {"A": first, "B": first.model_copy(update={"mechanism": "B", **of_other})}


def replaced(solids: Sequence[Solid], index: int, other: Solid | None) -> list[Solid | None]:
    """Return the objects with another one, or none, in place of one."""
    return [other if k == index else body for k, body in enumerate(solids)]


def faces(world: World, sight: Sight, solids: Sequence[Solid | None], lamp: Float) -> Bool:
    """Return where visible surfaces face a lamp; those of the room always do, (H, W)."""
    result: Bool = sight.what == ROOM
    for index, body in enumerate(solids):
        mine = sight.what == index
        if body is not None and mine.any():
            result[mine] = facing(body, sight.points[mine], lamp) > _GRAZING
    return result


def turned_about(point: Float, angle: float) -> Float:
    """Return the (4, 4) rotation by an angle in radians about the vertical through a point."""
    cosine, sine = np.cos(angle), np.sin(angle)
    turn = np.eye(4)
    turn[:2, :2] = [[cosine, -sine], [sine, cosine]]
    turn[:2, 3] = point[:2] - turn[:2, :2] @ point[:2]
    return turn


def applied(matrix: Float, point: Float) -> Float:
    """Move a (3,) point by a (4, 4) matrix."""
    return matrix[:3, :3] @ point + matrix[:3, 3]


def widened(mask: Bool, pixels: int = 1) -> Bool:
    """Return a mask with a margin."""
    grown: Bool = ndimage.binary_dilation(mask, np.ones((3, 3), dtype=bool), iterations=pixels)
    return grown


def touches_border(mask: Bool) -> bool:
    """Whether a mask reaches the image's border."""
    return bool(mask[0].any() or mask[-1].any() or mask[:, 0].any() or mask[:, -1].any())


def feathered(mask: Bool, width: float) -> NDArray[np.float32]:
    """Return weights that are 1 in a mask and a pixel around it, and fade to 0 over a width in pixels."""
    distance = ndimage.distance_transform_edt(~mask)
    share = np.clip(1 - (distance - 1.5) / width, 0, 1)
    return (share * share * (3 - 2 * share)).astype(np.float32)


def mixed(base: Image, other: Image, weights: NDArray[np.float32]) -> Image:
    """Return a mixture of two images; where a weight is 0, the base unchanged."""
    share = weights[..., None]
    return np.where(share > 0, base + share * (other - base), base).astype(np.float32)
