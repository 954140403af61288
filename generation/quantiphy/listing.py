"""The clips of a design as flat rows, without drawing or rendering anything."""

from __future__ import annotations

from generation.quantiphy.design import Clip


def clip_row(clip: Clip) -> dict[str, object]:
    """Describe a clip, with the keys of the dataset contract and its planned questions."""
    return {
        "video_id": clip.video_id,
        "video_type": clip.video_type,
        "category": clip.category,
        "static_questions": clip.static_questions,
        "dynamic_questions": clip.dynamic_questions,
    }
