"""Highlights in the wrong place, and far things before near ones."""

from __future__ import annotations

import numpy as np

from generation.consistency.case import (
    Bool,
    Canvas,
    Case,
    Float,
    Image,
    Masks,
    Plain,
    View,
    applied,
    replaced,
    turned_about,
    widened,
)
from generation.consistency.params import Intervention
from generation.consistency.render_rules import (
    EVERYTHING,
    Relight,
    Rules,
    Unseen,
    changed_casters,
    own_casters,
    seen,
)
from generation.consistency.sight import surface_normals
from generation.consistency.violations.painting import base_rules
from physprobe.consistency.vocabulary import Label, Mechanism

# Where the GGX distribution of normals is over a tenth of its peak, in units of its alpha.
_LOBE = 1.47
# Greatest share of a highlight's outline that is the object's, too.
_EDGE = 0.25
_ROUND = ("sphere", "ellipsoid", "cylinder")


class IncorrectSpecularHighlight(Plain):
    """The highlight on a glossy object isn't where the lamp puts it.

    A: it is that of a lamp elsewhere. B: it is cut out as it is and laid down again, turned about the object.
    """

    category: Label = "incorrect_specular_highlight"

    def draw(self, rng: np.random.Generator, view: View, mechanism: Mechanism) -> Intervention | None:
        """Draw a round glossy object and a turn in degrees about it."""
        bodies = view.world.params.bodies
        glossy = [k for k, b in enumerate(bodies) if b.surface == "plastic" and b.geometry in _ROUND]
        if not glossy:
            return None
        target = int(rng.choice(glossy))
        # Highlights lie midway between lamp and eye: these, on the side that the camera sees.
        middle = float(rng.uniform(-45, 45))
        lamp = (view.world.params.lamp.azimuth_deg + 180) % 360 - 180
        angle = 2 * middle - lamp if mechanism == "A" else middle - lamp / 2
        return Intervention(category=self.category, mechanism=mechanism, target=target, amount=angle)

    def _lamp_and_eye(self, case: Case) -> tuple[Float, Float]:
        turn = turned_about(case.solid.center, np.radians(case.intervention.amount))
        eye = np.asarray(case.world.camera.origin)
        return applied(turn, case.world.lamp), eye if case.mechanism == "A" else applied(turn, eye)

    def highlight(self, case: Case, lamp: Float, eye: Float) -> Bool:
        """Return where the target's highlight is seen, (H, W)."""
        mine = case.view.clean.shows(case.target)
        points = case.view.clean.points[mine]
        normals = surface_normals(case.solid, points)
        to_lamp, to_eye = _unit(lamp - points), _unit(eye - points)
        half = _unit(to_lamp + to_eye)
        cosine = np.sum(normals * half, axis=1)
        tangent = np.sqrt(np.maximum(1 - cosine**2, 0)) / np.maximum(cosine, 1e-6)
        lit = (np.sum(normals * to_lamp, axis=1) > 0) & (np.sum(normals * to_eye, axis=1) > 0)
        result = np.zeros_like(mine)
        result[mine] = lit & (cosine > 0) & (tangent < _LOBE * case.body.roughness)
        return result

    def masks(self, case: Case) -> Masks:
        """The wrong highlight; the object, its shadow and the true highlight are evidence."""
        clean = case.view.clean
        wrong = self.highlight(case, *self._lamp_and_eye(case))
        mine = clean.shows(case.target)
        shadow = case.view.shadow_of(case.target) & ~clean.mirrored
        return Masks(wrong, mine | shadow, widened(mine))

    def misfit(self, case: Case, masks: Masks) -> str:
        """The true highlight must be elsewhere, and the wrong one must not be cut off."""
        true = self.highlight(case, case.world.lamp, np.asarray(case.world.camera.origin))
        if (true & masks.affected).any():
            return "where it should be"
        ring = widened(masks.affected) & ~masks.affected
        beyond = ring & ~case.view.clean.shows(case.target)
        return "at the object's edge" if beyond.sum() > _EDGE * ring.sum() else ""

    def paint(self, case: Case, canvas: Canvas) -> Image:
        """Shade the object anew."""
        lamp, eye = self._lamp_and_eye(case)
        relight = Relight(seen(case.target, mirrored=False), case.world.lamp, lamp, eye)
        where = widened(case.view.clean.shows(case.target))
        image = canvas.render(base_rules(case, own_casters(case.world), relight=relight), where)
        return np.where(where[..., None], image, canvas.clean)

    def explain(self, case: Case) -> str:
        """See the class."""
        return (
            f"A glossy surface shows the lamp where it reflects it to the eye. The bright spot on the "
            f"{case.body.name} isn't where the lamp that casts the shadows would appear."
        )


class ImpossibleOcclusionOrder(Plain):
    """An object farther away covers a nearer one.

    A: eye rays pass through the nearer one wherever the farther one is behind it. B: the farther one is taken
    from a render without the nearer one and laid over it.
    """

    category: Label = "impossible_occlusion_order"

    def draw(self, rng: np.random.Generator, view: View, mechanism: Mechanism) -> Intervention | None:
        """Draw two objects of which one hides part of the other."""
        indices = range(len(view.world.solids))
        pairs = [(front, rear) for front in indices for rear in indices if _overlap(view, front, rear).any()]
        if not pairs:
            return None
        front, rear = pairs[int(rng.integers(len(pairs)))]
        return Intervention(category=self.category, mechanism=mechanism, target=rear, other=front)

    def masks(self, case: Case) -> Masks:
        """Where the farther one covers the nearer one; both are evidence."""
        front, clean = case.intervention.other, case.view.clean
        affected = _overlap(case.view, front, case.target)
        return Masks(affected, affected | clean.shows(front) | clean.shows(case.target), widened(affected))

    def _rules(self, case: Case, classes: int) -> Rules:
        front = case.world.solids[case.intervention.other]
        unseen = Unseen(front, before=case.solid, mirrored=False)
        return base_rules(case, own_casters(case.world), unseen=unseen, classes=classes)

    def paint(self, case: Case, canvas: Canvas) -> Image:
        """Render the overlap anew."""
        where = widened(_overlap(case.view, case.intervention.other, case.target))
        if case.mechanism == "A":
            image = canvas.render(self._rules(case, EVERYTHING), where)
        else:
            image = self._laid_over(case, canvas, where)
        return np.where(where[..., None], image, canvas.clean)

    def _laid_over(self, case: Case, canvas: Canvas, where: Bool) -> Image:
        front, rear = case.intervention.other, seen(case.target, mirrored=False)
        around = canvas.render(self._rules(case, EVERYTHING ^ rear), where)
        alone = base_rules(case, changed_casters(case.world, front), classes=rear)
        return around + canvas.render(alone, where, replaced(case.world.solids, front, None))

    def explain(self, case: Case) -> str:
        """See the class."""
        front = case.params.bodies[case.intervention.other].name
        return (
            f"A nearer opaque object hides what is behind it. The {case.body.name} stands farther away, as "
            f"its foot on the ground shows, yet it covers the {front} in front of it."
        )


def _overlap(view: View, front: int, rear: int) -> Bool:
    """Return where an object directly hides another one, (H, W)."""
    return view.clean.shows(front) & view.without(front).shows(rear)


def _unit(vectors: Float) -> Float:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
