"""What a model is told, pinned: change it on purpose, with a new task version (``--snapshot-update``)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from syrupy.assertion import SnapshotAssertion

from physprobe.errors import UserError
from physprobe.harness.quantiphy import layout
from physprobe.harness.quantiphy.questions import FACTORS
from physprobe.harness.quantiphy.references import reference_answer
from physprobe.harness.reference_models import question_rng
from physprobe.quantiphy.priors import read_prior
from tests.support.quantiphy_data import FRAMES, HEIGHT, WIDTH, make_official, make_quantiphy, question_rows
from tests.support.tasks import task_maker, told

SUBTASKS = ("quantiphy_s2", "quantiphy_d2", "quantiphy_s3", "quantiphy_d3")
VARIANTS = ("quantiphy_cot", "quantiphy_prior_only", "quantiphy_no_prior", "quantiphy_counterfactual")
VARIANTS += ("quantiphy_segmented",)
OFFICIAL = ("quantiphy_official_validation", "quantiphy_official_test")


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """All tasks by name."""
    folder = make_official(tmp_path_factory.mktemp("official"))
    # The test set has the same columns; here it is the validation set without answers.
    table = (folder / "validation_dataset.csv").read_text(encoding="utf-8")
    (folder / "test_dataset.csv").write_text(table.replace("ground_truth_posterior", "withheld", 1))
    datasets = make_quantiphy(tmp_path_factory.mktemp("quantiphy"))
    with pytest.MonkeyPatch.context() as patch, task_maker(datasets, tmp_path_factory) as make:
        patch.setenv("PHYSPROBE_QUANTIPHY", str(folder))
        patch.setenv("PHYSPROBE_VIDEOS", str(tmp_path_factory.mktemp("videos")))
        patch.delenv("PHYSPROBE_FRAMES", raising=False)
        made = make(["quantiphy", *VARIANTS, *OFFICIAL])
        (group,) = [name for name in made if not isinstance(name, str)]
        yield {**made, **made[group], "quantiphy": group}


def shown(content: list[dict[str, Any]]) -> str:
    parts = []
    for part in content:
        assert part["type"] != "video" or Path(part["url"]).read_bytes()[4:8] == b"ftyp"
        assert part["type"] != "image" or part["url"].size == (WIDTH, HEIGHT)
        parts.append(part["text"] if part["type"] == "text" else f"[{part['type']}]")
    return "".join(parts)


@pytest.mark.parametrize("name", [*SUBTASKS, *VARIANTS, *OFFICIAL])
def test_prompt(tasks: dict[str, Any], name: str, snapshot: SnapshotAssertion) -> None:
    assert told(tasks[name], shown) == snapshot


def test_frames_stand_with_their_times(
    tasks: dict[str, Any], snapshot: SnapshotAssertion, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test videos' brightness rises by 20 with each frame."""
    task = tasks["quantiphy_s3"]
    row = task.test_docs()[0]
    for setting, indices in (("all", [*range(FRAMES)]), ("3", [0, 6, 11]), ("50", [*range(FRAMES)])):
        monkeypatch.setenv("PHYSPROBE_FRAMES", setting)
        (message,) = task.doc_to_messages(row)
        images = [part["url"] for part in message["content"] if part["type"] == "image"]
        assert layout.frame_indices(row) == indices
        assert [round(float(np.asarray(image).mean()) / 20) for image in images] == indices
        record = task.process_results(row, ["1 m"])["mra_macro"]
        assert (record["shown"], record["frame_indices"]) == ("frames", indices)
        assert all(isinstance(image, Image.Image) for image in task.doc_to_visual(row))
        if setting == "3":
            assert shown(message["content"]) == snapshot
    for setting in ("1", "few", "-3"):
        monkeypatch.setenv("PHYSPROBE_FRAMES", setting)
        with pytest.raises(
            UserError, match=f'PHYSPROBE_FRAMES={setting}: must be "video", "all", or a number'
        ):
            layout.frames_setting()


def test_how_much_each_task_asks(tasks: dict[str, Any]) -> None:
    asked = {name: tasks[name].test_docs()["question_id"][:] for name in (*SUBTASKS, *VARIANTS, *OFFICIAL)}
    assert {name: len(ids) for name, ids in asked.items()} == {
        **dict.fromkeys(SUBTASKS, 4), **dict.fromkeys(VARIANTS, 16), "quantiphy_segmented": 2,
        **dict.fromkeys(OFFICIAL, 159),
    }  # fmt: skip
    assert all(len(set(ids)) == len(ids) for ids in asked.values())
    whole = {row["question_id"] for row in question_rows() if row["video_source"] != "segmentation"}
    assert {name for task in SUBTASKS for name in asked[task]} == whole == set(asked["quantiphy_cot"])


def test_official_ids_are_those_of_the_files(tasks: dict[str, Any]) -> None:
    for name in OFFICIAL:
        rows = tasks[name].test_docs()
        assert rows["question_id"][0] == "2161"
        assert {row["unit_stated"] for row in rows} == {True, False}
    assert all(truth > 0 for truth in tasks[OFFICIAL[0]].test_docs()["truth"])
    assert set(tasks[OFFICIAL[1]].test_docs()["truth"]) == {None}


def test_counterfactual_priors_truths_and_depths_are_multiplied_alike(tasks: dict[str, Any]) -> None:
    standard = {row["question_id"]: row for name in SUBTASKS for row in tasks[name].test_docs()}
    rows = tasks["quantiphy_counterfactual"].test_docs().to_list()
    assert {row["factor"] for row in rows} <= set(FACTORS)
    assert len({row["factor"] for row in rows}) > 3
    for row in rows:
        usual = standard[row["question_id"]]
        (prior,), (known,) = read_prior(row["prior"]).priors, read_prior(usual["prior"]).priors
        assert prior.si_value == pytest.approx(known.si_value * row["factor"])
        assert row["truth"] == pytest.approx(usual["truth"] * row["factor"])
        assert (row["question"], row["video_id"]) == (usual["question"], usual["video_id"])
        assert bool(row["depth_info"]) == bool(usual["depth_info"])
        assert (row["depth_info"] == usual["depth_info"]) == (not usual["depth_info"] or row["factor"] == 1)


def test_variants_tell_and_show_less(tasks: dict[str, Any]) -> None:
    for row in tasks["quantiphy_prior_only"].test_docs():
        assert row["prior"]
        assert layout.visuals(row) == layout.frame_indices(row) == []
    for row in tasks["quantiphy_no_prior"].test_docs():
        assert (row["prior"], row["depth_info"]) == ("", "")
        assert len(layout.visuals(row)) == 1
    for row in tasks["quantiphy_segmented"].test_docs():
        assert row["video_id"].endswith("_segmented")
        assert row["background"] == "X"


def test_a_missing_official_video_names_the_file_and_the_variable(tasks: dict[str, Any]) -> None:
    row = {**tasks[OFFICIAL[0]].test_docs()[0], "video_id": "internet_9999"}
    with pytest.raises(
        UserError, match=r"there is no internet_9999\.mp4 in .*, the folder that PHYSPROBE_QUANTIPHY names"
    ):
        tasks[OFFICIAL[0]].doc_to_messages(row)


def test_a_missing_table_names_what_is_looked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from physprobe.harness.quantiphy import official_files, require

    monkeypatch.setenv("PHYSPROBE_QUANTIPHY", str(tmp_path))
    with pytest.raises(
        UserError, match=r"QUANTIPHY=.* holds none of test_dataset\.parquet, test_dataset\.csv"
    ):
        require(["quantiphy_official_test"])
    monkeypatch.setenv("PHYSPROBE_QUANTIPHY", str(tmp_path / "gone"))
    with pytest.raises(UserError, match="there is no such folder"):
        official_files.table_path("validation")


def test_records_hold_what_submitting_and_rescoring_need(tasks: dict[str, Any]) -> None:
    row = tasks["quantiphy_d3"].test_docs()[0]
    marked = tasks["quantiphy_d3"].process_results(row, ["about 8.0 to 9.0 cm"])
    record = marked["mra_macro"]
    assert (record["prediction"], record["truth"], record["unit"]) == (85.0, 85.6, "mm")
    assert (record["mra"], record["reason"], record["rule"]) == (1.0, "", "exact")
    assert record["flags"] == ["approximate", "converted", "range"]
    assert record["frame_indices"] == [*range(FRAMES)]
    assert len(record["prompt_sha256"]) == 64
    assert marked["rate_unread"] == "1"
    unread = tasks["quantiphy_d3"].process_results(row, ["I cannot determine it."])
    assert (unread["mra_macro"]["prediction"], unread["mra_macro"]["reason"]) == (None, "refusal")
    assert unread["mra_macro"]["mra"] == 0.0
    assert unread["rate_unread"] == "unread"


def test_reference_answers(tasks: dict[str, Any]) -> None:
    rows = tasks["quantiphy_counterfactual"].test_docs().to_list()
    for row in rows:
        rng = question_rng(0, row["question_id"])
        assert reference_answer("oracle", row, rng) == f"{row['truth']!r} {row['unit']}"
        value, unit = reference_answer("chance", row, rng).split()
        assert float(value) > 0
        assert unit == row["unit"]
        echo = float(reference_answer("invariance", row, rng).split()[0])
        assert math.isclose(echo, read_prior(row["prior"]).priors[0].value)
    with pytest.raises(UserError, match="physprobe_change has no answer to questions of quantiphy"):
        reference_answer("change", rows[0], question_rng(0, "x"))
    with pytest.raises(UserError, match="true answers of this data set are withheld"):
        reference_answer("oracle", tasks[OFFICIAL[1]].test_docs()[0], question_rng(0, "x"))
    told = reference_answer("oracle", tasks["quantiphy_cot"].test_docs()[0], question_rng(0, "x"))
    assert told == "I measured it.\nAnswer: 12.5 cm"
