"""Rows of physical-consistency, from families."""

from __future__ import annotations

import functools
import io
import json
from collections.abc import Iterator
from typing import Any

from PIL import Image

from builders.consistency.denoise import denoise_png
from builders.consistency.source import Rendered
from generation.consistency.records import FileRecord, ImageRecord
from physprobe.consistency.vocabulary import CLEAN


def image_rows(family: Rendered) -> Iterator[dict[str, Any]]:
    """Yield a family's rows, the clean image first, reading each file when its turn comes.

    Raises:
        UserError: an image or a mask is missing or was changed.
    """
    parameters = json.dumps(family.record.parameters.model_dump(mode="json"), sort_keys=True)
    for image in family.record.images:
        yield {
            "image": _file(family.read(image.image), f"{image.image_id}.png"),
            "image_id": image.image_id,
            "family_id": family.record.family_id,
            "consistent": image.category == CLEAN,
            "category": image.category,
            "mechanism": image.mechanism,
            "box": None if image.box is None else list(image.box),
            "affected_mask": _mask(family, image, image.affected_mask, "affected"),
            "evidence_mask": _mask(family, image, image.evidence_mask, "evidence"),
            "explanation": image.explanation,
            "parameters": parameters,
            "seed": family.record.seed,
        }


def presentation_rows(family: Rendered) -> Iterator[dict[str, Any]]:
    """Yield a family's rows in the config ``presentation``, in the same order, denoising one image at a time.

    Raises:
        UserError: an image is missing or was changed, or there is no denoiser.
    """
    for image in family.record.images:
        yield {
            "image": _file(denoise_png(family.read(image.image)), f"{image.image_id}.png"),
            "image_id": image.image_id,
            "family_id": family.record.family_id,
            "category": image.category,
        }


def _mask(family: Rendered, image: ImageRecord, mask: FileRecord | None, name: str) -> dict[str, Any]:
    """Return a mask; that of a clean image is empty, so that every row has one."""
    size = family.record.parameters.width, family.record.parameters.height
    data = _empty(size) if mask is None else family.read(mask)
    return _file(data, f"{image.image_id}_{name}.png")


def _file(data: bytes, path: str) -> dict[str, Any]:
    return {"bytes": data, "path": path}


@functools.cache
def _empty(size: tuple[int, int]) -> bytes:
    data = io.BytesIO()
    Image.new("L", size).save(data, format="PNG")
    return data.getvalue()
