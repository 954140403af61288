"""Plain sRGB encoding; exposure belongs to the scene's lights."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def to_srgb(linear: NDArray[np.float32]) -> NDArray[np.float32]:
    """Encode linear RGB, clipped to [0, 1], as sRGB in [0, 1] (IEC 61966-2-1)."""
    value = np.clip(linear, 0, 1)
    return np.where(value <= 0.0031308, 12.92 * value, 1.055 * value ** (1 / 2.4) - 0.055).astype(np.float32)


def to_srgb8(linear: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Encode linear RGB, clipped to [0, 1], as 8-bit sRGB."""
    return np.rint(255 * to_srgb(linear)).astype(np.uint8)
