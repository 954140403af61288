"""The public columns of quantiphy, and its versions."""

from __future__ import annotations

import pyarrow as pa

from builders.schema import FILE, ConfigSpec, list_of

NAME = "quantiphy"

# Newest first. Patch: no row changed; minor: rows added; major: rows changed.
CHANGELOG: tuple[tuple[str, str], ...] = (
    (
        "0.1.0",
        "First release: questions, videos with and without their background, and annotations of every frame.",
    ),
)
VERSION = CHANGELOG[0][0]

QUESTIONS = ConfigSpec(
    name="questions",
    description="One row per question on a video; the columns of the public QuantiPhy, and three more.",
    default=True,
    key="question_id",
    schema=pa.schema(
        {
            "video_id": pa.string(),
            "video_source": pa.string(),
            "video_type": pa.string(),
            "fps": pa.int32(),
            "inference_type": pa.string(),
            "question": pa.string(),
            "prior": pa.string(),
            "depth_info": pa.string(),
            "ground_truth_posterior": pa.float64(),
            "question_id": pa.string(),
            "unit": pa.string(),
            "category": pa.string(),
        }
    ),
)

VIDEOS = ConfigSpec(
    name="videos",
    description="One row per video: the mp4 file, the camera, the generator's parameters.",
    key="video_id",
    media={"video": "video"},
    schema=pa.schema(
        {
            "video_id": pa.string(),
            "video": FILE,
            "fps": pa.int32(),
            "num_frames": pa.int32(),
            "width": pa.int32(),
            "height": pa.int32(),
            "variant": pa.string(),
            "original_id": pa.string(),
            "focal_length": pa.float64(),
            "principal_point": list_of(pa.float64()),
            "world_to_camera": list_of(pa.float64()),
            "parameters": pa.string(),
            "seed": pa.int64(),
        }
    ),
)

_POINT = list_of(pa.float64())

ANNOTATIONS = ConfigSpec(
    name="annotations",
    description="One row per object and frame of a clip: its exact state, and where it is seen.",
    key="annotation_id",
    schema=pa.schema(
        {
            "annotation_id": pa.string(),
            "video_id": pa.string(),
            "object_id": pa.string(),
            "object": pa.string(),
            "kind": pa.string(),
            "color": pa.string(),
            "motion": pa.string(),
            "frame": pa.int32(),
            "time": pa.float64(),
            "position": _POINT,
            "velocity": _POINT,
            "acceleration": _POINT,
            "quaternion": _POINT,
            "size": _POINT,
            "box": _POINT,
            "depth": pa.float64(),
            "distance": pa.float64(),
            "visible": pa.float64(),
            "measures": list_of(pa.string()),
            "measure_values": _POINT,
            "marks": _POINT,
        }
    ),
)

CONFIGS = (QUESTIONS, VIDEOS, ANNOTATIONS)

SEGMENTED = "_segmented"  # at the end of the video_id of a clip without its background


def segmented_id(video_id: str) -> str:
    """Return the video_id of a clip without its background."""
    return video_id + SEGMENTED
