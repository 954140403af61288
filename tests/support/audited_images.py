"""Small image sets in the form of physical-consistency, in which a shortcut is planted, or none.

Scenes are a shaded ground with a box on it. A violation moves the box up, which says nothing to statistics of
noise or colour. ``plant`` then changes the violated images, and only those.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from builders.consistency.schema import DEFAULT
from builders.folder import ConfigEntry, config_entries
from builders.shards import write_config
from physprobe.consistency.vocabulary import CLEAN

Float = NDArray[np.float64]
Plant = Callable[[np.random.Generator, Float], Float]

SIZE = 64
NOISE = 4.0
VIOLATION = "floating_object"


def nothing(rng: np.random.Generator, image: Float) -> Float:
    """Leave the image as it is."""
    return image


def more_noise(rng: np.random.Generator, image: Float) -> Float:
    """Add half as much noise again."""
    return image + rng.normal(0, NOISE, image.shape)


def quiet_patch(rng: np.random.Generator, image: Float) -> Float:
    """Smooth a patch that lies anywhere, as if it came from a render with more samples."""
    top, left = rng.integers(4, SIZE - 36, 2)
    patch = image[top : top + 32, left : left + 32]
    patch[:] = patch.mean(axis=(0, 1)) + 0.2 * (patch - patch.mean(axis=(0, 1)))
    return image


def brighter_patch(rng: np.random.Generator, image: Float) -> Float:
    """Lift a patch that lies anywhere by a little less than the noise: a seam around it."""
    top, left = rng.integers(4, SIZE - 36, 2)
    image[top : top + 32, left : left + 32] += 3 * NOISE
    return image


def write_dataset(folder: Path, plants: Mapping[str, Plant], families: int = 20) -> ConfigEntry:
    """Write a default config and describe it.

    Args:
        folder: for the shards. plants: split -> what is done to its violated images. families: of each split.
    """
    rows = {split: list(_rows(split, plants[split], families)) for split in DEFAULT.splits}
    return config_entries({DEFAULT.name: write_config(folder, DEFAULT, rows)})[DEFAULT.name]


def _rows(split: str, plant: Plant, families: int) -> Iterator[dict[str, Any]]:
    for number in range(families):
        rng = np.random.default_rng([DEFAULT.splits.index(split), number])
        scene = _Scene(rng)
        for category in (CLEAN, VIOLATION):
            image = scene.draw(rng, floats=category == VIOLATION)
            if category == VIOLATION:
                image = plant(rng, image)
            yield _row(split, number, category, image)


class _Scene:
    """A ground and a box in colours of their own."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._ground, self._box = rng.uniform(80, 170, (2, 3))
        self._left, self._width = rng.integers(8, 24), rng.integers(12, 24)
        self._shade = rng.uniform(-15, 15)

    def draw(self, rng: np.random.Generator, *, floats: bool) -> Float:
        image = self._ground + np.linspace(-self._shade, self._shade, SIZE)[:, None, None]
        image = np.repeat(image, SIZE, axis=1)
        top = 20 if floats else 32
        image[top : top + 16, self._left : self._left + self._width] = self._box
        return image + rng.normal(0, NOISE, image.shape)


def _row(split: str, number: int, category: str, image: Float) -> dict[str, Any]:
    family_id = f"{split}_{number:03d}"
    image_id = f"{family_id}_{category}"
    data = io.BytesIO()
    Image.fromarray(np.clip(image, 0, 255).round().astype(np.uint8)).save(data, format="PNG")
    file = {"bytes": data.getvalue(), "path": f"{image_id}.png"}
    return {
        "image": file,
        "image_id": image_id,
        "family_id": family_id,
        "consistent": category == CLEAN,
        "category": category,
        "mechanism": None,
        "box": None,
        "affected_mask": file,
        "evidence_mask": file,
        "explanation": "",
        "parameters": "{}",
        "seed": 0,
    }
