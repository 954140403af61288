"""What must hold in a row of ``questions`` or ``static``, alone and against its clip."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from PIL import Image

from builders.conservation.clip_checks import ClipCheck, foreign_values, pixels_sha256
from builders.conservation.schema import question_id, static_id
from physprobe.conservation.frames import uniform_indices
from physprobe.conservation.prompts import STATIC_QUESTIONS, option_text, question_text, static_question
from physprobe.conservation.vocabulary import (
    CONDITIONS,
    DOMAINS,
    EXTRACTIONS,
    FRAME_COUNTS,
    LETTERS,
    PROMPT_STYLES,
    RELATIONS,
    TRANSFORMATION,
)
from physprobe.errors import UserError

Row = Mapping[str, Any]

_ANSWER_VALUES: dict[str, Sequence[object]] = {
    "condition": CONDITIONS,
    "answer": LETTERS,
    "answer_relation": RELATIONS,
}
_QUESTION_VALUES: dict[str, Sequence[object]] = {
    "domain": DOMAINS,
    "prompt_style": PROMPT_STYLES,
    "frame_count": FRAME_COUNTS,
    "extraction": EXTRACTIONS,
    **_ANSWER_VALUES,
}
_STATIC_VALUES: dict[str, Sequence[object]] = {"domain": tuple(STATIC_QUESTIONS), **_ANSWER_VALUES}


def question_problems(row: Row) -> Iterator[str]:
    """Look at a row of ``questions`` alone."""
    if foreign := foreign_values(row, _QUESTION_VALUES):
        yield from foreign
        return
    expected = question_id(row["video_id"], row["prompt_style"], row["frame_count"], row["extraction"])
    if row["transformation"] != TRANSFORMATION[row["domain"]]:
        yield f"transformation is {row['transformation']!r} for {row['domain']}"
    yield from _asking_problems(
        row, expected, lambda options: question_text(row["domain"], row["prompt_style"], options)
    )
    indices = row["frame_indices"]
    if len(indices) != row["frame_count"]:
        yield f"frame_indices has {len(indices)} entries, frame_count is {row['frame_count']}"
    if any(later <= earlier for earlier, later in pairwise(indices)):
        yield f"frame_indices are not increasing: {indices}"


def static_problems(row: Row) -> Iterator[str]:
    """Look at a row of ``static`` alone."""
    if foreign := foreign_values(row, _STATIC_VALUES):
        yield from foreign
        return
    yield from _asking_problems(
        row, static_id(row["video_id"]), lambda options: static_question(row["domain"], options)
    )
    if row["image"]["path"] != f"{row['video_id']}.png":
        yield f"image.path is {row['image']['path']!r}"


def question_clip_problems(row: Row, clip: ClipCheck) -> Iterator[str]:
    """Hold a row of ``questions`` against its clip."""
    yield from _clip_problems(row, clip)
    indices, last = row["frame_indices"], clip.row["num_frames"] - 1
    if not indices or (indices[0], indices[-1]) != (0, last):
        yield f"frame_indices must run from 0 to {last}: {indices}"
    elif row["extraction"] == "uniform" and not _is_uniform(indices, last + 1):
        yield f"frame_indices are not uniform: {indices}"


def static_clip_problems(row: Row, shown: str, clip: ClipCheck) -> Iterator[str]:
    """Hold a row of ``static`` against its clip.

    Args:
        row: without its image. shown: of that image, as :func:`image_sha256`. clip: the row's.
    """
    yield from _clip_problems(row, clip)
    if row["frame_index"] != clip.row["num_frames"] - 1:
        yield f"frame_index is {row['frame_index']}, the last frame is {clip.row['num_frames'] - 1}"
    if clip.last is not None and shown not in ("", clip.last.sha256):
        yield "its image is not the last frame of its clip"


def image_sha256(data: bytes) -> str:
    """Return the hash of an image file's pixels.

    Raises:
        UserError: it can't be decoded, or is no RGB image of 8 bits a channel.
    """
    try:
        with Image.open(io.BytesIO(data)) as image:
            image.load()
            mode, pixels = image.mode, np.asarray(image)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise UserError(f"its image can't be decoded: {error}") from error
    if mode != "RGB":
        raise UserError(f"its image is {mode}, not RGB")
    return pixels_sha256(pixels)


def _asking_problems(row: Row, expected_id: str, worded: Callable[[Sequence[str]], str]) -> Iterator[str]:
    if row["question_id"] != expected_id:
        yield f"its id should be {expected_id}"
    if (row["condition"] == "conserving") != (row["answer_relation"] == "same"):
        yield f"answer_relation is {row['answer_relation']} in a {row['condition']} clip"
    options = row["options"]
    if len(options) != len(LETTERS) or len(set(options)) != len(LETTERS):
        yield f"options are not {len(LETTERS)} different texts: {options}"
    elif row["question"] != worded(options):
        yield "the question's text is not what this version asks with these options"


def _clip_problems(row: Row, clip: ClipCheck) -> Iterator[str]:
    for name in ("pair_id", "domain", "condition"):
        if row[name] != clip.row[name]:
            yield f"{name} is {row[name]}, its video's is {clip.row[name]}"
    if clip.relation and row["answer_relation"] != clip.relation:
        yield f"answer_relation is {row['answer_relation']}, but the quantities say {clip.relation}"
    yield from _answer_problems(row, clip.moved_position)


def _is_uniform(indices: Sequence[int], num_frames: int) -> bool:
    return 2 <= len(indices) <= num_frames and tuple(indices) == uniform_indices(num_frames, len(indices))


def _answer_problems(row: Row, moved_position: str) -> Iterator[str]:
    try:
        claims = [option_text(row["domain"], relation, moved_position) for relation in RELATIONS]
        right = option_text(row["domain"], row["answer_relation"], moved_position)
    except UserError as error:
        yield f"its options can't be worded: {error}"
        return
    if sorted(row["options"]) != sorted(claims):
        yield f"options are {row['options']}, not {claims} in some order"
    elif row["answer"] in LETTERS:
        chosen = row["options"][LETTERS.index(row["answer"])]
        if chosen != right:
            yield f"answer {row['answer']} is {chosen!r}, true is {right!r}"
