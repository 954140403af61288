"""Three tiny made examples in the public form of PICABench, as a folder and as a data set."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import yaml
from PIL import Image

from builders.schema import FILE

WIDTH, HEIGHT = 80, 40


def pair(question: str, answer: str, *box: float) -> dict[str, Any]:
    return {
        "question": question,
        "answer": answer,
        "box": dict(zip(("x", "y", "width", "height"), box, strict=True)),
    }


RECORDS: tuple[dict[str, Any], ...] = (
    {
        "index": 7,
        "input_path": "input_img/00007.jpg",
        "output_path": "output_img/00007.png",
        "edit_instruction": "Remove the lamp from the desk.",
        "physics_category": "Optics",
        "physics_law": "Light_Propagation",
        "edit_operation": "remove",
        "difficulty": "superficial",
        "annotated_qa_pairs": [
            pair("Is the lamp's shadow still on the desk?", "No", 20, 10, 40, 20),
            pair("Is the desk evenly lit?", "Yes", 0, 0, 80, 40),
        ],
        "edit_area": "unknown",
    },
    {
        "index": 8,
        "input_path": "input_img/00008.jpg",
        "output_path": "output_img/00008.png",
        "edit_instruction": "Take away the table under the vase.",
        "physics_category": "Mechanics",
        "physics_law": "Causality",
        "edit_operation": "remove",
        "difficulty": "explicit",
        "annotated_qa_pairs": [
            pair("Does the vase lie on the floor?", "Yes", 40, 20, 40.6, 20),  # within a pixel of the border
            pair("Is the vase in the air?", "No", 40, 20, 60, 20),  # outside
        ],
        "edit_area": [{"x": 1.0, "y": 2.0, "width": 3.0, "height": 4.0, "id": "a", "order": 1}],
    },
    {
        "index": 9,
        "input_path": "input_img/00009.jpg",
        "output_path": None,  # the editor failed
        "edit_instruction": "Freeze the lake.",
        "physics_category": "State",
        "physics_law": "Global",
        "edit_operation": "frozen",
        "difficulty": "intermediate",
        "annotated_qa_pairs": [pair("Are there waves?", "No", 0, 0, 10, 10)],
        "edit_area": "unknown",
    },
)
QUESTIONS = 4  # on edited images that are there


def picture(number: int) -> Image.Image:
    return Image.new("RGB", (WIDTH, HEIGHT), (40 * number % 256, 90, 200))


def make_folder(folder: Path) -> Path:
    """Write meta_info.json and the edited images, as PICABench's tools do."""
    (folder / "output_img").mkdir(parents=True)
    for record in RECORDS:
        if record["output_path"]:
            picture(record["index"]).save(folder / record["output_path"])
    (folder / "meta_info.json").write_text(json.dumps(RECORDS))
    return folder


def make_dataset(folder: Path, embedded: bool) -> Path:
    """Write a data set with the public columns, and with the edited images in it or not."""
    rows = []
    for record in RECORDS:
        kept = {
            k: v for k, v in record.items() if k not in ("index", "input_path", "output_path", "edit_area")
        }
        rows.append({**kept, "input_image": _png(picture(0))})
        if embedded:
            rows[-1]["output_image"] = _png(picture(record["index"])) if record["output_path"] else None
    table = pa.Table.from_pylist(rows)
    for name in ("input_image", *(("output_image",) if embedded else ())):
        table = table.set_column(table.column_names.index(name), name, table[name].cast(FILE))
    (folder / "data").mkdir(parents=True)
    pq.write_table(table, folder / "data" / "picabench-00000-of-00001.parquet")
    config = {"config_name": "default", "data_files": [{"split": "picabench", "path": "data/picabench-*"}]}
    (folder / "README.md").write_text(f"---\n{yaml.safe_dump({'configs': [config]})}---\n")
    return folder


def make_edited(folder: Path) -> Path:
    """Write the edited images under their row numbers, in different ways."""
    folder.mkdir(parents=True)
    picture(7).save(folder / "00000.jpg")
    picture(8).save(folder / "1.png")
    return folder


def _png(image: Image.Image) -> dict[str, Any]:
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return {"bytes": buffer.getvalue(), "path": None}
