"""The public columns of conservationbench, and its versions."""

from __future__ import annotations

import pyarrow as pa

from builders.schema import FILE, ConfigSpec, list_of
from physprobe.conservation.vocabulary import Extraction

NAME = "conservationbench"

# Newest first. Patch: no row changed; minor: rows added; major: rows changed.
CHANGELOG: tuple[tuple[str, str], ...] = (
    (
        "0.1.0",
        "First release: all prompt styles and frame counts; frames picked as `uniform` and `kinematic`, and "
        "as `model` and `human` where choices were given; static questions on number and length.",
    ),
)
VERSION = CHANGELOG[0][0]

# Ways to pick frames that need no selections file: every clip has them.
COMPUTED: tuple[Extraction, ...] = ("uniform", "kinematic")

_CLIP_ASKED_ABOUT = {
    "question_id": pa.string(),
    "pair_id": pa.string(),
    "video_id": pa.string(),
    "domain": pa.string(),
    "condition": pa.string(),
}
_ASKED = {
    "question": pa.string(),
    "options": list_of(pa.string()),
    "answer": pa.string(),
    "answer_relation": pa.string(),
}

QUESTIONS = ConfigSpec(
    name="questions",
    description="One row per question: a clip, a prompt style, a frame count and a way to pick the frames.",
    default=True,
    key="question_id",
    schema=pa.schema(
        {
            **_CLIP_ASKED_ABOUT,
            "prompt_style": pa.string(),
            "frame_count": pa.int32(),
            "extraction": pa.string(),
            "frame_indices": list_of(pa.int32()),
            **_ASKED,
            "transformation": pa.string(),
        }
    ),
)

VIDEOS = ConfigSpec(
    name="videos",
    description="One row per clip: the mp4 file, the generator's parameters, the exact quantities per frame.",
    key="video_id",
    media={"video": "video"},
    schema=pa.schema(
        {
            "video_id": pa.string(),
            "pair_id": pa.string(),
            "domain": pa.string(),
            "condition": pa.string(),
            "video": FILE,
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

STATIC = ConfigSpec(
    name="static",
    description="One row per clip of number and length: its last frame, asked as a plain comparison.",
    key="question_id",
    media={"image": "image"},
    schema=pa.schema(
        {
            **_CLIP_ASKED_ABOUT,
            "frame_index": pa.int32(),
            "image": FILE,
            **_ASKED,
        }
    ),
)

CONFIGS = (QUESTIONS, VIDEOS, STATIC)


def question_id(video_id: str, prompt_style: str, frame_count: int, extraction: str) -> str:
    """Name a question; stable over rebuilds."""
    return f"{video_id}__{prompt_style}_{frame_count}_{extraction}"


def static_id(video_id: str) -> str:
    """Name a static question; stable over rebuilds."""
    return f"{video_id}__static"
