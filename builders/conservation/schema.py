"""The public columns of conservationbench, and its versions."""

from __future__ import annotations

import pyarrow as pa

from builders.schema import VIDEO, ConfigSpec, list_of

NAME = "conservationbench"

# Newest first. Patch: no row changed; minor: rows added; major: rows changed.
CHANGELOG: tuple[tuple[str, str], ...] = (
    (
        "0.1.0",
        "First release: domains number and length; all prompt styles and frame counts, uniform extraction.",
    ),
)
VERSION = CHANGELOG[0][0]

QUESTIONS = ConfigSpec(
    name="questions",
    description="One row per question: a clip, a prompt style, a frame count and a way to pick the frames.",
    default=True,
    key="question_id",
    schema=pa.schema(
        {
            "question_id": pa.string(),
            "pair_id": pa.string(),
            "video_id": pa.string(),
            "domain": pa.string(),
            "condition": pa.string(),
            "prompt_style": pa.string(),
            "frame_count": pa.int32(),
            "extraction": pa.string(),
            "frame_indices": list_of(pa.int32()),
            "question": pa.string(),
            "options": list_of(pa.string()),
            "answer": pa.string(),
            "answer_relation": pa.string(),
            "transformation": pa.string(),
        }
    ),
)

VIDEOS = ConfigSpec(
    name="videos",
    description="One row per clip: the mp4 file, the generator's parameters, the exact quantities per frame.",
    key="video_id",
    media=("video.bytes",),
    schema=pa.schema(
        {
            "video_id": pa.string(),
            "pair_id": pa.string(),
            "domain": pa.string(),
            "condition": pa.string(),
            "video": VIDEO,
            "fps": pa.int32(),
            "num_frames": pa.int32(),
            "parameters": pa.string(),
            "quantities": pa.struct(
                [
                    ("unit", pa.string()),
                    ("moved", list_of(pa.float64())),
                    ("reference", list_of(pa.float64())),
                ]
            ),
            "seed": pa.int64(),
        }
    ),
)

CONFIGS = (QUESTIONS, VIDEOS)


def question_id(video_id: str, prompt_style: str, frame_count: int, extraction: str) -> str:
    """Name a question; stable over rebuilds."""
    return f"{video_id}__{prompt_style}_{frame_count}_{extraction}"
