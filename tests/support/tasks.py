"""Tasks as lmms-eval makes them, and what they tell a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL.Image import Image

from physprobe.harness import registration, session
from tests.support.raw_conservation import HEIGHT, WIDTH


@contextmanager
def task_maker(
    datasets_folder: Path, factory: pytest.TempPathFactory
) -> Iterator[Callable[[list[str]], dict[Any, Any]]]:
    """Give what makes tasks, by name, as lmms-eval makes them for chat models."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PHYSPROBE_DATA", str(datasets_folder))
        patch.setenv("PHYSPROBE_CAPTIONS", str(factory.mktemp("captions")))
        patch.setenv("HF_HUB_OFFLINE", "1")
        patch.setenv("LMMS_EVAL_DATASETS_CACHE", str(factory.mktemp("cache")))
        registration.install()
        from lmms_eval.tasks import TaskManager, get_task_dict

        manager = TaskManager(include_defaults=False)
        with session.evaluating("model", ""):
            yield lambda names: get_task_dict(names, manager, "chat")


def shown(content: list[dict[str, Any]]) -> str:
    """One user message as text, each image by whether it is white; all must have the clips' size."""
    images = [part["url"] for part in content if part["type"] == "image"]
    assert all(isinstance(image, Image) and image.size == (WIDTH, HEIGHT) for image in images)
    return "".join(
        part["text"] if part["type"] == "text" else "[white]" if is_white(part["url"]) else "[image]"
        for part in content
    )


def is_white(image: Image) -> bool:
    return bool((np.asarray(image) == 255).all())


def told(task: Any, shown: Callable[[list[dict[str, Any]]], str] = shown) -> dict[str, Any]:
    """What a model is told in a task's first question, and how the task takes and marks the answer."""
    row = task.test_docs()[0]
    (message,) = task.doc_to_messages(row)
    assert message["role"] == "user"
    return {
        "messages": shown(message["content"]),
        "text": task.doc_to_text(row),
        "target": task.doc_to_target(row),
        "generation": task.config.generation_kwargs,
        "version": task.VERSION,
        "metrics": list(task.aggregation()),
    }


def told_text(task: Any, row: dict[str, Any]) -> str:
    (message,) = task.doc_to_messages(row)
    return shown(message["content"])
