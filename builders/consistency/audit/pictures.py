"""A decoded image and what several features are made of."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Float = NDArray[np.float32]
Pixels = NDArray[np.uint8]

# Weights of Rec. 601, as in a PNG turned into shades of grey.
_LUMA = np.array([0.299, 0.587, 0.114], np.float32)
_BLOCK = 8  # pixels


@dataclass(frozen=True)
class Picture:
    """An image.

    Attributes:
        file_bytes: size of its PNG file. pixels: (H, W, 3) uint8.
    """

    file_bytes: int
    pixels: Pixels

    @cached_property
    def gray(self) -> Float:
        """Luma, (H, W) in [0, 255]."""
        return np.asarray(self.pixels.astype(np.float32) @ _LUMA)

    @cached_property
    def residual(self) -> Float:
        """What is left without smooth shading and straight edges, (3, H - 2, W - 2).

        The difference of two Laplacians, scaled so that white noise keeps its standard deviation (Immerkær
        1996, Fast Noise Variance Estimation).
        """
        values = np.moveaxis(self.pixels, -1, 0).astype(np.float32, order="C")
        across = values[..., 2:] - 2 * values[..., 1:-1] + values[..., :-2]
        return (across[:, 2:] - 2 * across[:, 1:-1] + across[:, :-2]) / 6

    @cached_property
    def block_noise(self) -> Float:
        """Noise of 8x8 blocks, (H // 8, W // 8): the median size of the residual, which edges don't lift."""
        size = np.abs(self.residual).mean(axis=0)
        rows, columns = (length // _BLOCK for length in size.shape)
        blocks = size[: rows * _BLOCK, : columns * _BLOCK].reshape(rows, _BLOCK, columns, _BLOCK)
        return np.median(blocks.swapaxes(1, 2).reshape(rows, columns, -1), axis=-1)

    def tiles(self, count: int) -> Float:
        """Return the means of tiles, (count, count, 3) in [0, 1]; no side has fewer pixels."""
        height, width = self.pixels.shape[:2]
        down, right = (np.arange(count) * length // count for length in (height, width))
        sums = np.add.reduceat(np.add.reduceat(self.pixels, down, 0, np.float32), right, 1)
        areas = np.outer(np.diff([*down, height]), np.diff([*right, width]))
        return np.asarray(sums / areas[..., None] / 255, np.float32)


def decode(data: bytes) -> Picture:
    """Decode a PNG.

    Raises:
        ValueError: it can't be decoded.
    """
    try:
        with Image.open(io.BytesIO(data)) as image:
            return Picture(len(data), np.asarray(image.convert("RGB")))
    except (OSError, SyntaxError) as error:
        raise ValueError(f"can't be decoded: {error}") from error
