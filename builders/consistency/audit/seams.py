"""Gradients and noise along boundaries of an image against elsewhere; boundaries are found, not given."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter, maximum_filter, median_filter

from builders.consistency.audit.pictures import Float, Picture

_SMOOTHING = 1.5  # pixels
_BOUNDARY_SHARE = 0.05
_NEAR = 4  # pixels on both sides of a boundary
_BANDS = 10
_HIGHEST = 10
_TINY = 1e-3


def seams(picture: Picture) -> Float:
    """Describe boundaries: slope, noise on and beside them, straight seams, and jumps of noise level.

    Returns:
        (8 + 6 + 4,).
    """
    return np.array(
        [
            *_boundaries(picture),
            *_straight(picture.gray),
            *_straight(picture.gray.T),
            *_jumps(picture.block_noise),
        ],
        np.float32,
    )


def _boundaries(picture: Picture) -> list[float]:
    """Compare boundaries, their surroundings and the rest."""
    slope = _slope(gaussian_filter(picture.gray, _SMOOTHING))[1:-1, 1:-1]
    fine = _slope(picture.gray)[1:-1, 1:-1]
    energy = (picture.residual**2).mean(axis=0)
    on = slope >= np.quantile(slope[::2, ::2], 1 - _BOUNDARY_SHARE)
    near = maximum_filter(on, 2 * _NEAR + 1) & ~on
    far = ~(on | near)
    ratios = [
        _log(_mean(values, part)) - _log(_mean(values, far))
        for values in (energy, fine)
        for part in (on, near)
    ]
    steepness = [_log(value) for value in np.quantile(slope[on], (0.5, 0.9, 0.99))]
    return [*ratios, *steepness, _log(_mean(fine, on)) - _log(_mean(slope, on))]


def _straight(gray: Float) -> list[float]:
    """Look for straight vertical seams: in bands, columns whose step stands out from those beside it."""
    step = np.abs(np.diff(gray, axis=1))
    profile = np.stack([band.mean(axis=0) for band in np.array_split(step, _BANDS)])
    above = profile - median_filter(profile, size=(1, 7))
    spread = np.median(np.abs(above), axis=1, keepdims=True) + _TINY
    highest = np.sort((above / spread).ravel())[-_HIGHEST:]
    return [_log(highest[-1]), _log(highest[0]), _log(highest.mean())]


def _jumps(levels: Float) -> list[float]:
    """Tell how much the noise level differs from block to block."""
    level = np.log(levels + _TINY)
    jumps = np.abs(np.concatenate([np.diff(level, axis=axis).ravel() for axis in (0, 1)]))
    return [*np.quantile(jumps, (0.5, 0.9, 0.99, 1.0))]


def _slope(image: Float) -> Float:
    down, right = np.gradient(image)
    return np.sqrt(down * down + right * right)


def _mean(values: Float, where: NDArray[np.bool_]) -> float:
    return float(values[where].mean()) if where.any() else 0.0


def _log(value: float) -> float:
    return float(np.log(max(float(value), 0.0) + _TINY))
