"""Whether the config ``presentation`` shows the images of the default one, denoised."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from builders.consistency.audit.pictures import Picture, decode

Row = Mapping[str, Any]
Pixels = NDArray[np.uint8]

_TILES = 25
# Greatest change of a tile's mean, in [0, 1]; 0.013 was seen at 64 samples per pixel.
_CLOSE = 0.04
# Noise that may be left, of 255 and as a share of that before; 5 to 9% were seen.
_LEFT, _LEFT_SHARE = 0.5, 0.5


class _Original(NamedTuple):
    """What is remembered of a scored image: names, (width, height), tile means (25, 25, 3), noise."""

    split: str
    family_id: str
    category: str
    size: tuple[int, int]
    tiles: NDArray[np.float16]
    noise: float


class PresentationChecker:
    """Takes in the scored images, then looks at those that stand for them."""

    def __init__(self, wanted: bool) -> None:
        """Start with no image; do nothing at all for a dataset that has no such config."""
        self._wanted = wanted
        self._originals: dict[str, _Original] = {}
        self._shown: set[str] = set()

    def remember(self, split: str, row: Row, pixels: Pixels) -> None:
        """Take in a row of the default config and its decoded image, (H, W, 3)."""
        if not self._wanted:
            return
        names = split, row["family_id"], row["category"]
        self._originals[row["image_id"]] = _Original(*names, *_summary(Picture(0, pixels)))

    def visit(self, split: str, row: Row) -> Iterator[str]:
        """Take in a row of ``presentation``; yield what is wrong with it."""
        if not self._wanted:  # manifest.json lacks it: that is told already
            return
        self._shown.add(row["image_id"])
        original = self._originals.get(row["image_id"])
        if original is None:
            yield "the default config has no sound image of this name"
            return
        found = split, row["family_id"], row["category"]
        for what, value, expected in zip(("split", "family_id", "category"), found, original, strict=False):
            if value != expected:
                yield f"{what} is {value!r}, that of the scored image {expected!r}"
        if row["image"]["path"] != f"{row['image_id']}.png":
            yield f"image.path is {row['image']['path']!r}"
        yield from _picture_problems(row["image"]["bytes"], original)

    def finish(self) -> Iterator[str]:
        """Yield which scored images are missing."""
        missing = self._originals.keys() - self._shown
        yield from (f"presentation: image {image_id} is missing" for image_id in sorted(missing))


def _picture_problems(data: bytes, original: _Original) -> Iterator[str]:
    try:
        size, tiles, noise = _summary(decode(data))
    except ValueError as error:
        yield f"image {error}"
        return
    if size != original.size:
        yield f"image is {size[0]}x{size[1]}, the scored one {original.size[0]}x{original.size[1]}"
        return
    change = float(np.abs(tiles.astype(np.float32) - original.tiles).max())
    if change > _CLOSE:
        yield f"image differs from the scored one by {change:.3f} somewhere, not by noise alone"
    if noise > max(_LEFT, _LEFT_SHARE * original.noise):
        yield f"image is not denoised: noise is {noise:.2f}, that of the scored one {original.noise:.2f}"


def _summary(picture: Picture) -> tuple[tuple[int, int], NDArray[np.float16], float]:
    height, width = picture.pixels.shape[:2]
    return (width, height), picture.tiles(_TILES).astype(np.float16), float(picture.block_noise.mean())
