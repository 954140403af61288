"""How a question reaches the model: its video as a file or as frames, and the text, by what its row says."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from physprobe.conservation.frames import uniform_indices
from physprobe.errors import UserError
from physprobe.harness.quantiphy import videos
from physprobe.quantiphy.prompts import Shown, frame_labels, question_text

if TYPE_CHECKING:
    from PIL.Image import Image

VARIABLE = "PHYSPROBE_FRAMES"
AS_VIDEO = "video"

Row = Mapping[str, Any]


def frames_setting() -> str | int:
    """Return what $PHYSPROBE_FRAMES asks for: "video" (the default), "all" frames as images, or how many.

    Raises:
        UserError: it asks for something else.
    """
    value = os.environ.get(VARIABLE, "").strip().lower() or AS_VIDEO
    if value in (AS_VIDEO, "all"):
        return value
    if not value.isdecimal() or int(value) < 2:
        raise UserError(f'{VARIABLE}={value}: must be "video", "all", or a number of frames from 2 on')
    return int(value)


def shown_as(row: Row) -> Shown:
    """Return in which way the row's video is shown."""
    if not row["seen"]:
        return "nothing"
    return "video" if frames_setting() == AS_VIDEO else "frames"


def frame_indices(row: Row) -> list[int]:
    """Return which frames of the video are handed to the model: all of them, unless fewer are asked for."""
    if not row["seen"]:
        return []
    count, setting = videos.num_frames(row["source"], row["video_id"]), frames_setting()
    wanted = count if isinstance(setting, str) else min(setting, count)
    return list(uniform_indices(count, wanted)) if wanted < count else list(range(count))


def visuals(row: Row) -> list[Any]:
    """Return what models without a chat interface are handed: the path of the video, or images.

    Raises:
        UserError: the video is missing or damaged; names it.
    """
    shown = shown_as(row)
    if shown == "video":
        return [str(videos.video_file(row["source"], row["video_id"]))]
    return _images(row, frame_indices(row)) if shown == "frames" else []


def text(row: Row) -> str:
    """Return all that is told in words."""
    return question_text(
        row["question"],
        prior=row["prior"],
        depth_info=row["depth_info"],
        fps=row["fps"],
        shown=shown_as(row),
        style=row["style"],
    )


def messages(row: Row) -> list[dict[str, Any]]:
    """Lay out a question for a chat model: one user message, video or frames with their times, then text."""
    shown = visuals(row)
    content: list[dict[str, Any]] = []
    if shown_as(row) == "video":
        content = [{"type": "video", "url": shown[0]}]
    else:
        for label, image in zip(frame_labels(frame_indices(row), row["fps"]), shown, strict=True):
            content += [{"type": "text", "text": label}, {"type": "image", "url": image}]
    return [{"role": "user", "content": [*content, {"type": "text", "text": text(row)}]}]


def prompt_hash(row: Row) -> str:
    """Return the SHA-256 of all that a chat model is told, and of which frames it is shown, and how."""
    seen = [row["video_id"], shown_as(row), frame_indices(row), text(row)]
    return hashlib.sha256(json.dumps(seen).encode()).hexdigest()


def identity(row: Row) -> list[Any]:
    """Return all that decides what a model is shown and told: texts, frames, the pixels' source."""
    source = videos.sha256(row["source"], row["video_id"]) if row["seen"] else None
    return [prompt_hash(row), source]


def _images(row: Row, indices: list[int]) -> list[Image]:
    from PIL import Image

    return [Image.fromarray(frame) for frame in videos.frames(row["source"], row["video_id"], indices)]
