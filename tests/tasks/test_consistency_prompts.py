"""What a model is told, pinned: change it on purpose, with a new task version (``--snapshot-update``)."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from syrupy.assertion import SnapshotAssertion

from physprobe.consistency.vocabulary import LABELS, SUITES
from physprobe.errors import UserError
from physprobe.harness.consistency import layout, questions
from physprobe.harness.consistency.references import reference_answer
from physprobe.harness.reference_models import question_rng
from tests.support.consistency_data import FAMILIES, SIZE, image_rows, make_consistency
from tests.support.tasks import task_maker, told

TASKS = tuple(f"physical_consistency_{suite}" for suite in SUITES)


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """All tasks by name."""
    datasets = make_consistency(tmp_path_factory.mktemp("consistency"))
    with task_maker(datasets, tmp_path_factory) as make:
        made = make(["physical_consistency"])
        (group,) = [name for name in made if not isinstance(name, str)]
        yield made[group]


def shown(content: list[dict[str, Any]]) -> str:
    assert all(part["type"] == "text" or part["url"].size == (SIZE, SIZE) for part in content)
    return "".join(part["text"] if part["type"] == "text" else "[image]\n" for part in content)


def test_prompt(tasks: dict[str, Any], snapshot: SnapshotAssertion) -> None:
    assert told(tasks[TASKS[0]], shown) == snapshot
    texts = {task.doc_to_text(row) for task in tasks.values() for row in task.test_docs()}
    assert len(texts) == 1, "one fixed prompt"


@pytest.mark.parametrize("suite", SUITES)
def test_each_task_asks_about_its_suite(tasks: dict[str, Any], suite: str) -> None:
    rows = tasks[f"physical_consistency_{suite}"].test_docs()
    assert list(rows["question_id"]) == [row["image_id"] for row in image_rows(f"test_{suite}")]
    assert len(rows) == FAMILIES * len(LABELS)
    assert {*rows["suite"]} == {suite}
    assert {*rows["mechanism"]} == {"", "B" if suite == "intervention" else "A"}
    assert not {"affected_mask", "evidence_mask", "parameters"} & set(rows.column_names)


def test_models_get_the_pixels_of_the_row(tasks: dict[str, Any]) -> None:
    row = tasks[TASKS[0]].test_docs()[3]
    (image,) = tasks[TASKS[0]].doc_to_visual(row)
    stored = Image.open(io.BytesIO(image_rows("test_standard")[3]["image"]["bytes"]))
    assert (image.mode, image.tobytes()) == ("RGB", stored.convert("RGB").tobytes())


def test_answers_are_kept_apart_by_pixels(tasks: dict[str, Any]) -> None:
    row = tasks[TASKS[0]].test_docs()[0]
    other = {**row, "image": Image.new("RGB", (SIZE, SIZE))}
    assert layout.identity(row) == layout.identity(dict(row))
    assert layout.identity(other) != layout.identity(row)
    assert layout.prompt_hash(other) == layout.prompt_hash(row)


def test_records_hold_what_was_read_and_why_not(tasks: dict[str, Any]) -> None:
    task = tasks["physical_consistency_intervention"]
    row = task.test_docs()[2]
    answer = f"```json\n{reference_answer('oracle', row, question_rng(0, 'x'))}\n```"
    marked = task.process_results(row, [answer])
    record = marked["macro_f1_category"]
    assert (record["category"], record["predicted_category"], record["correct"]) == (
        LABELS[2],
        LABELS[2],
        True,
    )
    assert (record["consistent"], record["predicted_consistent"], record["mechanism"]) == (False, False, "B")
    assert (record["iou"], record["reasons"], record["suite"]) == (1.0, [], "intervention")
    assert record["predicted_explanation"] == row["explanation"]
    assert len(record["prompt_sha256"]) == 64
    assert marked["rate_invalid"] == "correct"
    json.dumps(record)
    unread = task.process_results(row, ["It floats."])
    assert unread["macro_f1_category"]["reasons"] == ["no_object"]
    assert (unread["macro_f1_category"]["iou"], unread["rate_invalid"]) == (0.0, "unread")
    clean = task.process_results(task.test_docs()[0], [answer])["macro_f1_category"]
    assert (clean["iou"], clean["correct"]) == (None, False)


def test_reference_answers(tasks: dict[str, Any]) -> None:
    task = tasks[TASKS[0]]
    for row in task.test_docs():
        rng = question_rng(0, row["question_id"])
        oracle = task.process_results(row, [reference_answer("oracle", row, rng)])["macro_f1_category"]
        assert oracle["correct"]
        assert oracle["reasons"] == []
        assert oracle["iou"] in (None, 1.0)
        chance = task.process_results(row, [reference_answer("chance", row, rng)])["macro_f1_category"]
        assert chance["reasons"] == []
        majority = task.process_results(row, [reference_answer("majority", row, rng)])["macro_f1_category"]
        assert (majority["predicted_consistent"], majority["reasons"]) == (False, [])
        assert majority["iou"] is None or math.isclose(majority["iou"], 0.25)
    with pytest.raises(
        UserError, match="physprobe_change has no answer to questions of physical_consistency"
    ):
        reference_answer("change", task.test_docs()[0], question_rng(0, "x"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"category": "dragon"}, "image test_standard_0000__clean has the unknown category 'dragon'"),
        ({"box": [0.1, 0.1, 0.2, 0.2]}, "__clean has the box .* but should have none"),
        ({"category": LABELS[1]}, "has the box None, but should have one inside the image"),
        ({"category": LABELS[1], "box": [0.5, 0.1, 0.2, 0.2]}, "but should have one inside the image"),
    ],
)
def test_rows_that_contradict_themselves_are_named(change: dict[str, Any], message: str) -> None:
    from datasets import Dataset

    row = {**image_rows("test_standard", 1)[0], **change}
    with pytest.raises(UserError, match=message):
        questions.suite_questions(Dataset.from_list([row]), "standard")


def test_a_missing_column_is_named() -> None:
    from datasets import Dataset

    with pytest.raises(UserError, match="dataset physical-consistency lacks column 'image'"):
        questions.suite_questions(Dataset.from_list([{"image_id": "x"}]), "standard")


def test_a_missing_dataset_says_how_to_build_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from physprobe.harness import consistency

    monkeypatch.setenv("PHYSPROBE_DATA", str(tmp_path))
    with pytest.raises(UserError, match="holds no physical-consistency/; build it with"):
        consistency.require(TASKS)
