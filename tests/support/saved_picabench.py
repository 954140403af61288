"""Results folders of PICABench, from answers given in a test: no image is needed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from physprobe.harness.picabench.marking import mark
from physprobe.picabench.metrics import SCORES
from tests.support.saved_answers import save_run

Row = Mapping[str, Any]
BOX = [0.25, 0.25, 0.75, 0.75]


def asked(number: int, truth: bool = True, **changes: Any) -> dict[str, Any]:
    """A row as the task hands it to ``mark``; two questions an image; the first image has boxes."""
    image = number // 2
    return {
        "question_id": f"{image}_{number % 2}",
        "image_id": str(image),
        "question": f"Is thing {number} right?",
        "truth": truth,
        "box": BOX if image == 0 else None,
        "box_problem": "",
        "factors": {
            "physics_category": "Optics" if image < 2 else "Mechanics",
            "physics_law": "Reflection" if image < 2 else "Deformation",
            "difficulty": "superficial",
            "edit_operation": "",
        },
        **changes,
    }


def said(yes: bool, box: Sequence[float] = BOX) -> str:
    """Answer in the form that is asked for."""
    return json.dumps({"answer": "Yes" if yes else "No", "box": list(box), "explanation": "Because."})


def right(row: Row) -> str:
    """Answer rightly."""
    return said(row["truth"])


def save_picabench(
    folder: Path, model: str, rows: Sequence[Row], answer: Callable[[Row], str] = right, **options: Any
) -> Path:
    """Save one model's answers, marked as the task does; return the results file."""
    told = {"dataset": {"name": "picabench", "version": "", "sha256": "1" * 64}}
    ours = {"benchmark": "picabench", "scores": SCORES, "marked": mark, "told": told}
    return save_run(folder, model, {"picabench": rows}, answer, **ours, **options)
