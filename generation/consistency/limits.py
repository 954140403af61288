"""What a scene and a violation must fulfil to be seen, all from geometry."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from generation.consistency.case import Case, Masks, Twins, View, touches_border
from generation.consistency.catalog import VIOLATIONS
from generation.consistency.params import BodyParams
from physprobe.consistency.vocabulary import Label

Bool = NDArray[np.bool_]

# Objects: least share of the image directly, and in the mirror.
_OBJECT, _REFLECTED = 0.01, 0.0035
# Greatest ratio of a violation's areas by the two mechanisms in the same scene.
_UNLIKE = 1.3
# Ground between objects, m.
GAP = 0.06


@dataclass(frozen=True)
class Bounds:
    """Limits of an affected mask.

    Attributes:
        area: least and greatest share of the image. box: greatest share of its box.
        whole: least share of the mask in its largest connected part.
    """

    area: tuple[float, float]
    box: float = 0.35
    whole: float = 0.7


BOUNDS: dict[Label, Bounds] = {
    "wrong_shadow_direction": Bounds((0.008, 0.2)),
    "missing_cast_shadow": Bounds((0.01, 0.2)),
    "floating_object": Bounds((0.008, 0.12)),
    "shadow_illumination_inconsistency": Bounds((0.012, 0.3), box=0.8, whole=0.2),
    "missing_reflection": Bounds((0.003, 0.06)),
    "reflection_angle_mismatch": Bounds((0.05, 0.35), box=0.5),
    "incorrect_specular_highlight": Bounds((0.0006, 0.02)),
    "wrong_reflected_object_identity": Bounds((0.003, 0.06)),
    "impossible_occlusion_order": Bounds((0.005, 0.05)),
    "missing_contact_shadow": Bounds((0.004, 0.04), whole=0.6),
}


def scene_misfit(view: View) -> str:
    """Return why a scene is no good, or "" if it is."""
    if not are_apart(view.world.params.bodies):
        return "objects too close"
    for index in range(len(view.world.solids)):
        alone, seen = view.clean.shows(index), view.clean.shows(index, mirrored=True)
        if alone.mean() < _OBJECT:
            return "an object hardly seen"
        if touches_border(alone):
            return "an object cut off"
        if seen.mean() < _REFLECTED:
            return "a reflection hardly seen"
    return ""


def twin_misfit(view: View, drawn: Twins) -> str:
    """Return why a violation isn't as good by either mechanism, or "" if it is."""
    areas = []
    for intervention in drawn.values():
        case = Case(view, intervention)
        masks = VIOLATIONS[intervention.category].masks(case)
        reason = _misfit(case, masks)
        if reason:
            return reason
        areas.append(masks.affected.mean())
    return "mechanisms differ in area" if max(areas) > _UNLIKE * min(areas) else ""


def misfit(case: Case) -> str:
    """Return why a violation can't be seen well, or "" if it can."""
    return _misfit(case, VIOLATIONS[case.intervention.category].masks(case))


def _misfit(case: Case, masks: Masks) -> str:
    violation = VIOLATIONS[case.intervention.category]
    return mask_misfit(masks, BOUNDS[violation.category]) or violation.misfit(case, masks)


def mask_misfit(masks: Masks, bounds: Bounds) -> str:
    """Return which bound an affected mask breaks, or ""."""
    mask = masks.affected
    low, high = bounds.area
    if mask.mean() < low:
        return "too small"
    if mask.mean() > high:
        return "too large"
    if box_area(mask) > bounds.box:
        return "box too large"
    if largest_part(mask) < bounds.whole:
        return "in pieces"
    return ""


def box_of(mask: Bool) -> tuple[float, float, float, float]:
    """Return the tight normalised box (x_min, y_min, x_max, y_max) of a mask with at least one pixel."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    height, width = mask.shape
    return (
        float(columns[0] / width),
        float(rows[0] / height),
        float((columns[-1] + 1) / width),
        float((rows[-1] + 1) / height),
    )


def box_area(mask: Bool) -> float:
    """Return the share of the image that a mask's box takes."""
    left, top, right, bottom = box_of(mask)
    return (right - left) * (bottom - top)


def largest_part(mask: Bool) -> float:
    """Return the share of a mask in its largest connected part."""
    labels, count = ndimage.label(mask, np.ones((3, 3)))
    sizes = np.bincount(labels.ravel())[1:] if count else np.zeros(1)
    return float(sizes.max() / max(mask.sum(), 1))


def are_apart(bodies: tuple[BodyParams, ...]) -> bool:
    """Whether objects leave some m between each other on the ground."""
    return all(
        np.hypot(a.x - b.x, a.y - b.y) > footprint(a) + footprint(b) + GAP for a, b in combinations(bodies, 2)
    )


def footprint(drawn: BodyParams) -> float:
    """Return the radius of the circle that an object stands in, m."""
    width, depth, _ = drawn.half_extents
    return float(np.hypot(width, depth)) if drawn.geometry in ("cube", "box") else max(width, depth)
