"""What the reference models answer on conservationbench."""

from __future__ import annotations

from string import ascii_uppercase

import numpy as np

from physprobe.errors import UserError
from physprobe.harness.conservation.questions import Row


def reference_answer(kind: str, row: Row, rng: np.random.Generator) -> str:
    """Answer as a reference model does, in the shown letter format.

    A request that offers no options (a caption, the modality check) is answered truly by all of them.

    Args:
        kind: "oracle" (the truth), "chance" (any option), "invariance" (the quantity stayed the same),
            "change" (it did not; which way is drawn). rng: of this question.

    Raises:
        UserError: a kind that has no answer here.
    """
    if "relations" not in row:
        return row["answer"]
    claims = dict(zip(ascii_uppercase, row["relations"], strict=False))
    choices = {
        "oracle": [row["answer"]],
        "chance": list(claims),
        "invariance": [letter for letter, claim in claims.items() if claim == "same"],
        "change": [letter for letter, claim in claims.items() if claim in ("moved_more", "moved_less")],
    }
    if kind not in choices:
        raise UserError(
            f"physprobe_{kind} has no answer to questions of conservation: use {', '.join(choices)}"
        )
    letters = choices[kind]
    return f"({letters[rng.integers(len(letters))]})"
