"""Answers to quantiphy as columns, and what is kept apart; the records are made by the tasks' own marking."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from physprobe.analysis.answers import load_answers, load_every
from physprobe.analysis.conversion import convert
from physprobe.analysis.quantiphy.schema import LAYOUT
from physprobe.errors import UserError
from tests.support.saved_answers import both_twins, save_run
from tests.support.saved_quantiphy import asked, save_quantiphy

TASKS = {"quantiphy_s2": [asked(0), asked(1), asked(3, "V2MC", "SD", unit="cm/s")]}


def load(*places, **options):
    return load_answers(places, "quantiphy", **options)


def reasons(answers) -> dict[str, str]:
    return {each.source.model: each.reason for each in answers.apart}


def test_every_column(tmp_path):
    answers = {"q000": "about 2 m", "q001": "no idea", "q003": "-3 cm/s"}
    save_quantiphy(tmp_path, "m", TASKS, lambda r: answers[r["question_id"]], dataset="1.2.0")
    found = load(tmp_path)
    first, second, third = found.frame.to_dict("records")
    assert (first["question_id"], first["video_id"], first["video_source"]) == ("q000", "v000", "simulation")
    assert (first["category"], first["background"], first["objects"]) == ("S2", "X", "single")
    assert (first["inference"], first["style"], first["shown"]) == ("SS", "direct", "video")
    assert (first["told"], first["factor"], first["unit"], first["kind"]) == (True, 1.0, "m", "size")
    assert (first["prediction"], first["truth"], first["mra"]) == (2.0, 2.0, 1.0)
    assert (first["unread"], first["reason"], first["line"]) == (False, "", 0)
    assert (second["unread"], second["reason"], second["mra"]) == (True, "no_number", 0.0)
    assert np.isnan(second["prediction"])
    assert (third["kind"], third["unit"], third["background"], third["objects"]) == (
        *("velocity", "cm/s"),
        *("C", "multiple"),
    )
    source = found.sources[third["source"]]
    assert (source.model, source.task, source.dataset_version) == ("m", "quantiphy_s2", "1.2.0")
    line = source.path.read_text().splitlines()[third["line"]]
    assert json.loads(line)["mra_macro"]["question_id"] == third["question_id"]


def test_converted_columns_have_the_schema(tmp_path):
    save_quantiphy(tmp_path, "m", TASKS)
    table = convert(tmp_path / "20260101_000000_samples_quantiphy_s2.jsonl", LAYOUT)
    assert table.schema == LAYOUT.question


def test_withheld_truths_have_no_mra(tmp_path):
    save_quantiphy(tmp_path, "m", {"quantiphy_s2": [asked(0), asked(1, truth=None)]}, lambda r: "2 m")
    frame = load(tmp_path).frame
    assert frame["mra"].isna().tolist() == frame["truth"].isna().tolist() == [False, True]


def test_a_question_has_one_content_in_all_tasks(tmp_path):
    rows = [asked(number, truth=0.1 * number + 0.3) for number in range(9)]
    scaled = [{**row, "truth": row["truth"] * 0.001, "factor": 0.001} for row in rows]
    tasks = {
        "quantiphy_s2": rows,
        "quantiphy_counterfactual": scaled,
        "quantiphy_no_prior": [{**row, "prior": ""} for row in rows],
        "quantiphy_prior_only": [{**row, "seen": False} for row in rows],
    }
    save_quantiphy(tmp_path, "m", tasks)
    frame = load(tmp_path).frame
    assert (frame.groupby("question_id", observed=True)["content"].nunique() == 1).all()
    assert frame["content"].nunique() == 9
    assert frame.groupby("task", observed=True)["told"].all().to_dict() == {
        **dict.fromkeys(tasks, True),
        "quantiphy_no_prior": False,
    }
    assert set(frame.loc[frame["task"] == "quantiphy_prior_only", "shown"]) == {"nothing"}


def test_another_task_or_dataset_version_is_set_apart(tmp_path):
    for model in ("a", "b"):
        save_quantiphy(tmp_path / model, model, TASKS, dataset="1.0.0")
    save_quantiphy(tmp_path / "c", "c", TASKS, dataset="2.0.0")
    save_quantiphy(tmp_path / "d", "d", TASKS, version="2.0")
    answers = load(tmp_path)
    assert set(answers.frame["model"]) == {"a", "b"}
    assert reasons(answers) == {
        "c": "dataset version 2.0.0: most of these results are of 1.0.0",
        "d": "task version 2.0: not comparable with 1.x of the others",
    }


def test_a_dataset_of_another_seed_is_found_out_by_its_truths(tmp_path):
    for model in ("a", "b"):
        save_quantiphy(tmp_path / model, model, TASKS)
    save_quantiphy(
        tmp_path / "c", "c", {"quantiphy_s2": [{**row, "truth": 7.0} for row in TASKS["quantiphy_s2"]]}
    )
    assert reasons(load(tmp_path)) == {
        "c": "another dataset: question 'q000' and 2 more differ from those of most of these results in what "
        "makes their answers"
    }


def test_the_public_sets_share_ids_but_are_other_datasets(tmp_path):
    tasks = {
        "quantiphy_official_validation": [asked(0, question_id="1")],
        "quantiphy_official_test": [asked(1, question_id="1", truth=5.0)],
        **TASKS,
    }
    save_quantiphy(tmp_path, "m", tasks, dataset="1.0.0")
    answers = load(tmp_path)
    assert not answers.apart
    versions = {source.task: source.dataset_version for source in answers.sources}
    assert versions == {
        "quantiphy_official_validation": "",
        "quantiphy_official_test": "",
        "quantiphy_s2": "1.0.0",
    }


def test_reruns_are_kept_when_asked_for(tmp_path):
    for day in (1, 2, 3):
        save_quantiphy(tmp_path / str(day), "m", TASKS, date=f"2026010{day}_000000")
    assert len(load(tmp_path).frame) == 3
    assert len(load(tmp_path, reruns=True).frame) == 9


def test_flagged_runs_are_left_out_unless_asked_for(tmp_path):
    flag = {"unreadable": {"threshold": 0.2, "rate": 1.0, "flagged": True}}
    save_quantiphy(tmp_path / "a", "a", TASKS)
    save_quantiphy(tmp_path / "b", "b", TASKS, lambda r: "?", told=flag)
    answers = load(tmp_path)
    assert set(answers.frame["model"]) == {"a"}
    assert reasons(answers) == {"b": "100% of its answers could not be read (flagged above 20%)"}
    assert set(load(tmp_path, unreadable=True).frame["model"]) == {"a", "b"}
    with pytest.raises(UserError, match="all answers to quantiphy are set apart: b, 100%"):
        load(tmp_path / "b")


def test_benchmarks_are_told_apart(tmp_path):
    save_quantiphy(tmp_path / "q", "m", TASKS)
    save_run(tmp_path / "c", "m", {"conservation_full": both_twins()})
    found = load_every([tmp_path / "q", tmp_path / "c"])
    assert {name: len(answers.frame) for name, answers in found.items()} == {
        "conservation": 8,
        "quantiphy": 3,
    }
    with pytest.raises(UserError, match="c holds no answers to quantiphy"):
        load(tmp_path / "c")
    both = load(tmp_path / "q", tmp_path / "c")  # a shell's results/* names both
    assert len(both.frame) == 3
    (tmp_path / "e").mkdir()
    with pytest.raises(UserError, match="no answers to any benchmark"):
        load_every([tmp_path / "e"])
    with pytest.raises(UserError, match="quantify"):
        load_answers([tmp_path], "quantify")


def test_a_second_reading_uses_the_copy(tmp_path, monkeypatch):
    save_quantiphy(tmp_path, "m", TASKS)
    first = load(tmp_path).frame
    monkeypatch.setattr("physprobe.analysis.conversion.convert", None)
    pd.testing.assert_frame_equal(load(tmp_path).frame, first)


def test_older_runs_of_the_same_questions_are_kept_as_trials(tmp_path):
    save_quantiphy(tmp_path / "new", "m", TASKS, date="20260301_000000")
    assert load(tmp_path).trials is None
    save_quantiphy(tmp_path / "old", "m", TASKS, lambda r: "no idea", date="20260101_000000")
    save_quantiphy(tmp_path / "part", "m", {"quantiphy_s2": [asked(0)]}, date="20260102_000000")
    save_quantiphy(tmp_path / "other", "once", TASKS)
    answers = load(tmp_path)
    assert len(answers.frame) == 6
    assert answers.trials is not None
    assert set(answers.trials["model"]) == {"m"}
    runs = answers.trials.groupby("run")["mra"].mean()
    assert sorted(runs) == [0, 1]
    assert set(reasons(answers)) == {"m"}
