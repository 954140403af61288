"""Histograms of oriented gradients (Dalal & Triggs 2005), one vector for an image."""

from __future__ import annotations

import numpy as np

from builders.consistency.audit.pictures import Float

CELLS, ORIENTATIONS = 8, 9


def hog(image: Float) -> Float:
    """Describe an (H, W) image, both at least 16, by where its gradients point.

    Returns:
        (CELLS * CELLS * ORIENTATIONS,): strength by cell and orientation, from 0 to 180 degrees, as square
        roots of shares of the whole.
    """
    # Of every other row and column: enough for sums over cells, at a quarter of the cost.
    down, right = np.asarray(np.gradient(image))[:, ::2, ::2]
    strength = np.hypot(down, right)
    turn = np.arctan2(down, right) / np.pi % 1
    orientation = np.minimum((turn * ORIENTATIONS).astype(np.int32), ORIENTATIONS - 1)
    place = _cell(strength.shape[0])[:, None] * CELLS + _cell(strength.shape[1])
    index = (place * ORIENTATIONS + orientation).ravel()
    sums = np.bincount(index, strength.ravel(), CELLS * CELLS * ORIENTATIONS)
    return np.sqrt(sums / max(float(sums.sum()), 1e-9)).astype(np.float32)


def _cell(length: int) -> np.ndarray:
    """Return the cell of each row or column, (length,)."""
    return np.arange(length) * CELLS // length
