"""Rows of the two configs, from clips."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from builders.conservation.counterbalance import Order, Slot, assign_orders
from builders.conservation.schema import NAME, question_id
from builders.conservation.source import Clip
from generation.core.seeds import item_rng
from physprobe.conservation.frames import uniform_indices
from physprobe.conservation.prompts import option_text, question_text
from physprobe.conservation.vocabulary import CONDITIONS, FRAME_COUNTS, LETTERS, PROMPT_STYLES

EXTRACTION = "uniform"

# The questions asked about every clip: (prompt style, frame count).
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


def question_rows(clips: Sequence[Clip]) -> Iterator[dict[str, Any]]:
    """Yield the rows of ``questions``, clip by clip, all styles and frame counts of a clip together.

    Raises:
        UserError: a clip has fewer frames than a question shows, or its domain has no wording.
    """
    orders = {(style, count): option_orders(clips, style, str(count), EXTRACTION) for style, count in ASKED}
    for clip in clips:
        for style, count in ASKED:
            yield _question(clip, style, count, orders[style, count][clip.record.video_id])


def option_orders(clips: Sequence[Clip], *asked: str) -> dict[str, Order]:
    """Counterbalance the order of options over the clips of each domain and condition.

    Args:
        clips: in design order, domain by domain, every clip with its twin.
        asked: names the kind of question; each kind has its own orders.

    Returns:
        video_id -> relations in shown order.
    """
    orders: dict[str, Order] = {}
    for domain, members in groupby(clips, key=lambda clip: clip.record.domain):
        slots = [_slot(clip) for clip in members if clip.record.condition == "conserving"]
        for condition in CONDITIONS:
            rng = item_rng(clips[0].record.seed, NAME, "option orders", domain, condition, *asked)
            chosen = assign_orders(slots, condition, rng)
            orders |= {f"{pair_id}_{condition}": order for pair_id, order in chosen.items()}
    return orders


def _slot(clip: Clip) -> Slot:
    factors = {name: level for name, level in clip.cell.factors.items() if name != "moved_position"}
    return Slot(clip.record.pair_id, clip.record.direction, clip.record.moved_position, factors)


def _question(clip: Clip, style: str, count: int, order: Order) -> dict[str, Any]:
    record = clip.record
    options = [option_text(record.domain, relation, record.moved_position) for relation in order]
    return {
        "question_id": question_id(record.video_id, style, count, EXTRACTION),
        "pair_id": record.pair_id,
        "video_id": record.video_id,
        "domain": record.domain,
        "condition": record.condition,
        "prompt_style": style,
        "frame_count": count,
        "extraction": EXTRACTION,
        "frame_indices": uniform_indices(record.num_frames, count),
        "question": question_text(record.domain, style, options),
        "options": options,
        "answer": LETTERS[order.index(record.answer_relation)],
        "answer_relation": record.answer_relation,
        "transformation": record.transformation,
    }
