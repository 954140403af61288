"""How a question reaches the model: texts and images in order, by what its row says (see ``questions``)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from physprobe.conservation.controls import captioned
from physprobe.conservation.prompts import Part, interleave
from physprobe.harness.conservation.clips import open_clips
from physprobe.harness.conservation.questions import Row
from physprobe.harness.images import image_identity

if TYPE_CHECKING:
    from PIL.Image import Image


def images(row: Row) -> list[Image]:
    """Return the images a question shows, in order.

    Raises:
        UserError: the clip is missing from the dataset or can't be decoded; names it.
    """
    return _IMAGES[row["media"]](row)


def text(row: Row) -> str:
    """Return the question with all that is told in words, as models without a chat interface get it."""
    return captioned(row["captions"], row["question"]) if row["media"] == "captions" else row["question"]


def messages(row: Row) -> list[dict[str, Any]]:
    """Lay out a question for a chat model: one user message of texts and images."""
    shown = images(row)
    content = [
        {"type": "text", "text": part} if isinstance(part, str) else {"type": "image", "url": shown[part]}
        for _, part in _parts(row, len(shown))
    ]
    return [{"role": "user", "content": content}]


def prompt_hash(row: Row) -> str:
    """Return the SHA-256 of everything a chat model is told: the texts, and where which frame is shown."""
    seen = {
        "frames": row["frame_indices"],
        "image": row["frame_indices"],
        "white": ["white"] * len(row["frame_indices"]),
    }.get(row["media"], [])
    parts = _parts(row, len(seen))
    shown = [[kind, part if isinstance(part, str) else seen[part]] for kind, part in parts]
    return hashlib.sha256(json.dumps([row["video_id"], shown]).encode()).hexdigest()


def identity(row: Row) -> list[Any]:
    """Return all that decides what a model is shown and told: texts, order, frames, the pixels' source."""
    if row["media"] == "image":
        return [prompt_hash(row), *image_identity(row["image"])]
    source = open_clips().sha256(row["video_id"]) if row["media"] in ("frames", "white") else None
    return [prompt_hash(row), row["media"], list(row["frame_indices"]), source]


def _parts(row: Row, count: int) -> tuple[Part, ...]:
    if row["labelled"] and count:
        return interleave(count, text(row))
    return (*(("image", k) for k in range(count)), ("text", text(row)))


def _frames(row: Row) -> list[Image]:
    from PIL import Image

    frames = open_clips().frames(row["video_id"], row["frame_indices"], row["clip_frames"])
    return [Image.fromarray(frame) for frame in frames]


def _white(row: Row) -> list[Image]:
    from PIL import Image

    first = row["clip_frames"][:1]
    (frame,) = open_clips().frames(row["video_id"], first, first)
    height, width, _ = frame.shape
    return [Image.new("RGB", (width, height), "white") for _ in row["frame_indices"]]


_IMAGES: Mapping[str, Callable[[Row], list[Image]]] = {
    "frames": _frames,
    "white": _white,
    "image": lambda row: [row["image"].convert("RGB")],
    "nothing": lambda row: [],
    "captions": lambda row: [],
}
