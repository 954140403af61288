"""What the reference models answer to the questions of PICABench."""

from __future__ import annotations

import json

import numpy as np

from physprobe.consistency.boxes import WHOLE_IMAGE
from physprobe.errors import UserError
from physprobe.harness.picabench.layout import Row


def reference_answer(kind: str, row: Row, rng: np.random.Generator) -> str:
    """Answer as a reference model does, in the form that is asked for.

    Args:
        kind: "oracle" (the truth; the whole image where no box is annotated), "chance" (yes or no, any box).
        row: of the question. rng: of this question.

    Raises:
        UserError: a kind that has no answer here.
    """
    if kind == "oracle":
        return _reply(row["truth"], row["box"] or list(WHOLE_IMAGE))
    if kind == "chance":
        (left, right), (top, bottom) = np.sort(rng.random((2, 2)), axis=1).tolist()
        return _reply(bool(rng.integers(2)), [left, top, right, bottom])
    raise UserError(f"physprobe_{kind} has no answer to questions of picabench: use oracle or chance")


def _reply(yes: bool, box: list[float]) -> str:
    return json.dumps({"answer": "Yes" if yes else "No", "box": box, "explanation": "A reference model."})
