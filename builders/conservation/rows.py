"""Rows of ``questions`` and ``videos``, from clips."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from builders.conservation.counterbalance import Order, Slot, assign_orders
from builders.conservation.schema import NAME, question_id
from builders.conservation.source import Clip
from generation.core.seeds import item_rng
from physprobe.conservation.prompts import option_text, question_text
from physprobe.conservation.vocabulary import (
    CONDITIONS,
    EXTRACTIONS,
    FRAME_COUNTS,
    LETTERS,
    PROMPT_STYLES,
    Extraction,
)

# Which frames are shown: (video_id, extraction, frame count) -> indices.
Frames = Mapping[tuple[str, Extraction, int], tuple[int, ...]]

# The questions asked about every clip for each way to pick frames: (prompt style, frame count).
ASKED = tuple((style, count) for style in PROMPT_STYLES for count in FRAME_COUNTS)


def video_rows(clips: Sequence[Clip]) -> Iterator[dict[str, Any]]:
    """Yield one row of ``videos`` per clip, reading each mp4 when its turn comes.

    Raises:
        UserError: an mp4 is missing or was changed.
    """
    for clip in clips:
        record = clip.record
        yield {
            "video_id": record.video_id,
            "pair_id": record.pair_id,
            "domain": record.domain,
            "condition": record.condition,
            "video": {"bytes": clip.read_media(), "path": f"{record.video_id}.mp4"},
            "fps": record.fps,
            "num_frames": record.num_frames,
            "parameters": json.dumps(record.parameters, sort_keys=True),
            "quantities": {
                "unit": record.quantities.unit,
                "moved": record.quantities.moved,
                "reference": record.quantities.reference,
            },
            "seed": record.seed,
        }


def question_rows(clips: Sequence[Clip], frames: Frames) -> Iterator[dict[str, Any]]:
    """Yield the rows of ``questions``, clip by clip, all those of a clip together.

    A clip is asked about only with frames that were chosen for it. Each prompt style, frame count and way to
    pick frames has its own orders of options, which depend on nothing but the clips that it is asked about.

    Args:
        clips: in design order, domain by domain. frames: which ones are shown.

    Raises:
        UserError: a clip's domain has no wording.
    """
    orders = {
        (extraction, style, count): option_orders(
            [clip for clip in clips if (clip.record.video_id, extraction, count) in frames],
            style,
            str(count),
            extraction,
        )
        for extraction in EXTRACTIONS
        for style, count in ASKED
    }
    for clip in clips:
        video_id = clip.record.video_id
        for (extraction, style, count), of_videos in orders.items():
            if video_id in of_videos:
                indices = frames[video_id, extraction, count]
                yield _question(clip, style, extraction, indices, of_videos[video_id])


def option_orders(clips: Sequence[Clip], *asked: str) -> dict[str, Order]:
    """Counterbalance the order of options over the clips of each domain and condition.

    Args:
        clips: in design order, domain by domain; a clip's twin may be missing.
        asked: names the kind of question; each kind has its own orders.

    Returns:
        video_id -> relations in shown order.
    """
    orders: dict[str, Order] = {}
    for domain, of_domain in groupby(clips, key=lambda clip: clip.record.domain):
        members = list(of_domain)
        for condition in CONDITIONS:
            slots = [_slot(clip) for clip in members if clip.record.condition == condition]
            rng = item_rng(clips[0].record.seed, NAME, "option orders", domain, condition, *asked)
            chosen = assign_orders(slots, condition, rng) if slots else {}
            orders |= {f"{pair_id}_{condition}": order for pair_id, order in chosen.items()}
    return orders


def _slot(clip: Clip) -> Slot:
    factors = {name: level for name, level in clip.cell.factors.items() if name != "moved_position"}
    return Slot(clip.record.pair_id, clip.record.direction, clip.record.moved_position, factors)


def _question(
    clip: Clip, style: str, extraction: Extraction, indices: tuple[int, ...], order: Order
) -> dict[str, Any]:
    record, count = clip.record, len(indices)
    options = [option_text(record.domain, relation, record.moved_position) for relation in order]
    return {
        "question_id": question_id(record.video_id, style, count, extraction),
        "pair_id": record.pair_id,
        "video_id": record.video_id,
        "domain": record.domain,
        "condition": record.condition,
        "prompt_style": style,
        "frame_count": count,
        "extraction": extraction,
        "frame_indices": indices,
        "question": question_text(record.domain, style, options),
        "options": options,
        "answer": LETTERS[order.index(record.answer_relation)],
        "answer_relation": record.answer_relation,
        "transformation": record.transformation,
    }
