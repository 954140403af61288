"""What a model is told, pinned: change it on purpose, with a new task version (``--snapshot-update``)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL.Image import Image
from syrupy.assertion import SnapshotAssertion

from physprobe.harness import catalog, conservation, registration
from tests.support.raw_conservation import HEIGHT, WIDTH

SUBTASKS = ("conservation_number", "conservation_length")


@pytest.fixture(scope="module")
def tasks(datasets_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """The subtasks as lmms-eval makes them for chat models, by name."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PHYSPROBE_DATA", str(datasets_folder))
        patch.setenv("HF_HUB_OFFLINE", "1")
        patch.setenv("LMMS_EVAL_DATASETS_CACHE", str(tmp_path_factory.mktemp("cache")))
        registration.install()
        from lmms_eval.tasks import TaskManager, get_task_dict

        manager = TaskManager(include_defaults=False)
        (members,) = get_task_dict(["conservation"], manager, "chat").values()
        yield members


def shown(content: list[dict[str, Any]]) -> str:
    """One user message as text, each image by its size."""
    images = [part["url"] for part in content if part["type"] == "image"]
    assert all(isinstance(image, Image) and image.size == (WIDTH, HEIGHT) for image in images)
    return "".join(part["text"] if part["type"] == "text" else "[image]" for part in content)


@pytest.mark.parametrize("name", SUBTASKS)
def test_prompt(tasks: dict[str, Any], name: str, snapshot: SnapshotAssertion) -> None:
    task = tasks[name]
    row = task.test_docs()[0]
    (message,) = task.doc_to_messages(row)
    assert message["role"] == "user"
    assert {
        "messages": shown(message["content"]),
        "text": task.doc_to_text(row),
        "target": task.doc_to_target(row),
        "generation": task.config.generation_kwargs,
        "version": task.VERSION,
        "metrics": list(task.aggregation()),
    } == snapshot


@pytest.mark.parametrize("name", SUBTASKS)
def test_images_are_the_frames_of_the_row_in_order(tasks: dict[str, Any], name: str) -> None:
    """The test clips' brightness rises with the frame index."""
    for row in tasks[name].test_docs().select(range(4)):
        images = tasks[name].doc_to_visual(row)
        brightness = [float(np.asarray(image).mean()) for image in images]
        steps = np.diff(brightness) / np.diff(row["frame_indices"])
        assert len(images) == 7
        assert steps == pytest.approx(8.0, abs=1.5)


@pytest.mark.parametrize("name", SUBTASKS)
def test_only_the_standard_condition_is_asked(tasks: dict[str, Any], name: str) -> None:
    rows = tasks[name].test_docs()
    assert len(rows) == 12
    assert {(r["domain"], r["prompt_style"], r["frame_count"], r["extraction"]) for r in rows} == {
        (name.removeprefix("conservation_"), "direct", 7, "uniform")
    }
    for row in rows:
        assert row["relations"][conservation.LETTERS.index(row["answer"])] == row["answer_relation"]
        assert sorted(row["relations"]) == ["moved_less", "moved_more", "same"]


def test_metric_names_are_not_part_of_one_another() -> None:
    names = conservation.REPORTED
    assert not [(a, b) for a in names for b in names if a != b and a in b]


def test_group_reports_what_the_tasks_report(tasks: dict[str, Any]) -> None:
    import yaml

    text = catalog.task_files()["conservation"].path.read_text()
    group = yaml.load(text, Loader=catalog._NamesOnly)
    assert [entry["metric"] for entry in group["aggregate_metric_list"]] == list(conservation.REPORTED)
    assert group["task"] == list(SUBTASKS)
    assert all(list(task.aggregation()) == list(conservation.REPORTED) for task in tasks.values())
