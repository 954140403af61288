"""Objects in the air, and objects that don't darken the ground they rest on."""

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
    faces,
    feathered,
    mixed,
    replaced,
    touches_border,
    twins,
)
from generation.consistency.params import Intervention
from generation.consistency.render_rules import Caster, changed_casters, own_casters, seen
from generation.consistency.sight import Sight, look, shaded
from generation.consistency.solids import Solid
from generation.consistency.violations.painting import FEATHER, base_rules, emptied, near
from physprobe.consistency.vocabulary import Label

_STEPS = 12
_GROUND = 0.01
# Of the contact zone, in parts of the object's footprint: all influence is gone here, none from there on.
# A ball touches the ground in its middle, and its zone is narrower.
_INNER, _OUTER, _NARROWER = 1.0, 1.8, 0.85
_AROUND = 1.8
# Of a floating object: the least gap, in parts of its own area; the greatest share of what is
# right below it that is another object.
_GAP_SHARE, _TOUCHING = 0.3, 0.2
# Greatest height, m, that a shadow is cast from as if an object hung there, and how finely it is sought;
# greatest share of what this darkens on other objects, in parts of what it brightens.
_HIGHEST, _HALVINGS, _ELSEWHERE = 0.3, 8, 0.15


class FloatingObject(Plain):
    """An object hangs in the air.

    A: it is lifted, and its shadow moves as physics wants. B: it is lifted, and its shadow stays where it
    was.
    """

    category: Label = "floating_object"

    def draw(self, rng: np.random.Generator, view: View, wish: int) -> Twins:
        """Draw a height in m."""
        height = 2 * view.world.params.bodies[wish].half_extents[2]
        lift = float(np.clip(rng.uniform(0.45, 0.75) * height, 0.2, 0.45))
        return twins(Intervention(category=self.category, mechanism="A", target=wish, amount=lift))

    def _lifted(self, case: Case) -> Solid:
        return case.solid.moved((0.0, 0.0, case.intervention.amount))

    def _casters(self, case: Case) -> tuple[Caster, ...]:
        caster = self._lifted(case) if case.mechanism == "A" else case.solid
        return changed_casters(case.world, case.target, Caster(caster, case.world.lamp, case.target))

    def _after(self, case: Case) -> Sight:
        return self._seen_at(case, case.intervention.amount)

    def _seen_at(self, case: Case, lift: float) -> Sight:
        moved = case.solid.moved((0.0, 0.0, lift))
        return look(case.world, replaced(case.world.solids, case.target, moved))

    def _shadow(self, case: Case, sight: Sight) -> Bool:
        solids = replaced(case.world.solids, case.target, self._lifted(case))
        dark = [(c.place, c.solid) for c in self._casters(case) if c.place == case.target]
        return faces(case.world, sight, solids, case.world.lamp) & shaded(sight, dark, case.world.lamp)

    def masks(self, case: Case) -> Masks:
        """The object in the air; the gap below it and its shadow are evidence."""
        after = self._after(case)
        affected = after.shows(case.target)
        swept = self._swept(case)
        evidence = affected | swept[0] | (self._shadow(case, after) & ~after.mirrored)
        weights = self._weights(case, after, swept)
        return Masks(affected, evidence, weights > 0, weights)

    def misfit(self, case: Case, masks: Masks) -> str:
        """The gap must be seen: room below the object, and nothing that it could seem to stand on."""
        if touches_border(masks.affected):
            return "cut off"
        after = self._after(case)
        gap = self._swept(case)[0] & ~masks.affected & (after.what < 0)
        if gap.sum() < _GAP_SHARE * masks.affected.sum():
            return "gap hardly seen"
        below = np.zeros_like(masks.affected)
        below[2:] = masks.affected[:-2]
        if (after.what[below & ~masks.affected] >= 0).mean() > _TOUCHING:
            return "seems to touch another object"
        return ""

    def _swept(self, case: Case) -> tuple[Bool, Bool]:
        """Return where the object would be seen on its way up, directly and in the mirror."""
        return case.view.once(("swept", case.target, case.intervention.amount), lambda: self._sweep(case))

    def _sweep(self, case: Case) -> tuple[Bool, Bool]:
        direct = case.view.clean.shows(case.target)
        mirrored = case.view.clean.shows(case.target, mirrored=True)
        for lift in np.linspace(0, case.intervention.amount, _STEPS)[1:]:
            sight = self._seen_at(case, float(lift))
            direct = direct | sight.shows(case.target)
            mirrored = mirrored | sight.shows(case.target, mirrored=True)
        return direct, mirrored

    def _weights(self, case: Case, after: Sight, swept: tuple[Bool, Bool]) -> NDArray[np.float32]:
        shadows = case.view.shadow_of(case.target) | self._shadow(case, after)
        core = swept[0] | swept[1] | shadows | near(case, _AROUND)
        return feathered(core, FEATHER * case.params.width)

    def paint(self, case: Case, canvas: Canvas) -> Image:
        """Render the lifted object and its surroundings."""
        weights = self._weights(case, self._after(case), self._swept(case))
        solids = replaced(case.world.solids, case.target, self._lifted(case))
        image = canvas.render(base_rules(case, self._casters(case)), weights > 0, solids)
        return mixed(canvas.clean, image, weights)

    def explain(self, case: Case) -> str:
        """See the class."""
        return (
            f"Gravity pulls down whatever nothing carries. The {case.body.name} hangs in the air: there is a "
            f"gap between it and the ground below."
        )


class MissingContactShadow(Plain):
    """The ground right at an object's foot is as bright as if the object weren't there.

    A: within a narrow zone around the foot the object takes no light from the ground, lamp's or ambient.
    B: the object casts its shadow as if it hung a little higher, and takes no ambient light from the ground.
    """

    category: Label = "missing_contact_shadow"

    def draw(self, rng: np.random.Generator, view: View, wish: int) -> Twins | None:
        """Take the object, and for B the height in m that makes as much of its shadow go away."""
        drawn = Intervention(category=self.category, mechanism="A", target=wish)
        area = self.masks(Case(view, drawn)).affected.sum()
        low, high = 0.0, _HIGHEST
        for _ in range(_HALVINGS):
            lift = (low + high) / 2
            pair = twins(drawn, amount=lift)
            lost = self.masks(Case(view, pair["B"])).affected.sum()
            low, high = (lift, high) if lost < area else (low, lift)
        return pair

    def _lifted(self, case: Case) -> Solid:
        return case.solid.moved((0.0, 0.0, case.intervention.amount))

    def _lifted_shadow(self, case: Case) -> Bool:
        sight = case.view.clean
        dark = shaded(sight, [(case.target, self._lifted(case))], case.world.lamp)
        return dark & case.view.faces_lamp

    def masks(self, case: Case) -> Masks:
        """The shadow that is missing at the foot; the foot, the object and its shadow are evidence."""
        clean = case.view.clean
        ground = (clean.what < 0) & ~clean.mirrored
        own = case.view.shadow_of(case.target)
        affected = ground & self._lost(case)
        foot = ground & (contact(case) > 0.5)
        evidence = affected | foot | clean.shows(case.target) | (own & ~clean.mirrored)
        weights = self._weights(case)
        return Masks(affected, evidence, weights > 0, weights)

    def misfit(self, case: Case, masks: Masks) -> str:
        """The shadow must not be seen to move elsewhere."""
        if case.mechanism == "A":
            return ""
        moved = self._lifted_shadow(case) & ~case.view.shadow & ~case.view.clean.mirrored
        elsewhere = (moved & (case.view.clean.what >= 0)).sum()
        return "shadow on another object" if elsewhere > _ELSEWHERE * masks.affected.sum() else ""

    def _lost(self, case: Case) -> Bool:
        """Return where the cast shadow has gone."""
        own = case.view.shadow_of(case.target)
        kept = contact(case) <= 0.5 if case.mechanism == "A" else self._lifted_shadow(case)
        lost: Bool = own & ~kept
        return lost

    def _weights(self, case: Case) -> NDArray[np.float32]:
        if case.mechanism == "A":
            return contact(case)
        own = case.view.shadow_of(case.target)
        changed = (own != self._lifted_shadow(case)) & (case.view.clean.what != case.target)
        return feathered(changed | near(case, 1.4), FEATHER * case.params.width)

    def shades(self, case: Case) -> tuple[Shade, ...]:
        """The object alone."""
        return (Shade(own_casters(case.world), seen(case.target)),)

    def paint(self, case: Case, canvas: Canvas) -> Image:
        """Lay the object over ground that it influences less."""
        weights = self._weights(case)
        if case.mechanism == "A":
            ground = emptied(case, canvas, weights > 0)
        else:
            ground = self._under_lifted(case, canvas, weights > 0)
        return mixed(canvas.clean, canvas.shades[0] + ground, weights)

    def _under_lifted(self, case: Case, canvas: Canvas, where: Bool) -> Image:
        return emptied(case, canvas, where, Caster(self._lifted(case), case.world.lamp, case.target))

    def explain(self, case: Case) -> str:
        """See the class."""
        return (
            f"Where an object rests on the ground it keeps light away, so a dark seam runs along its foot. "
            f"The ground at the foot of the {case.body.name} stays bright, and its shadow begins farther out."
        )


def contact(case: Case) -> NDArray[np.float32]:
    """Return how much each pixel belongs to the ground at the target's foot, seen past the target, (H, W)."""
    sight = case.view.without(case.target)
    points: Float = sight.points
    local = points @ case.solid.to_unit[:3, :3].T + case.solid.to_unit[:3, 3]
    if case.solid.form == "block":
        radius = np.abs(local[..., :2]).max(axis=-1)
    else:
        radius = np.hypot(local[..., 0], local[..., 1]) / (_NARROWER if case.solid.form == "ball" else 1.0)
    share = np.clip((_OUTER - radius) / (_OUTER - _INNER), 0, 1)
    is_ground = (sight.what < 0) & sight.is_surface & (points[..., 2] < _GROUND)
    return np.where(is_ground, share * share * (3 - 2 * share), 0).astype(np.float32)
