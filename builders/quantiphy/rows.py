"""Rows of ``questions`` and ``videos``, from clips."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from builders.quantiphy.schema import QUESTIONS, SEGMENTED, segmented_id
from builders.quantiphy.source import Filmed
from generation.quantiphy.questions import Question, write_questions
from physprobe.errors import UserError


def question_rows(filmed: Filmed) -> Iterator[dict[str, Any]]:
    """Yield a clip's questions, then the same on the clip without its background.

    Raises:
        UserError: fewer questions can be asked about the clip than its design plans.
    """
    record = filmed.record
    questions = write_questions(record)
    wanted = record.static_questions + record.dynamic_questions
    if len(questions) != wanted:
        raise UserError(
            f"{filmed.folder} shows enough for {len(questions)} questions, not for {wanted}; remove it and "
            "generate it again"
        )
    for question in questions:
        yield _row(question)
    if record.segmented_media:
        for question in questions:
            yield _without_background(_row(question))


def video_rows(filmed: Filmed) -> Iterator[dict[str, Any]]:
    """Yield a clip's rows of ``videos``, reading each mp4 when its turn comes.

    Raises:
        UserError: an mp4 is missing or was changed.
    """
    record = filmed.record
    yield _video(filmed, segmented=False)
    if record.segmented_media:
        yield _video(filmed, segmented=True)


def _row(question: Question) -> dict[str, Any]:
    return {name: getattr(question, name) for name in QUESTIONS.schema.names}


def _without_background(row: dict[str, Any]) -> dict[str, Any]:
    """Return the same question on the segmented clip, with the codes that the public data has for it."""
    number = row["question_id"].removeprefix(row["video_id"])
    video_id = segmented_id(row["video_id"])
    return row | {
        "video_id": video_id,
        "question_id": video_id + number,
        "video_source": "segmentation",
        "video_type": row["video_type"][:3] + "X",
    }


def _video(filmed: Filmed, *, segmented: bool) -> dict[str, Any]:
    record = filmed.record
    video_id = segmented_id(record.video_id) if segmented else record.video_id
    camera = record.camera
    return {
        "video_id": video_id,
        "video": {"bytes": filmed.read_media(segmented=segmented), "path": f"{video_id}.mp4"},
        "fps": record.fps,
        "num_frames": record.num_frames,
        "width": record.width,
        "height": record.height,
        "variant": SEGMENTED.strip("_") if segmented else "original",
        "original_id": record.video_id,
        "focal_length": camera.focal_length,
        "principal_point": list(camera.principal_point),
        "world_to_camera": [value for row in camera.world_to_camera for value in row],
        "parameters": json.dumps(record.parameters, sort_keys=True),
        "seed": record.seed,
    }
