"""Answers to PICABench as columns, and what is said of them in analyses and reports."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from physprobe.analysis.answers import load_answers
from physprobe.analysis.picabench.leaderboard import by_factor, leaderboard
from physprobe.analysis.printing import remarks
from physprobe.cli import app
from physprobe.cli.runner import run
from physprobe.errors import UserError
from tests.support.saved_picabench import asked, said, save_picabench

ROWS = [asked(number, truth=number != 3) for number in range(6)]  # five times yes, once no
QUICK = {"resamples": 60}


def load(*places: Path):
    return load_answers(places, "picabench")


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """One model that is right, and one that always says no, with a box that misses half of the true one."""
    save_picabench(tmp_path / "oracle", "oracle", ROWS)
    save_picabench(tmp_path / "no", "no", ROWS, lambda row: said(False, (0.25, 0.25, 0.5, 0.75)))
    return tmp_path


def test_every_column(tmp_path):
    save_picabench(
        tmp_path, "m", ROWS[:3], lambda row: "Perhaps." if row["question_id"] == "0_1" else said(True)
    )
    first, second, third = load(tmp_path).frame.to_dict("records")
    assert (first["question_id"], first["image_id"], first["physics_category"]) == ("0_0", "0", "Optics")
    assert (first["truth"], first["said"], first["correct"], first["iou"]) == (True, True, True, 1)
    assert (first["unread"], first["invalid"], first["edit_operation"]) == (False, False, "")
    assert (second["unread"], second["invalid"], second["correct"], second["iou"]) == (True, True, False, 0)
    assert (third["correct"], math.isnan(third["iou"]), third["line"]) == (True, True, 2)


def test_the_ranking(two):
    answers = load(two)
    (ranking,) = leaderboard(answers.frame, **QUICK)
    best, worst = ranking.table.to_dict("records")
    assert (best["rank"], best["model"], best["n"], best["images"]) == (1, "oracle", 6, 3)
    assert (best["accuracy"], best["iou"], best["iou_50"], best["invalid"]) == (1, 1, 1, 0)
    assert (worst["rank"], worst["accuracy"]) == (2, pytest.approx(1 / 6))
    assert (worst["iou"], worst["iou_75"]) == (0.5, 0)
    assert worst["accuracy_low"] <= worst["accuracy"] <= worst["accuracy_high"]
    assert "always saying one thing gives an accuracy of 0.833" in ranking.notes
    assert remarks(answers) == []


def test_what_questions_are_about(two):
    categories, laws, difficulties = by_factor(load(two).frame, **QUICK)
    rows = categories.table.set_index(["model", "physics_category"])
    assert rows.loc[("no", "Optics"), "accuracy"] == 1 / 4
    assert rows.loc[("no", "Mechanics"), ["accuracy", "n", "images"]].tolist() == [0, 2, 1]
    assert math.isnan(rows.loc[("oracle", "Mechanics"), "iou"])
    assert list(laws.table["physics_law"]) == ["Deformation", "Reflection"] * 2
    assert set(difficulties.table["difficulty"]) == {"superficial"}


def test_other_questions_are_another_dataset(two, tmp_path):
    save_picabench(tmp_path / "other", "other", [{**row, "truth": False} for row in ROWS])
    (apart,) = load(tmp_path).apart
    assert apart.source.model == "other"
    assert apart.reason.startswith("another dataset: question")


def test_a_run_with_two_answers_to_a_question_is_refused(tmp_path):
    save_picabench(tmp_path, "m", [*ROWS, *ROWS])
    with pytest.raises(UserError, match="m has two answers to question '0_0'"):
        leaderboard(load(tmp_path).frame, **QUICK)


def test_a_report_has_a_part(two, tmp_path):
    out = tmp_path / "report"
    places = [str(two / name) for name in ("oracle", "no")]
    assert run(app, ["report", *places, "--out", str(out), "--resamples", "100"]) == 0
    text = (out / "index.html").read_text()
    assert "<h1>PICABench</h1>" in text
    assert "<dt>Dataset</dt><dd>sha256 111111111111</dd>" in text
    assert "oracle is first: 100.0% of 6 questions on 3 edited images answered rightly" in text
    assert "where always saying the same gets 83.3%" in text
    tables = {path.name for path in (out / "tables").glob("*.csv")}
    assert len([name for name in tables if name.startswith("picabench-factors")]) == 3
    assert len(tables) == 4


@pytest.mark.parametrize("name", ["leaderboard", "factors"])
def test_the_commands(name, two, capsys):
    command = ["analyse", f"picabench-{name}", *(str(two / model) for model in ("oracle", "no"))]
    assert run(app, [*command, "--resamples", "100"]) == 0
    assert "made by physprobe.analysis.picabench.leaderboard." in capsys.readouterr().out
