"""What several violations are painted with."""

from __future__ import annotations

import numpy as np

from generation.consistency.case import Bool, Canvas, Case, Image, replaced
from generation.consistency.render_rules import Caster, Cover, Layer, Rules, changed_casters

FEATHER = 0.06  # of the image's width


def base_rules(case: Case, casters: tuple[Caster, ...], **changes: object) -> Rules:
    """Return physics with some casters and other changes, one layer."""
    eye = np.asarray(case.world.camera.origin)
    classes = changes.pop("classes", None)
    layer = Layer(range(len(casters))) if classes is None else Layer(range(len(casters)), classes)  # type: ignore[arg-type]
    return Rules(casters, (layer,), **({"mirror_eye": eye} | changes))  # type: ignore[arg-type]


def near(case: Case, reach: float) -> Bool:
    """Return where ground or objects near the target are seen past it, in the mirror too, (H, W)."""
    sight = case.view.without(case.target)
    size = max(case.body.half_extents)
    distance = np.linalg.norm(sight.points - case.solid.center, axis=-1)
    result: Bool = sight.is_surface & (distance < reach * size)
    return result


def emptied(case: Case, canvas: Canvas, where: Bool, *instead: Caster) -> Image:
    """Render what is seen without the target, black where it would be; others may cast shadows instead."""
    others = changed_casters(case.world, case.target, *instead)
    rules = base_rules(case, others, cover=Cover(case.solid, mirrored=True))
    return canvas.render(rules, where, replaced(case.world.solids, case.target, None))
