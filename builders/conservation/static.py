"""Static tasks: the last frame of a number or length clip, asked as a plain comparison (paper section 3.1).

The last frames of conserving clips are the paper's 96; those of their twins are added, so that "the same" is
not always right.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any

from PIL import Image

from builders.conservation.counterbalance import Order
from builders.conservation.rows import option_orders
from builders.conservation.schema import static_id
from builders.conservation.source import Clip
from physprobe.conservation.prompts import STATIC_QUESTIONS, option_text, static_question
from physprobe.conservation.vocabulary import LETTERS
from physprobe.errors import UserError
from physprobe.video import decode_frames


def static_rows(clips: Sequence[Clip]) -> Iterator[dict[str, Any]]:
    """Yield one row per clip in whose domain the last frame suffices, decoding each when its turn comes.

    ``image`` is a struct of the last frame's PNG file and its name; the other columns mean what they do in
    ``questions``.

    Args:
        clips: in design order, domain by domain, every clip with its twin; other domains are passed over.

    Raises:
        UserError: an mp4 is missing, was changed, or doesn't decode.
    """
    for clip, question in static_questions(clips):
        yield {**question, "image": {"bytes": _last_frame(clip), "path": f"{clip.record.video_id}.png"}}


def static_questions(clips: Sequence[Clip]) -> list[tuple[Clip, dict[str, Any]]]:
    """Return the rows of :func:`static_rows` without their images, each with its clip."""
    asked = [clip for clip in clips if clip.record.domain in STATIC_QUESTIONS]
    orders = option_orders(asked, "static") if asked else {}
    return [(clip, _question(clip, orders[clip.record.video_id])) for clip in asked]


def _question(clip: Clip, order: Order) -> dict[str, Any]:
    record = clip.record
    options = [option_text(record.domain, relation, record.moved_position) for relation in order]
    return {
        "question_id": static_id(record.video_id),
        "pair_id": record.pair_id,
        "video_id": record.video_id,
        "domain": record.domain,
        "condition": record.condition,
        "frame_index": record.num_frames - 1,
        "question": static_question(record.domain, options),
        "options": options,
        "answer": LETTERS[order.index(record.answer_relation)],
        "answer_relation": record.answer_relation,
    }


def _last_frame(clip: Clip) -> bytes:
    try:
        (frame,) = decode_frames(clip.read_media(), [clip.record.num_frames - 1])
    except UserError as error:
        raise UserError(f"{clip.path}: {error}") from error
    file = io.BytesIO()
    Image.fromarray(frame).save(file, "PNG")
    return file.getvalue()
