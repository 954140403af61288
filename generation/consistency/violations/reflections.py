"""Mirrors that leave something out, look the wrong way, or show something else."""

from __future__ import annotations

import numpy as np

from generation.consistency.appearance import stand_ins
from generation.consistency.case import (
    Bool,
    Canvas,
    Case,
    Image,
    Masks,
    Plain,
    Shade,
    Twins,
    View,
    replaced,
    twins,
    widened,
)
from generation.consistency.params import BodyParams, Intervention
from generation.consistency.render_rules import (
    DIRECT,
    IN_MIRROR,
    Caster,
    Cover,
    Unseen,
    changed_casters,
    own_casters,
)
from generation.consistency.render_stage import STAND_IN
from generation.consistency.sight import look
from generation.consistency.violations.painting import base_rules
from generation.consistency.world import solid
from physprobe.consistency.vocabulary import Label


class MissingReflection(Plain):
    """A mirror doesn't show an object.

    A: the mirrored world is rendered without the object. B: what the mirror sees passes through the object,
    which casts no shadow there but still takes ambient light from what is around it.
    """

    category: Label = "missing_reflection"

    def draw(self, rng: np.random.Generator, view: View, wish: int) -> Twins:
        """Take the object."""
        return twins(Intervention(category=self.category, mechanism="A", target=wish))

    def masks(self, case: Case) -> Masks:
        """Where the mirror should show the object; the object is evidence."""
        clean = case.view.clean
        affected = clean.shows(case.target, mirrored=True)
        return Masks(affected, affected | clean.shows(case.target), widened(clean.mirrored))

    def shades(self, case: Case) -> tuple[Shade, ...]:
        """What isn't seen in the mirror."""
        return (Shade(own_casters(case.world), DIRECT),)

    def paint(self, case: Case, canvas: Canvas) -> Image:
        """Render the mirror anew."""
        casters = changed_casters(case.world, case.target)
        if case.mechanism == "A":
            return _in_mirror(case, canvas, casters)
        where = widened(case.view.clean.mirrored)
        cover = Cover(case.solid, mirrored=False)
        unseen = Unseen(case.solid, before=None, mirrored=True)
        rules = base_rules(case, casters, classes=IN_MIRROR, cover=cover, unseen=unseen)
        return np.where(where[..., None], canvas.shades[0] + canvas.render(rules, where), canvas.clean)

    def explain(self, case: Case) -> str:
        """See the class."""
        return (
            f"A mirror shows whatever stands before it. The {case.body.name} stands before the mirror on the "
            f"back wall, but the mirror shows only empty ground in its place."
        )


class ReflectionAngleMismatch(Plain):
    """A mirror shows everything in the wrong place.

    A: it reflects as if it were turned about the vertical. B: it shows what an eye elsewhere would see in it.
    """

    category: Label = "reflection_angle_mismatch"

    def draw(self, rng: np.random.Generator, view: View, wish: int) -> Twins:
        """Draw the mirror's turn in degrees, and the move of the eye in m to the right that shifts as much.

        What the mirror shows of the object moves towards its middle, so that it stays to be seen.
        """
        side = 1.0 if view.world.params.bodies[wish].x > 0 else -1.0
        turn = side * float(rng.uniform(7, 11))
        away = view.world.mirror_y - view.world.camera.origin[1]
        drawn = Intervention(category=self.category, mechanism="A", target=wish, amount=turn)
        return twins(drawn, amount=float(-away * np.tan(np.radians(2 * turn))))

    def masks(self, case: Case) -> Masks:
        """The mirror; the objects before it are evidence."""
        clean = case.view.clean
        objects = (clean.what >= 0) & ~clean.mirrored
        return Masks(clean.mirrored, clean.mirrored | objects, widened(clean.mirrored))

    def paint(self, case: Case, canvas: Canvas) -> Image:
        """Render the mirror anew."""
        amount = case.intervention.amount
        changes: dict[str, object] = {}
        if case.mechanism == "A":
            angle = np.radians(amount)
            changes["mirror_normal"] = np.array([np.sin(angle), -np.cos(angle), 0.0])
        else:
            changes["mirror_eye"] = np.add(case.world.camera.origin, (amount, 0.0, 0.0))
        where = widened(case.view.clean.mirrored)
        image = canvas.render(base_rules(case, own_casters(case.world), **changes), where)
        return np.where(where[..., None], image, canvas.clean)

    def explain(self, case: Case) -> str:
        """See the class."""
        return (
            f"Light leaves a mirror at the angle at which it came, so a reflection must stand opposite its "
            f"object. The mirror on the back wall shows the {case.body.name} and all else shifted sideways."
        )


class WrongReflectedObjectIdentity(Plain):
    """A mirror shows another object.

    A: one of another shape and colour. B: one of the same shape and of another colour.
    """

    category: Label = "wrong_reflected_object_identity"

    def draw(self, rng: np.random.Generator, view: View, wish: int) -> Twins:
        """Draw what is mirrored in the object's place."""
        other, recoloured = stand_ins(rng, view.world.params, wish)
        drawn = Intervention(category=self.category, mechanism="A", target=wish, stand_in=other)
        return twins(drawn, stand_in=recoloured)

    def _stand_in(self, case: Case) -> BodyParams:
        assert case.intervention.stand_in is not None
        return case.intervention.stand_in

    def masks(self, case: Case) -> Masks:
        """What the mirror shows instead; the object, and where it should be seen, are evidence."""
        clean = case.view.clean
        after = look(case.world, replaced(case.world.solids, case.target, solid(self._stand_in(case))))
        affected = after.shows(case.target, mirrored=True) & clean.mirrored
        own = clean.shows(case.target) | clean.shows(case.target, mirrored=True)
        return Masks(affected, affected | own, widened(clean.mirrored))

    def shades(self, case: Case) -> tuple[Shade, ...]:
        """What isn't seen in the mirror."""
        return (Shade(own_casters(case.world), DIRECT),)

    def paint(self, case: Case, canvas: Canvas) -> Image:
        """Render the mirror anew."""
        other = self._stand_in(case)
        mirrored = Caster(solid(other), case.world.lamp, STAND_IN)
        casters = (*changed_casters(case.world, case.target), mirrored)
        return _in_mirror(case, canvas, casters, other)

    def explain(self, case: Case) -> str:
        """See the class."""
        return (
            f"A mirror shows the very objects that stand before it. Where it should show the "
            f"{case.body.name}, it shows {self._stand_in(case).name_with_article}."
        )


def _in_mirror(
    case: Case, canvas: Canvas, casters: tuple[Caster, ...], stand_in: BodyParams | None = None
) -> Image:
    """Return the clean image with another world in the mirror, in which the target is away."""
    where: Bool = widened(case.view.clean.mirrored)
    cover = Cover(case.solid, mirrored=False)
    # The camera sees the mirror through what only stands in its world.
    unseen = Unseen(solid(stand_in), before=None, mirrored=False) if stand_in else None
    rules = base_rules(case, casters, classes=IN_MIRROR, cover=cover, unseen=unseen)
    image = canvas.render(rules, where, replaced(case.world.solids, case.target, None), stand_in)
    return np.where(where[..., None], canvas.shades[0] + image, canvas.clean)
