"""The public form of PICABench, checked and made into questions.

A record holds index, output_path (the edited image), edit_instruction, physics_category, physics_law,
edit_operation, difficulty, and annotated_qa_pairs: a list (or lists by kind) of {question, answer, box}, with
answer "Yes" or "No" and box {x, y, width, height} in pixels.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from physprobe.consistency.boxes import Box, ReadBox, check_box
from physprobe.consistency.fields import word
from physprobe.consistency.loose_json import as_float, is_number
from physprobe.errors import UserError

FACTORS: tuple[str, ...] = ("physics_category", "physics_law", "difficulty", "edit_operation")

_SIDES = ("x", "y", "width", "height")
_ROUNDING = 1.0  # pixels beyond the border: boxes were drawn on a scaled copy
_ANSWERS = {"yes": True, "y": True, "true": True, "no": False, "n": False, "false": False}


@dataclass(frozen=True)
class Question:
    """One question on one edited image.

    Attributes:
        question_id: unique. image_id: the record's index; its questions share the image.
        question: as annotated. truth: whether the answer is yes.
        box: of the region it asks about, in fractions; None where the annotated one is none, for box_problem.
        factors: FACTORS -> level, "" where not told. edit_instruction: what the editor was told.
    """

    question_id: str
    image_id: str
    question: str
    truth: bool
    box: Box | None
    box_problem: str
    factors: Mapping[str, str]
    edit_instruction: str


def questions_of(record: Mapping[str, Any], image_id: str, size: tuple[int, int]) -> Iterator[Question]:
    """Make the questions of one record.

    Args:
        record: in the public form. image_id: its index. size: width and height in pixels of the picture that
            boxes are measured on.

    Raises:
        UserError: a question lacks its text, or its answer is neither yes nor no; names it.
    """
    factors = {name: str(record.get(name) or "") for name in FACTORS}
    for number, pair in enumerate(_pairs(record.get("annotated_qa_pairs"))):
        text, answer = pair.get("question"), _ANSWERS.get(word(pair.get("answer", "")))
        if not isinstance(text, str) or not text.strip() or answer is None:
            raise UserError(
                f"PICABench record {image_id}: question {number + 1} has the text {text!r} and the answer "
                f"{pair.get('answer')!r}, but needs a text and Yes or No"
            )
        box = pixel_box(pair.get("box"), size)
        yield Question(
            f"{image_id}_{number}",
            image_id,
            text.strip(),
            answer,
            box.box,
            box.reason,
            factors,
            str(record.get("edit_instruction") or ""),
        )


def pixel_box(value: Any, size: tuple[int, int]) -> ReadBox:
    """Convert {x, y, width, height} in pixels to [x/W, y/H, (x+w)/W, (y+h)/H] (Physical Consistency, App. C).

    Args:
        value: the annotated box. size: (W, H), positive.

    Returns:
        The box, or why it is none: "missing_box", "malformed_box", "not_finite", "no_extent" (width or height
        not positive), "out_of_range" (more than a pixel outside the image).
    """
    if value is None:
        return ReadBox(None, "missing_box")
    if not isinstance(value, Mapping) or not all(is_number(value.get(side)) for side in _SIDES):
        return ReadBox(None, "malformed_box")
    x, y, width, height = (as_float(value[side]) for side in _SIDES)
    if not all(map(math.isfinite, (x, y, width, height))):
        return ReadBox(None, "not_finite")
    if width <= 0 or height <= 0:
        return ReadBox(None, "no_extent")
    corners = [
        _inside(number, size[k % 2]) / size[k % 2] for k, number in enumerate((x, y, x + width, y + height))
    ]
    return check_box(*corners)


def scaled_size(size: tuple[int, int], longer_side: int | None) -> tuple[int, int]:
    """Return the size of an image when it is scaled so that its longer side has so many pixels.

    Rounded down, as PICABench's own evaluator does; None: as it is.
    """
    if longer_side is None:
        return size
    scale = longer_side / max(size)
    return max(int(size[0] * scale), 1), max(int(size[1] * scale), 1)


def _inside(number: float, side: int) -> float:
    """Take what is at most a pixel outside for the border."""
    if -_ROUNDING <= number < 0:
        return 0.0
    return float(side) if side < number <= side + _ROUNDING else number


def _pairs(found: Any) -> list[Mapping[str, Any]]:
    lists = list(found.values()) if isinstance(found, Mapping) else [found]
    pairs = [pair for each in lists if each for pair in each]
    if not all(isinstance(pair, Mapping) for pair in pairs):
        raise UserError("PICABench: annotated_qa_pairs should be a list of {question, answer, box}")
    return pairs
