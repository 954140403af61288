"""Denoises finished images, by Open Image Denoise.

The input is the 8-bit image that is scored, without albedo and normals: these exist only while a family is
rendered, and denoising there would make each generation an eighth longer for pictures that few want. Surfaces
have no texture, so the guides would add little: edges, shadows and reflections stay as they are, and what is
taken away looks like noise alone.
"""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from physprobe.errors import UserError

Pixels = NDArray[np.uint8]


def denoise_png(data: bytes) -> bytes:
    """Denoise a PNG (RGB, sRGB curve, 8 bits); the same bytes give the same bytes.

    Raises:
        UserError: Open Image Denoise is not installed. RuntimeError: it reports a failure.
    """
    with Image.open(io.BytesIO(data)) as image:
        pixels = np.asarray(image)
    result = io.BytesIO()
    Image.fromarray(denoise(pixels)).save(result, format="PNG", optimize=False, compress_level=6)
    return result.getvalue()


def denoise(pixels: Pixels) -> Pixels:
    """Remove Monte Carlo noise from an image, (H, W, 3) sRGB.

    Raises:
        UserError: Open Image Denoise is not installed. RuntimeError: it reports a failure.
    """
    from generation.rendering.denoise import denoise_finished

    try:
        return denoise_finished(pixels)
    except ImportError:
        raise UserError(
            "--presentation needs Open Image Denoise: install physprobe with its generation extra"
        ) from None
