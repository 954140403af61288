"""Rectangles and lists of pixels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generation.scene import Camera

Int = NDArray[np.int64]


@dataclass(frozen=True)
class Window:
    """A rectangle of pixels: columns [x, x + width), rows [y, y + height)."""

    x: int
    y: int
    width: int
    height: int

    @property
    def slices(self) -> tuple[slice, slice]:
        """Index of the rectangle in an (H, W, ...) image."""
        return slice(self.y, self.y + self.height), slice(self.x, self.x + self.width)

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width."""
        return self.height, self.width

    def pixels(self, mask: NDArray[np.bool_] | None = None) -> Int:
        """Return column and row in the image, row by row, of all pixels or those in a (h, w) mask: (N, 2)."""
        inside = np.ones(self.shape, dtype=bool) if mask is None else mask
        return np.argwhere(inside)[:, ::-1] + (self.x, self.y)


def around(mask: NDArray[np.bool_], margin: int) -> Window:
    """Return the window that holds the pixels of an (H, W) mask (at least one), with a margin."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    top, left = max(int(rows[0]) - margin, 0), max(int(columns[0]) - margin, 0)
    bottom = min(int(rows[-1]) + 1 + margin, mask.shape[0])
    right = min(int(columns[-1]) + 1 + margin, mask.shape[1])
    return Window(left, top, right - left, bottom - top)


def whole(camera: Camera) -> Window:
    """Return the window that is the whole image."""
    return Window(0, 0, camera.width, camera.height)
