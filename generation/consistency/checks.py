"""What rendered images must fulfil: the violation shows, and nothing else does."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from generation.consistency.case import Bool, Masks
from generation.consistency.limits import BOUNDS, mask_misfit
from physprobe.consistency.vocabulary import Label

Frame = NDArray[np.uint8]

# Least mean change of sRGB where it is wrong; a difference that eyes see at once is a few hundredths.
LEAST_EFFECT = 0.05
# What lies beside a dark object must differ more to be noticed.
_STRONGER: dict[Label, float] = {"missing_contact_shadow": 1.4, "incorrect_specular_highlight": 1.4}
# Outside the influence: greatest mean change, and greatest share of pixels that change by more than _SEEN.
_OUTSIDE, _SEEN, _STRAY = 2e-4, 8 / 255, 5e-4
# Where an influence has nearly faded away, to below this weight: greatest change of the mean.
_SEAM, _FADED = 1.5 / 255, 0.03


def effect(clean: Frame, violated: Frame, where: Bool) -> float:
    """Return the mean absolute change in a mask, sRGB in [0, 1]."""
    return float(_change(clean, violated)[where].mean()) if where.any() else 0.0


def image_misfit(category: Label, clean: Frame, violated: Frame, masks: Masks) -> str:
    """Return why an image is no good, or "" if it is.

    Args:
        category: its label. clean, violated: (H, W, 3) sRGB. masks: of the violation.
    """
    broken = mask_misfit(masks, BOUNDS[category])
    if broken:
        return broken
    if effect(clean, violated, masks.affected) < LEAST_EFFECT * _STRONGER.get(category, 1.0):
        return "hardly visible"
    change = _change(clean, violated)
    outside = change[~masks.influence]
    if outside.mean() > _OUTSIDE or (outside > _SEEN).mean() > _STRAY:
        return "changes something else"
    if masks.fading is not None and seam(clean, violated, masks.fading) > _SEAM:
        return "a seam"
    return ""


def seam(clean: Frame, violated: Frame, weights: NDArray[np.float32]) -> float:
    """Return the change of the mean where a fading influence ends, sRGB in [0, 1]."""
    border = (weights > 0) & (weights < _FADED)
    signed = (violated.astype(np.float64) - clean)[border] / 255
    return float(np.abs(signed.mean(axis=0)).max()) if border.any() else 0.0


def _change(clean: Frame, violated: Frame) -> NDArray[np.float64]:
    """Return the absolute change of each pixel, mean over channels, (H, W) in [0, 1]."""
    change: NDArray[np.float64] = np.abs(violated.astype(np.float64) - clean).mean(axis=-1) / 255
    return change
