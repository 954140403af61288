"""A small data set of physical consistency in the form that builders give it: drawn, not rendered.

Each family is a disc and its shadow on the ground; each label moves, recolours or removes something in a box
of its own. Enough to tell images apart, not to be anybody's benchmark.
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import yaml
from PIL import Image, ImageDraw

from builders.schema import FILE
from physprobe.consistency.vocabulary import CLEAN, LABELS, SPLITS

SIZE = 48
FAMILIES = 2  # of each split
IMAGES = ("image", "affected_mask", "evidence_mask")
COLUMNS = {
    "image": FILE, "image_id": pa.string(), "family_id": pa.string(), "consistent": pa.bool_(),
    "category": pa.string(), "mechanism": pa.string(), "box": pa.list_(pa.float64()), "affected_mask": FILE,
    "evidence_mask": FILE, "explanation": pa.string(), "parameters": pa.string(), "seed": pa.int64(),
}  # fmt: skip


def image_rows(split: str, families: int = FAMILIES) -> list[dict[str, Any]]:
    return [_row(split, family, label) for family in range(families) for label in LABELS]


def make_consistency(folder: Path, families: int = FAMILIES) -> Path:
    """Write the data set below ``folder`` and return what PHYSPROBE_DATA should be."""
    target = folder / "datasets" / "physical-consistency"
    for split in SPLITS:
        path = target / "data" / f"{split}-00000-of-00001.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_pylist(image_rows(split, families), pa.schema(COLUMNS)), path)
    files = [{"split": split, "path": f"data/{split}-*.parquet"} for split in SPLITS]
    card = {
        "configs": [{"config_name": "default", "default": True, "data_files": files}],
        "dataset_info": [{"config_name": "default", "features": [_feature(name) for name in COLUMNS]}],
    }
    (target / "README.md").write_text(f"---\n{yaml.safe_dump(card)}---\n")
    return folder / "datasets"


def true_box(family: int, label: str) -> list[float] | None:
    """Where label's change lies: a quarter of the picture, another one for neighbours."""
    if label == CLEAN:
        return None
    left, top = 0.5 * (LABELS.index(label) % 2), 0.25 * (family % 2)
    return [left, top, left + 0.5, top + 0.5]


def _row(split: str, family: int, label: str) -> dict[str, Any]:
    family_id, box = f"{split}_{family:04d}", true_box(family, label)
    picture, mask = _draw(split, family, label)
    told = "Everything agrees." if box is None else f"The disc {family} shows: {label.replace('_', ' ')}."
    return {
        "image": _png(picture, f"{family_id}_{label}.png"),
        "image_id": f"{family_id}__{label}",
        "family_id": family_id,
        "consistent": box is None,
        "category": label,
        "mechanism": None if box is None else "B" if split == "test_intervention" else "A",
        "box": box,
        "affected_mask": _png(mask, "affected.png"),
        "evidence_mask": _png(mask, "evidence.png"),
        "explanation": told,
        "parameters": json.dumps({"family": family}),
        "seed": 0,
    }


def _draw(split: str, family: int, label: str) -> tuple[Image.Image, Image.Image]:
    picture = Image.new("RGB", (SIZE, SIZE), (150 + 10 * SPLITS.index(split), 170, 190))
    pen = ImageDraw.Draw(picture)
    pen.ellipse((22, 30, 44, 38), fill=(90, 90, 90))
    pen.ellipse((12, 12, 34, 34), fill=(200, 60 + 20 * family, 60))
    mask = Image.new("L", (SIZE, SIZE), 0)
    box = true_box(family, label)
    if box is not None:
        corners = tuple(round(SIZE * bound) for bound in box)
        ImageDraw.Draw(mask).rectangle(corners, fill=255)
        pen.rectangle(corners, outline=(20 * LABELS.index(label), 0, 255 - 20 * LABELS.index(label)))
    return picture, mask


def _png(picture: Image.Image, path: str) -> dict[str, Any]:
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return {"bytes": buffer.getvalue(), "path": path}


def _feature(name: str) -> dict[str, Any]:
    if name in IMAGES:
        return {"name": name, "dtype": "image"}
    if name == "box":
        return {"name": name, "sequence": "float64"}
    return {
        "name": name,
        "dtype": "bool" if name == "consistent" else "int64" if name == "seed" else "string",
    }
