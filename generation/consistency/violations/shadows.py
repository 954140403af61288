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
    View,
    applied,
    faces,
    feathered,
    mixed,
    turned_about,
    widened,
)
from generation.consistency.params import Intervention, Point
from generation.consistency.render_rules import Caster, Relight, changed_casters, own_casters, seen
from generation.consistency.sight import shaded
from generation.consistency.violations.painting import FEATHER, base_rules, emptied, near
from physprobe.consistency.vocabulary import Label, Mechanism

_MIDDLE = np.zeros(3)
# How far around an object its influence on the light is taken away, in its own size.
_AROUND = 2.0


class WrongShadowDirection(Plain):
    """One object's shadow lies where the lamp can't throw it.

    A: its shadow rays aim at a lamp turned about the object. B: its shadow is cut out as it is and laid down
    again, turned about the object's foot.
    """

    category: Label = "wrong_shadow_direction"

    def draw(self, rng: np.random.Generator, view: View, mechanism: Mechanism) -> Intervention | None:
        """Draw an object and a turn."""
        target = int(rng.integers(len(view.world.solids)))
        angle = float(rng.choice([-1, 1]) * rng.uniform(70, 150))
        lamp = None
        if mechanism == "A":
            turn = turned_about(view.world.solids[target].center, np.radians(angle))
            lamp = _point(applied(turn, view.world.lamp))
        return Intervention(
            category=self.category, mechanism=mechanism, target=target, amount=angle, lamp=lamp
        )

    def _casters(self, case: Case) -> tuple[Caster, ...]:
        angle = np.radians(case.intervention.amount)
        if case.intervention.lamp is not None:
            wrong = Caster(case.solid, np.array(case.intervention.lamp), case.target)
        else:
            back = turned_about(case.solid.center, -angle)
            wrong = Caster(case.solid, case.world.lamp, case.target, back)
        return changed_casters(case.world, case.target, wrong)

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
    B: surfaces come from a render without the object, the object from one with it: no influence at all.
    """

    category: Label = "missing_cast_shadow"

    def draw(self, rng: np.random.Generator, view: View, mechanism: Mechanism) -> Intervention | None:
        """Draw an object."""
        target = int(rng.integers(len(view.world.solids)))
        return Intervention(category=self.category, mechanism=mechanism, target=target)

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

    def shades(self, case: Case) -> tuple[Shade, ...]:
        """Without the shadow; for B also the object alone."""
        bare = Shade(self._others(case))
        return (bare,) if case.mechanism == "A" else (bare, Shade(own_casters(case.world), seen(case.target)))

    def paint(self, case: Case, canvas: Canvas) -> Image:
        """Take the shade, or lay the object over an image without it."""
        if case.mechanism == "A":
            return canvas.shades[0]
        weights = self._weights(case)
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

    A: all shadow rays aim at a lamp elsewhere. B: one object is shaded by a lamp elsewhere, and keeps its
    shadow.
    """

    category: Label = "shadow_illumination_inconsistency"

    def draw(self, rng: np.random.Generator, view: View, mechanism: Mechanism) -> Intervention | None:
        """Draw a lamp on another side."""
        angle = float(rng.choice([-1, 1]) * rng.uniform(90, 150))
        lamp = applied(turned_about(_MIDDLE, np.radians(angle)), view.world.lamp)
        target = int(rng.integers(len(view.world.solids)))
        return Intervention(
            category=self.category, mechanism=mechanism, target=target, amount=angle, lamp=_point(lamp)
        )

    def _lamp(self, case: Case) -> Float:
        assert case.intervention.lamp is not None
        return np.array(case.intervention.lamp)

    def _casters(self, case: Case) -> tuple[Caster, ...]:
        lamp = self._lamp(case)
        return tuple(Caster(body, lamp, place) for place, body in enumerate(case.world.solids))

    def _objects(self, case: Case) -> Bool:
        return (case.view.clean.what >= 0) & ~case.view.clean.mirrored

    def masks(self, case: Case) -> Masks:
        """The shadows that the shading denies (A), or the shading that the shadows deny (B)."""
        objects = self._objects(case)
        if case.mechanism == "A":
            return _moved_shadows(case, self._casters(case), objects)
        clean = case.view.clean
        lit = faces(case.world, clean, case.world.solids, self._lamp(case)) | case.view.faces_lamp
        affected = clean.shows(case.target) & lit
        shadows = case.view.shadow & ~clean.mirrored
        return Masks(affected, objects | shadows, widened(clean.what == case.target))

    def shades(self, case: Case) -> tuple[Shade, ...]:
        """Other shadows, if these are changed."""
        return (Shade(self._casters(case)),) if case.mechanism == "A" else ()

    def paint(self, case: Case, canvas: Canvas) -> Image:
        """Take the shade, or light the object anew."""
        if case.mechanism == "A":
            return canvas.shades[0]
        where = widened(case.view.clean.what == case.target)
        lamp = self._lamp(case)
        relight = Relight(seen(case.target), lamp, lamp, np.asarray(case.world.camera.origin))
        rules = base_rules(case, own_casters(case.world), relight=relight)
        return np.where(where[..., None], canvas.render(rules, where), canvas.clean)

    def explain(self, case: Case) -> str:
        """See the class."""
        return (
            f"Shading and shadow come from the same lamp, so they must agree on where it is. The bright side "
            f"of the {case.body.name} faces one way, but its shadow belongs to a lamp on another side."
        )


def _moved_shadows(case: Case, casters: tuple[Caster, ...], objects: Bool) -> Masks:
    """Return masks of an image whose shadows are cast otherwise, with the objects that are evidence."""
    clean = case.view.clean
    dark = np.zeros_like(objects)
    for caster in casters:
        turned = _turned(clean.points, caster.turn)
        moved = type(clean)(clean.what, turned, clean.mirrored)
        dark |= shaded(moved, [(caster.place, caster.solid)], caster.lamp)
    dark &= case.view.faces_lamp
    changed = dark != case.view.shadow
    direct = ~clean.mirrored
    affected = changed & dark & direct
    return Masks(affected, (changed & direct) | objects, widened(changed))


def _turned(points: Float, turn: Float) -> Float:
    return points @ turn[:3, :3].T + turn[:3, 3]


def _point(values: Float) -> Point:
    x, y, z = (float(v) for v in values)
    return x, y, z
