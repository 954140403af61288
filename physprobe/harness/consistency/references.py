"""What the reference models answer to the questions of physical consistency."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from physprobe.consistency.boxes import WHOLE_IMAGE
from physprobe.consistency.vocabulary import CATEGORIES, CLEAN, LABELS, Label
from physprobe.errors import UserError
from physprobe.harness.consistency.questions import Row


def reference_answer(kind: str, row: Row, rng: np.random.Generator) -> str:
    """Answer as a reference model does, in the form that is asked for.

    Args:
        kind: "oracle" (the truth), "majority" (violated, as ten of eleven images are; all ten violations are
            equally frequent, so the first is named, over the whole image), "chance" (any label and box).
        row: of the question. rng: of this question.

    Raises:
        UserError: a kind that has no answer here.
    """
    if kind == "oracle":
        return diagnosis(row["category"], row["box"], row["explanation"])
    if kind == "majority":
        return without_place(next(iter(CATEGORIES)))
    if kind == "chance":
        label = LABELS[rng.integers(len(LABELS))]
        (left, right), (top, bottom) = np.sort(rng.random((2, 2)), axis=1).tolist()
        return diagnosis(label, (left, top, right, bottom), "Drawn by lot.")
    raise UserError(
        f"physprobe_{kind} has no answer to questions of physical_consistency: use oracle, majority or chance"
    )


def without_place(label: Label) -> str:
    """Answer for a model that tells a label and no place: the box is the whole image."""
    return diagnosis(label, WHOLE_IMAGE, "This model tells no reason.")


def diagnosis(label: str, box: Sequence[float] | None, explanation: str) -> str:
    """Write an answer in the form that is asked for."""
    consistent = label == CLEAN
    return json.dumps(
        {
            "consistent": consistent,
            "category": label,
            "box": None if consistent or box is None else list(box),
            "explanation": explanation,
        }
    )
