"""What a model is told, pinned: change it on purpose, with a new task version (``--snapshot-update``)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from physprobe.harness import catalog
from physprobe.harness.conservation import captions, marking
from physprobe.harness.scoring import reported
from tests.support.raw_conservation import HEIGHT, WIDTH
from tests.support.tasks import task_maker, told

SUBTASKS = ("conservation_number", "conservation_length")
VARIANTS = (
    *("conservation_empty_image", "conservation_text_only", "conservation_full", "conservation_human_subset"),
    *("conservation_idk", "conservation_idk_empty_image", "conservation_idk_text_only"),
    *("conservation_caption_frames", "conservation_caption", "conservation_modality"),
    "conservation_static",
)


@pytest.fixture(scope="module")
def tasks(datasets_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """All tasks on what the mini preset has, by name; the group by its object."""
    with task_maker(datasets_folder, tmp_path_factory) as make:
        made = make(["conservation", captions.FRAMES_TASK])
        caption_every_frame(made[captions.FRAMES_TASK])
        made |= make([name for name in VARIANTS if name != captions.FRAMES_TASK])
        (group,) = [name for name in made if not isinstance(name, str)]
        yield {**made, **made[group], "conservation": group}


def caption_every_frame(task: Any) -> None:
    marked = [task.process_results(row, [row["answer"]]) for row in task.test_docs()]
    task.aggregation()["captions_kept"]([m["captions_kept"] for m in marked])


@pytest.mark.parametrize("name", [*SUBTASKS, *VARIANTS])
def test_prompt(tasks: dict[str, Any], name: str, snapshot: SnapshotAssertion) -> None:
    assert told(tasks[name]) == snapshot


def test_static_questions_show_the_last_frame_of_their_clip(tasks: dict[str, Any]) -> None:
    """The test clips are brightest then; twins are dark in a corner."""
    task = tasks["conservation_static"]
    for row in task.test_docs():
        (image,) = task.doc_to_visual(row)
        pixels = np.asarray(image, dtype=float)
        assert image.size == (WIDTH, HEIGHT)
        assert row["frame_indices"] == [23]
        assert pixels[24:].min() > 23 * 8 - 25
        assert (pixels[:12, :12].mean() < 25) == (row["condition"] == "nonconserving")


@pytest.mark.parametrize("name", SUBTASKS)
def test_images_are_the_frames_of_the_row_in_order(tasks: dict[str, Any], name: str) -> None:
    """The test clips' brightness rises with the frame index; all but a corner of twins."""
    for row in tasks[name].test_docs().select(range(4)):
        images = tasks[name].doc_to_visual(row)
        brightness = [float(np.asarray(image)[HEIGHT // 2 :].mean()) for image in images]
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
        assert row["relations"]["ABC".index(row["answer"])] == row["answer_relation"]
        assert sorted(row["relations"]) == ["moved_less", "moved_more", "same"]


@pytest.mark.parametrize(
    ("name", "questions"),
    [
        ("conservation_empty_image", 24),
        ("conservation_text_only", 24),
        ("conservation_idk_empty_image", 24),
        ("conservation_caption", 24),
        ("conservation_caption_frames", 24 * 7),
        ("conservation_full", 24 * 4 * 5 * 2),
        ("conservation_human_subset", 2 * 2 * 2),
        ("conservation_static", 24),
        ("conservation_modality", 2 * (5 + 2)),
    ],
)
def test_how_much_a_variant_asks(tasks: dict[str, Any], name: str, questions: int) -> None:
    ids = tasks[name].test_docs()["question_id"][:]
    assert len(ids) == len(set(ids)) == questions


def test_controls_ask_the_standard_questions_in_the_same_words(tasks: dict[str, Any]) -> None:
    standard = {row["question_id"]: row for name in SUBTASKS for row in tasks[name].test_docs()}
    for name in ("empty_image", "text_only", "caption"):
        rows = list(tasks[f"conservation_{name}"].test_docs())
        assert {row["question_id"]: row["question"] for row in rows} == {
            key: row["question"] for key, row in standard.items()
        }
    for row in tasks["conservation_idk"].test_docs():
        assert row["question"] == standard[row["question_id"]]["question"] + "\n(D) I don't know."
        assert row["answer"] == standard[row["question_id"]]["answer"]


def test_captions_stand_at_their_frames(tasks: dict[str, Any]) -> None:
    for row in tasks["conservation_caption"].test_docs():
        assert row["captions"] == [f"Frame {k} of {row['video_id']}." for k in row["frame_indices"]]


def test_questions_on_one_clip_follow_one_another(tasks: dict[str, Any]) -> None:
    """So that a model that keeps the order has each clip decoded once, whatever fits into memory."""
    ids = tasks["conservation_full"].test_docs()["video_id"][:]
    changes = sum(one != other for one, other in pairwise(ids))
    assert changes + 1 == len(set(ids)) == 24


def test_group_holds_the_domains_of_the_dataset_and_reports_what_its_tasks_report(
    tasks: dict[str, Any],
) -> None:
    group = tasks["conservation"].config
    assert tuple(group["task"]) == SUBTASKS
    assert set(catalog.task_files()["conservation"].members) - set(SUBTASKS) == {
        "conservation_volume",
        "conservation_size",
    }
    names = list(reported(marking.SCORES))
    assert [entry["metric"] for entry in group["aggregate_metric_list"]] == names
    assert all(list(tasks[name].aggregation()) == names for name in SUBTASKS)
