"""PICABench as lmms-eval sees it: what is read, told, and marked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from physprobe.errors import UserError
from physprobe.harness import picabench
from physprobe.harness.carriers import MarkedAnswer
from physprobe.harness.picabench import completion, files, layout
from physprobe.harness.picabench.marking import SCORES, SCORING
from physprobe.harness.picabench.references import reference_answer
from physprobe.harness.reference_models import question_rng
from tests.support.picabench_data import (
    HEIGHT,
    QUESTIONS,
    RECORDS,
    WIDTH,
    make_dataset,
    make_edited,
    make_folder,
)
from tests.support.tasks import task_maker, told


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    for name in (files.VARIABLE, files.EDITED_VARIABLE, files.CANVAS_VARIABLE):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(files.CACHE_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setenv("LMMS_EVAL_DATASETS_CACHE", str(tmp_path / "hf"))
    files._found.cache_clear()
    yield
    files._found.cache_clear()


def rows(found: files.Found) -> list[dict[str, Any]]:
    return [json.loads(line) for line in found.path.read_text().splitlines()]


def test_a_folder_with_meta_info(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory,
    snapshot: SnapshotAssertion,
) -> None:  # fmt: skip
    monkeypatch.setenv(files.VARIABLE, str(make_folder(tmp_path / "data")))
    with task_maker(tmp_path, tmp_path_factory) as make:
        task = make(["picabench"])["picabench"]
        docs = task.test_docs()
        assert list(docs["question_id"]) == ["7_0", "7_1", "8_0", "8_1"]
        assert told(task, _shown) == snapshot
        for row in docs:
            rng = question_rng(0, row["question_id"])
            right = task.process_results(row, [reference_answer("oracle", row, rng)])
            record = right["accuracy_qa"]
            assert (record["correct"], record["reasons"]) == (True, [])
            assert record["iou"] == pytest.approx(None if row["box"] is None else 1.0)
            assert right["rate_invalid"] == "correct"
            json.dumps(record)
        with pytest.raises(UserError, match="physprobe_majority has no answer to questions of picabench"):
            reference_answer("majority", docs[0], question_rng(0, "x"))
        _check_completion(task, docs)
    assert picabench.dataset([]).sha256 == files.find_questions().sha256


def _shown(content: list[dict[str, Any]]) -> str:
    assert all(part["type"] == "text" or part["url"].size == (WIDTH, HEIGHT) for part in content)
    return "".join(part["text"] if part["type"] == "text" else "[image]\n" for part in content)


def _check_completion(task: Any, docs: Any) -> None:
    answers = ['{"answer": "Yes", "box": [0.25, 0.25, 0.75, 0.75], "explanation": "x"}'] * 3 + ["?"]
    marked = [task.process_results(row, [a]) for row, a in zip(docs, answers, strict=True)]
    words = [each["rate_invalid"] for each in marked]
    assert words == ["wrong", "correct", "correct", "unread"]
    assert all(isinstance(word, MarkedAnswer) for word in words)
    row = {f"{name},none": SCORING.aggregate(name, [each[name] for each in marked]) for name in SCORES}
    results = {"configs": {"picabench": {}}, "results": {"picabench": row}, "group_subtasks": {}}
    found = completion.complete(results)
    assert found["questions"] == {"without_image": 1, "without_box": {"out_of_range": 1}}
    scores = found["scores"]["picabench"]
    assert scores["all"]["accuracy_qa"]["value"] == 0.5
    assert {level: each["accuracy_qa"]["value"] for level, each in scores["physics_category"].items()} == {
        "Mechanics": 0.5, "Optics": 0.5,
    }  # fmt: skip
    assert {*scores["difficulty"]} == {"explicit", "superficial"}
    assert {*scores["physics_law"]} == {"Causality", "Light_Propagation"}
    assert scores["all"]["iou_mean"]["n"] == 3
    assert found["invalid"] == {"picabench": {"no_object": 1}}


@pytest.mark.parametrize("embedded", [True, False])
def test_a_dataset_in_the_public_form(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, embedded: bool
) -> None:
    monkeypatch.setenv(files.VARIABLE, str(make_dataset(tmp_path / "public", embedded)))
    if not embedded:
        with pytest.raises(UserError, match=r"has no edited images .*: set PHYSPROBE_PICABENCH_EDITED"):
            files.find_questions()
        monkeypatch.setenv(files.EDITED_VARIABLE, str(make_edited(tmp_path / "edited")))
    found = files.find_questions()
    assert (len(rows(found)), found.without_image) == (QUESTIONS, 1)
    assert [row["question_id"] for row in rows(found)] == ["0_0", "0_1", "1_0", "1_1"]
    (image,) = layout.images(rows(found)[0])
    assert image.size == (WIDTH, HEIGHT)


def test_boxes_on_the_canvas_of_the_public_evaluator(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(files.VARIABLE, str(make_folder(tmp_path / "data")))
    before = [row["box"] for row in rows(files.find_questions())]
    monkeypatch.setenv(files.CANVAS_VARIABLE, "160")
    after = [row["box"] for row in rows(files.find_questions())]
    assert before[0] == [0.25, 0.25, 0.75, 0.75]
    assert after[0] == [0.125, 0.125, 0.375, 0.375]
    monkeypatch.setenv(files.CANVAS_VARIABLE, "large")
    with pytest.raises(UserError, match='PHYSPROBE_PICABENCH_CANVAS=large: must be "image", or the pixels'):
        files.find_questions()


def test_other_pixels_are_another_question(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "data")
    monkeypatch.setenv(files.VARIABLE, str(folder))
    row = rows(files.find_questions())[0]
    before = layout.identity(row)
    (folder / "output_img" / "00007.png").write_bytes((folder / "output_img" / "00008.png").read_bytes())
    assert layout.identity(row) != before


def damaged(folder: Path, name: str) -> None:
    if name == "no file":
        (folder / "meta_info.json").unlink()
    elif name == "no list":
        (folder / "meta_info.json").write_text("{}")
    elif name == "no json":
        (folder / "meta_info.json").write_text("[")
    elif name == "twice":
        (folder / "meta_info.json").write_text(json.dumps([RECORDS[0], RECORDS[0]]))
    elif name == "no image":
        (folder / "output_img" / "00008.png").unlink()
    elif name == "broken image":
        (folder / "output_img" / "00008.png").write_bytes(b"no png")
    else:
        (folder / "meta_info.json").write_text(json.dumps(RECORDS[2:]))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "no file",
            "can't load picabench of .*: .*; set PHYSPROBE_PICABENCH to a folder with meta_info.json",
        ),
        ("no list", "should hold a list of records"),
        ("no json", "can't be read as JSON"),
        ("twice", "two records have the index 7"),
        ("no image", "the edited image .*00008.png is missing"),
        ("broken image", r"00008\.png of record 8 can't be opened"),
        ("none edited", "holds no questions on edited images: set PHYSPROBE_PICABENCH"),
    ],
)
def test_bad_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, message: str) -> None:
    folder = make_folder(tmp_path / "data")
    damaged(folder, name)
    monkeypatch.setenv(files.VARIABLE, str(folder))
    with pytest.raises(UserError, match=message):
        picabench.require(["picabench"])


def test_a_place_that_is_not_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(files.VARIABLE, str(tmp_path / "gone"))
    with pytest.raises(UserError, match="gone: there is no such folder or file; set PHYSPROBE_PICABENCH"):
        files.find_questions()
