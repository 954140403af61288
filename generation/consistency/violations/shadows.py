"""Shadows that lie wrong, are missing, or belong to another light than the shading."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from generation.consistency.case import (
    Bool,
    Canvas,
    Case,
    Float,
    Image,
    Masks,
    Plain,
    Shade,
    Twins,
    View,
    applied,
    feathered,
    mixed,
    turned_about,
    twins,
    widened,
)
from generation.consistency.params import Intervention, Point
from generation.consistency.render_rules import Caster, changed_casters, own_casters, seen
from generation.consistency.sight import shaded
from generation.consistency.violations.painting import FEATHER, emptied, near
from physprobe.consistency.vocabulary import Label

_MIDDLE = np.zeros(3)
# How far around an object its influence on the light is taken away, in its own size.
_AROUND = 2.0
# From where on, in its own size, this begins and is complete: at the foot ambient light is left as it is.
_FOOT = 2.2, 5.5
# Turns of all shadows to choose from.
_TURNS = 5


class WrongShadowDirection(Plain):
    """One object's shadow lies where the lamp can't throw it.

    A: its shadow rays aim at a lamp turned about the object. B: its shadow is cut out as it is and laid down
    again, turned about the object's foot.
    """

    category: Label = "wrong_shadow_direction"

    def draw(self, rng: np.random.Generator, view: View, wish: int) -> Twins:
        """Draw a turn."""
        angle = float(rng.choice([-1, 1]) * rng.uniform(70, 150))
        turn = turned_about(view.world.solids[wish].center, np.radians(angle))
        lamp = _point(applied(turn, view.world.lamp))
        drawn = Intervention(category=self.category, mechanism="A", target=wish, amount=angle, lamp=lamp)
        return twins(drawn, lamp=None)

    def _casters(self, case: Case) -> tuple[Caster, ...]:
        return changed_casters(case.world, case.target, _wrong_caster(case, case.target))

    def masks(self, case: Case) -> Masks:
        """The shadow where it can't be; its object and where it should be are evidence."""
        return _moved_shadows(case, self._casters(case), case.view.clean.shows(case.target))

    def shades(self, case: Case) -> tuple[Shade, ...]:
        """Other shadows."""
        return (Shade(self._casters(case)),)

    def paint(self, case: Case, canvas: Canvas) -> Image:
        """Take the shade."""
        return canvas.shades[0]

    def explain(self, case: Case) -> str:
        """See the class."""
        return (
            f"Light travels in straight lines, so all shadows must point away from the one lamp. The shadow "
            f"of the {case.body.name} points elsewhere than the other shadows and the shading allow."
        )


class MissingCastShadow(Plain):
    """One object casts no shadow.

    A: it is transparent for shadow rays; what little ambient light it takes from the ground stays taken.
    B: away from its foot, surfaces come from a render without the object, which takes no ambient light there.
    """

    category: Label = "missing_cast_shadow"

    def draw(self, rng: np.random.Generator, view: View, wish: int) -> Twins:
        """Take the object."""
        return twins(Intervention(category=self.category, mechanism="A", target=wish))

    def _others(self, case: Case) -> tuple[Caster, ...]:
        return changed_casters(case.world, case.target)

    def masks(self, case: Case) -> Masks:
        """Where the shadow should be; its object is evidence."""
        missing = case.view.shadow_of(case.target)
        affected = missing & ~case.view.clean.mirrored
        influence, weights = widened(missing), None
        if case.mechanism == "B":
            weights = self._weights(case)
            influence |= weights > 0
        return Masks(affected, affected | case.view.clean.shows(case.target), influence, weights)

    def _weights(self, case: Case) -> NDArray[np.float32]:
        core = case.view.shadow_of(case.target) | near(case, _AROUND)
        return feathered(core, FEATHER * case.params.width)

    def _beyond_foot(self, case: Case) -> NDArray[np.float32]:
        points = case.view.without(case.target).points
        away = np.linalg.norm(points - case.solid.center, axis=-1) / max(case.body.half_extents)
        return np.clip((away - _FOOT[0]) / (_FOOT[1] - _FOOT[0]), 0, 1).astype(np.float32)

    def shades(self, case: Case) -> tuple[Shade, ...]:
        """Without the shadow; for B also the object alone."""
        bare = Shade(self._others(case))
        return (bare,) if case.mechanism == "A" else (bare, Shade(own_casters(case.world), seen(case.target)))

    def paint(self, case: Case, canvas: Canvas) -> Image:
        """Take the shade, or lay the object over an image without it."""
        if case.mechanism == "A":
            return canvas.shades[0]
        weights = self._weights(case) * self._beyond_foot(case)
        empty = emptied(case, canvas, weights > 0)
        return mixed(canvas.shades[0], canvas.shades[1] + empty, weights)

    def explain(self, case: Case) -> str:
        """See the class."""
        return (
            f"An opaque object in the light must block it. The {case.body.name} casts no shadow on the "
            f"surfaces behind it, although the other objects do."
        )


class ShadowIlluminationInconsistency(Plain):
    """Shading and shadows call for lamps at different places.

    A: all shadow rays aim at a lamp elsewhere. B: all shadows are cut out as they are and laid down again,
    each turned by the same angle about its object's foot.
    """

    category: Label = "shadow_illumination_inconsistency"

    def draw(self, rng: np.random.Generator, view: View, wish: int) -> Twins:
        """Draw turns, take the one by which mechanisms are most alike, and name the object of most shadow."""
        angles = rng.choice([-1, 1], _TURNS) * rng.uniform(100, 170, _TURNS)
        pairs = [self._turned(view, wish, float(angle)) for angle in angles]
        pair = min(pairs, key=lambda each: self._unlike(view, each))
        case = Case(view, pair["A"])
        affected = self.masks(case).affected
        sizes = [(_dark(case, (caster,)) & affected).sum() for caster in self._casters(case)]
        return twins(pair["A"].model_copy(update={"target": int(np.argmax(sizes))}), lamp=None)

    def _turned(self, view: View, target: int, angle: float) -> Twins:
        lamp = _point(applied(turned_about(_MIDDLE, np.radians(angle)), view.world.lamp))
        drawn = Intervention(category=self.category, mechanism="A", target=target, amount=angle, lamp=lamp)
        return twins(drawn, lamp=None)

    def _unlike(self, view: View, pair: Twins) -> float:
        """Return how far apart areas are by either mechanism, and the light that is taken from the ground."""
        masks = [self.masks(Case(view, intervention)).affected for intervention in pair.values()]
        if not all(mask.any() for mask in masks):
            return np.inf
        way = view.world.lamp - view.clean.points
        light = np.sqrt(np.maximum(way[..., 2], 0) / np.linalg.norm(way, axis=-1) ** 3)
        areas = np.log([mask.mean() for mask in masks])
        strengths = np.log([light[mask].mean() for mask in masks])
        return float(abs(np.diff(areas)[0]) + 2 * abs(np.diff(strengths)[0]))

    def _casters(self, case: Case) -> tuple[Caster, ...]:
        return tuple(_wrong_caster(case, place) for place in range(len(case.world.solids)))

    def masks(self, case: Case) -> Masks:
        """The shadows that the shading denies; the objects and where their shadows should be are evidence."""
        return _moved_shadows(
            case, self._casters(case), (case.view.clean.what >= 0) & ~case.view.clean.mirrored
        )

    def shades(self, case: Case) -> tuple[Shade, ...]:
        """Other shadows."""
        return (Shade(self._casters(case)),)

    def paint(self, case: Case, canvas: Canvas) -> Image:
        """Take the shade."""
        return canvas.shades[0]

    def explain(self, case: Case) -> str:
        """See the class."""
        return (
            f"Shading and shadow come from the same lamp, so they must agree on where it is. The bright side "
            f"of the {case.body.name} faces one way, but its shadow belongs to a lamp on another side."
        )


def _wrong_caster(case: Case, index: int) -> Caster:
    """Return an object as what casts a wrong shadow: that of a lamp elsewhere, or its own one turned."""
    solid, lamp = case.world.solids[index], case.intervention.lamp
    if lamp is not None:
        return Caster(solid, np.array(lamp), index)
    back = turned_about(solid.center, -np.radians(case.intervention.amount))
    return Caster(solid, case.world.lamp, index, back)


def _moved_shadows(case: Case, casters: tuple[Caster, ...], objects: Bool) -> Masks:
    """Return masks of an image whose shadows are cast otherwise, with the objects that are evidence."""
    direct = ~case.view.clean.mirrored
    dark = _dark(case, casters)
    changed = dark != case.view.shadow
    affected = changed & dark & direct
    return Masks(affected, (changed & direct) | objects, widened(changed))


def _dark(case: Case, casters: tuple[Caster, ...]) -> Bool:
    """Return where surfaces that face the lamp lie in the shadow of some casters, (H, W)."""
    clean = case.view.clean
    dark = np.zeros(clean.what.shape, dtype=bool)
    for caster in casters:
        moved = type(clean)(clean.what, _turned(clean.points, caster.turn), clean.mirrored)
        dark |= shaded(moved, [(caster.place, caster.solid)], caster.lamp)
    return dark & case.view.faces_lamp


def _turned(points: Float, turn: Float) -> Float:
    return points @ turn[:3, :3].T + turn[:3, 3]


def _point(values: Float) -> Point:
    x, y, z = (float(v) for v in values)
    return x, y, z
