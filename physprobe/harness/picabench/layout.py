"""How a question reaches the model: the whole edited image, then the question."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from physprobe.errors import UserError
from physprobe.harness.images import image_identity
from physprobe.picabench.prompts import question_text

if TYPE_CHECKING:
    from PIL.Image import Image

Row = Mapping[str, Any]


def images(row: Row) -> list[Image]:
    """Return the edited image.

    Raises:
        UserError: it is missing or damaged; names it.
    """
    from PIL import Image

    try:
        with Image.open(row["image_path"]) as opened:
            return [opened.convert("RGB")]
    except OSError as error:
        raise UserError(f"edited image {row['image_path']} can't be opened: {error}") from error


def text(row: Row) -> str:
    """Return all that is told in words."""
    return question_text(row["question"])


def messages(row: Row) -> list[dict[str, Any]]:
    """Lay out a question for a chat model: one user message, image first."""
    content = [{"type": "image", "url": image} for image in images(row)]
    return [{"role": "user", "content": [*content, {"type": "text", "text": text(row)}]}]


def prompt_hash(row: Row) -> str:
    """Return the SHA-256 of all that a chat model is told, and of which image it is shown."""
    return hashlib.sha256(json.dumps([row["image_id"], "image", text(row)]).encode()).hexdigest()


def identity(row: Row) -> list[Any]:
    """Return all that decides what a model is shown and told: text, and the pixels."""
    return [prompt_hash(row), *image_identity(images(row)[0])]
