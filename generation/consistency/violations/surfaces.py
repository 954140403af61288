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
    Twins,
    View,
    applied,
    replaced,
    turned_about,
    twins,
    widened,
)
from generation.consistency.params import Intervention, Point
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
from physprobe.consistency.vocabulary import Label

# Where the GGX distribution of normals is over a tenth of its peak, in units of its alpha.
_LOBE = 1.47
# Greatest share of a highlight's outline that is the object's, too.
_EDGE = 0.25
# Share of its way from below the eye that a highlight of mechanism B has before it is turned. There it is
# weaker than that of A, which a lamp this much nearer makes up for.
_MADE, _NEARER = 0.75, 0.955
# Their normals point everywhere, so that a highlight can be anywhere.
_ROUND = ("sphere", "ellipsoid")


class IncorrectSpecularHighlight(Plain):
    """The highlight on a glossy object isn't where the lamp puts it.

    A: it is that of a lamp on the other side. B: it is cut out of an image with a lamp elsewhere and laid
    down turned about the object, on the other side.
    """

    category: Label = "incorrect_specular_highlight"

    def draw(self, rng: np.random.Generator, view: View, wish: int) -> Twins | None:
        """Draw a place for the highlight of a round glossy object, degrees about it from the eye.

        Highlights lie midway between lamp and eye. That of B is made part of the way there, then turned.
        """
        bodies = view.world.params.bodies
        glossy = [k for k, b in enumerate(bodies) if b.surface == "plastic" and b.geometry in _ROUND]
        if not glossy:
            return None
        target = wish if wish in glossy else int(rng.choice(glossy))
        true = _between(view, target)
        place = float(-np.sign(true) * rng.uniform(28, 48))
        lamp = _lamp_at(view, target, 2 * place - true, 1.0)
        other = _lamp_at(view, target, 2 * _MADE * place - true, _NEARER)
        drawn = Intervention(category=self.category, mechanism="A", target=target, lamp=lamp)
        return twins(drawn, lamp=other, amount=(1 - _MADE) * place)

    def _lamp_and_eye(self, case: Case) -> tuple[Float, Float]:
        turn = turned_about(case.solid.center, np.radians(case.intervention.amount))
        assert case.intervention.lamp is not None
        lamp, eye = np.array(case.intervention.lamp), np.asarray(case.world.camera.origin)
        return applied(turn, lamp), applied(turn, eye)

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

    def draw(self, rng: np.random.Generator, view: View, wish: int) -> Twins | None:
        """Draw two objects of which one hides part of the other."""
        indices = range(len(view.world.solids))
        pairs = [(front, rear) for front in indices for rear in indices if _overlap(view, front, rear).any()]
        if not pairs:
            return None
        front, rear = pairs[int(rng.integers(len(pairs)))]
        return twins(Intervention(category=self.category, mechanism="A", target=rear, other=front))

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


def _between(view: View, target: int) -> float:
    """Return the angle from the eye to the lamp about an object's vertical, degrees in (-180, 180]."""
    center = view.world.solids[target].center
    eye, lamp = (point[:2] - center[:2] for point in (np.asarray(view.world.camera.origin), view.world.lamp))
    cross = eye[0] * lamp[1] - eye[1] * lamp[0]
    return float(np.degrees(np.arctan2(cross, eye @ lamp)))


def _lamp_at(view: View, target: int, degrees: float, distance: float) -> Point:
    """Return where the lamp would be if it were turned about an object, with its distance in parts of now."""
    center = view.world.solids[target].center
    turned = applied(turned_about(center, np.radians(degrees)), view.world.lamp)
    x, y, z = (float(v) for v in center + distance * (turned - center))
    return x, y, z


def _overlap(view: View, front: int, rear: int) -> Bool:
    """Return where an object directly hides another one, (H, W)."""
    return view.clean.shows(front) & view.without(front).shows(rear)


def _unit(vectors: Float) -> Float:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
