"""Whether questions can be answered from what is shown: the reference solver's answers beside the truth."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from builders.quantiphy.annotations import annotation_rows
from generation.quantiphy.questions import Question
from generation.quantiphy.records import Happening
from physprobe.quantiphy.geometry.observation import observe
from physprobe.quantiphy.geometry.solver import solve
from physprobe.quantiphy.mra import mean_relative_accuracy


@dataclass(frozen=True)
class Solved:
    """A question and how well the solver answers it.

    Attributes:
        error: relative, positive where its answer is too large. mra: in [0, 1].
    """

    question_id: str
    category: str
    quantity: str
    error: float
    mra: float


def solve_clip(clip: Happening, questions: Sequence[Question]) -> Iterator[Solved]:
    """Yield the solver's answers to a clip's questions, from what it may see of the clip's annotations."""
    seen = observe(annotation_rows(clip), fps=clip.fps, width=clip.width, height=clip.height)
    for question in questions:
        answer = solve(seen, question.question, question.prior, question.depth_info)
        (mra,) = mean_relative_accuracy(np.array([answer]), np.array([question.value])).tolist()
        error = answer / question.value - 1
        yield Solved(
            question.question_id, question.category, question.quantity, error, 0.0 if math.isnan(mra) else mra
        )
