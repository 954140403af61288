"""What must hold in a row of physical-consistency: labels, box, masks, and pixels against the clean image."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from builders.consistency.schema import INTERVENTION
from physprobe.consistency.vocabulary import CLEAN, LABELS, MECHANISMS

Row = Mapping[str, Any]
Pixels = NDArray[np.uint8]
Bool = NDArray[np.bool_]

# Least mean change of sRGB in the affected mask, in [0, 1]: less is not seen.
_VISIBLE = 0.03
_EXACT = 1e-9


@dataclass(frozen=True)
class Pictures:
    """A row's pictures: image (H, W, 3); affected, evidence (H, W)."""

    image: Pixels
    affected: Bool
    evidence: Bool


def label_problems(row: Row, split: str) -> Iterator[str]:
    """Yield what is wrong with names, labels, texts."""
    clean = row["category"] == CLEAN
    if row["category"] not in LABELS:
        yield f"category is {row['category']!r}"
    expected = {
        "image_id": f"{row['family_id']}_{row['category']}",
        "consistent": clean,
        "mechanism": None if clean else MECHANISMS[split == INTERVENTION],
    }
    for name, value in expected.items():
        if row[name] != value:
            yield f"{name} is {row[name]!r}, not {value!r}"
    endings = {"image": "", "affected_mask": "_affected", "evidence_mask": "_evidence"}
    for name, ending in endings.items():
        if row[name]["path"] != f"{row['image_id']}{ending}.png":
            yield f"{name}.path is {row[name]['path']!r}"
    yield from _text_problems(row)


def _text_problems(row: Row) -> Iterator[str]:
    try:
        parameters = json.loads(row["parameters"])
    except ValueError:
        parameters = None
    if not isinstance(parameters, dict):
        yield "parameters are not a JSON object"
        return
    names = {body.get("color_name") for body in parameters.get("bodies", ())}
    if row["category"] != CLEAN and not any(f" {name} " in row["explanation"] for name in names):
        yield "explanation names none of the objects"
    if not row["explanation"].strip():
        yield "explanation is empty"


def read_pictures(row: Row) -> Pictures:
    """Decode a row's pictures.

    Raises:
        ValueError: one can't be decoded, is no PNG of its kind, or of another size than the others.
    """
    image = _decode("image", row["image"]["bytes"], "RGB")
    affected = _mask("affected_mask", row["affected_mask"]["bytes"])
    evidence = _mask("evidence_mask", row["evidence_mask"]["bytes"])
    if not image.shape[:2] == affected.shape == evidence.shape:
        raise ValueError(f"image is {_size(image)}, masks are {_size(affected)} and {_size(evidence)}")
    return Pictures(image, affected, evidence)


def picture_problems(row: Row, pictures: Pictures) -> Iterator[str]:
    """Yield what is wrong with masks and box, and with the size that the parameters tell."""
    affected, evidence = pictures.affected, pictures.evidence
    height, width = affected.shape
    parameters = json.loads(row["parameters"])
    if (width, height) != (parameters.get("width"), parameters.get("height")):
        yield f"image is {width}x{height}, its parameters say another size"
    if row["category"] == CLEAN:
        if affected.any() or evidence.any() or row["box"] is not None:
            yield "a clean image has masks or a box"
        return
    if not affected.any():
        yield "affected_mask is empty"
        return
    if (affected & ~evidence).any():
        yield "evidence_mask doesn't contain affected_mask"
    tight = tight_box(affected)
    if row["box"] is None or not np.allclose([*row["box"]], tight, rtol=0, atol=_EXACT):
        yield f"box is {row['box']}, that of affected_mask is {[round(value, 4) for value in tight]}"


def visibility_problems(clean: Pixels, pictures: Pictures) -> Iterator[str]:
    """Yield what is wrong with a violated image beside the clean one of its family, (H, W, 3)."""
    if clean.shape != pictures.image.shape:
        yield "the clean image has another size"
        return
    inside = effect(clean, pictures)
    if inside < _VISIBLE:
        yield f"it differs from the clean image by {inside:.3f} in affected_mask: nothing is seen"


def effect(clean: Pixels, pictures: Pictures) -> float:
    """Return the mean change in the affected mask against a clean image of the same size, sRGB in [0, 1]."""
    change = np.abs(pictures.image.astype(np.int16) - clean).mean(axis=-1) / 255
    return float(change[pictures.affected].mean()) if pictures.affected.any() else 0.0


def tight_box(mask: Bool) -> tuple[float, float, float, float]:
    """Return the normalised box (x_min, y_min, x_max, y_max) of a mask with at least one pixel."""
    height, width = mask.shape
    rows, columns = np.nonzero(mask)
    left, right, top, bottom = columns.min(), columns.max() + 1, rows.min(), rows.max() + 1
    return float(left / width), float(top / height), float(right / width), float(bottom / height)


def _mask(name: str, data: bytes) -> Bool:
    pixels = _decode(name, data, "L")
    if not np.isin(pixels, (0, 255)).all():
        raise ValueError(f"{name} has values other than 0 and 255")
    mask: Bool = pixels > 0
    return mask


def _decode(name: str, data: bytes, mode: str) -> Pixels:
    try:
        with Image.open(io.BytesIO(data)) as image:
            if (image.format, image.mode) != ("PNG", mode):
                raise ValueError(f"{name} is {image.format} of mode {image.mode}, not PNG of mode {mode}")
            return np.asarray(image)
    except (OSError, SyntaxError) as error:
        raise ValueError(f"{name} can't be decoded: {error}") from error


def _size(pixels: NDArray[Any]) -> str:
    return f"{pixels.shape[1]}x{pixels.shape[0]}"
