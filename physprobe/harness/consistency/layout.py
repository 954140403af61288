"""How an image reaches the model: the image, then the one question."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from physprobe.consistency.prompts import question
from physprobe.harness.consistency.questions import Row
from physprobe.harness.images import image_identity

if TYPE_CHECKING:
    from PIL.Image import Image


def images(row: Row) -> list[Image]:
    """Return the image."""
    return [row["image"].convert("RGB")]


def text(row: Row) -> str:
    """Return the question, the same for every image."""
    return question()


def messages(row: Row) -> list[dict[str, Any]]:
    """Lay out a question for a chat model: one user message, image first."""
    content = [{"type": "image", "url": image} for image in images(row)]
    return [{"role": "user", "content": [*content, {"type": "text", "text": text(row)}]}]


def prompt_hash(row: Row) -> str:
    """Return the SHA-256 of all that a chat model is told, and of which image it is shown."""
    return hashlib.sha256(json.dumps([row["question_id"], "image", text(row)]).encode()).hexdigest()


def identity(row: Row) -> list[Any]:
    """Return all that decides what a model is shown and told: text, and the pixels."""
    return [prompt_hash(row), *image_identity(row["image"])]
