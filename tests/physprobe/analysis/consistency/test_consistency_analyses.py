"""Analyses of models whose habits are known, so that every figure can be told beforehand."""

from __future__ import annotations

import csv
import math
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from physprobe.analysis.answers import Answers, load_answers
from physprobe.analysis.consistency.boxes import BINS, boxes
from physprobe.analysis.consistency.categories import categories, confusions, items_of, mechanisms
from physprobe.analysis.consistency.explanations import explanations
from physprobe.analysis.consistency.seeds import seeds, without_seed
from physprobe.analysis.consistency.suites import COLUMNS, leaderboard, suites
from physprobe.analysis.people.table import read_people
from physprobe.consistency.metrics import consistency_scores
from physprobe.consistency.vocabulary import CLEAN, LABELS, SUITES
from physprobe.errors import UserError
from tests.support.consistency_answers import (
    floating,
    rated,
    right,
    save_consistency,
    shortcut,
    silent,
    suite_rows,
)

FAMILIES = 4
QUICK: dict[str, Any] = {"resamples": 100}
MODELS = {"oracle": right, "shortcut": shortcut, "floating": floating, "silent": silent}


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Answers:
    folder = save_consistency(tmp_path_factory.mktemp("runs"), MODELS, FAMILIES)
    return load_answers([folder], "consistency", unreadable=True)


def cell(table: pd.DataFrame, column: str, **levels: str) -> float:
    chosen = table
    for name, level in levels.items():
        chosen = chosen[chosen[name] == level]
    assert len(chosen) == 1, levels
    return float(chosen[column].iloc[0])


def test_answers_are_columns(answers: Answers) -> None:
    frame = answers.frame
    assert len(frame) == len(MODELS) * len(SUITES) * FAMILIES * len(LABELS)
    assert list(frame["suite"].cat.categories) == list(SUITES)
    assert list(frame["category"].cat.categories) == list(LABELS)
    clean = frame[frame["category"] == CLEAN]
    assert clean["iou"].isna().all()
    assert clean["mechanism"].isna().all()
    assert frame.loc[frame["model"] == "silent", "unread"].all()
    assert set(frame.loc[frame["model"] == "silent", "reasons"]) == {"no_object"}
    assert not frame.loc[frame["model"] == "oracle", "invalid"].any()


def test_the_ranking_is_by_intervention_shift(answers: Answers) -> None:
    ranking, against = leaderboard(answers.frame, **QUICK)
    assert "intervention suite" in ranking.title
    assert list(ranking.table["model"]) == ["oracle", "floating", "shortcut", "silent"]
    assert cell(ranking.table, "category_f1", model="oracle") == 1.0
    assert cell(ranking.table, "category_f1", model="floating") == pytest.approx(2 / 12 / 11)
    assert cell(ranking.table, "category_f1", model="shortcut") == pytest.approx(2 / 12 / 11)
    assert cell(ranking.table, "binary_accuracy", model="floating") == pytest.approx(10 / 11)
    assert cell(ranking.table, "balanced", model="floating") == 0.5
    assert cell(ranking.table, "invalid", model="silent") == 1.0
    assert list(ranking.table["rank"]) == [1, 2, 2, 4]
    assert cell(against.table, "difference", model="oracle") == pytest.approx(1 - 2 / 12 / 11)
    assert list(against.table["n"]) == [FAMILIES] * 3


def test_scores_are_those_of_the_metrics(answers: Answers) -> None:
    (scored, _) = suites(answers.frame, **QUICK)
    part = answers.frame[(answers.frame["model"] == "shortcut") & (answers.frame["suite"] == "intervention")]
    for score, estimate in consistency_scores(items_of(part), resamples=100).items():
        for suffix, value in (("", estimate.value), ("_low", estimate.low), ("_high", estimate.high)):
            column = f"{COLUMNS[score]}{suffix}"
            found = cell(scored.table, column, model="shortcut", suite="intervention")
            assert found == pytest.approx(value, nan_ok=True), column


def test_drops_are_in_points_with_intervals(answers: Answers) -> None:
    (_, drops) = suites(answers.frame, **QUICK)
    table = drops.table
    lost = {"model": "shortcut", "score": "category_f1"}
    assert cell(table, "drop", suite="intervention", **lost) == pytest.approx(100 * (1 - 2 / 12 / 11))
    assert cell(table, "standard", suite="intervention", **lost) == 100.0
    assert cell(table, "low", suite="intervention", **lost) > 90
    assert cell(table, "p", suite="intervention", **lost) < 0.05
    assert cell(table, "drop", suite="appearance", **lost) == 0.0
    assert cell(table, "p", suite="appearance", **lost) == 1.0
    assert set(table["model"]) == set(MODELS)


def test_each_category(answers: Answers) -> None:
    (found,) = categories(answers.frame, **QUICK)
    table = found.table
    where = {"model": "floating", "suite": "standard"}
    assert cell(table, "recall", category="floating_object", **where) == 1.0
    assert cell(table, "f1", category="floating_object", **where) == pytest.approx(2 / 12)
    assert cell(table, "recall", category=CLEAN, **where) == 0.0
    assert cell(table, "detected", category="missing_reflection", **where) == 1.0
    assert cell(table, "iou", category="missing_reflection", **where) == pytest.approx(0.25)
    assert math.isnan(cell(table, "iou", category=CLEAN, **where))
    assert len(table) == len(MODELS) * len(SUITES) * len(LABELS)


def test_each_mechanism(answers: Answers) -> None:
    (found,) = mechanisms(answers.frame, **QUICK)
    for label in LABELS[1:]:
        levels = {"model": "shortcut", "category": label}
        assert (cell(found.table, "recall_a", **levels), cell(found.table, "recall_b", **levels)) == (
            1.0,
            0.0,
        )
        assert cell(found.table, "difference", **levels) == 100.0
        assert cell(found.table, "n", **levels) == 2 * FAMILIES
    with pytest.raises(UserError, match="no model was asked about both mechanisms"):
        mechanisms(answers.frame[answers.frame["suite"] == "standard"], **QUICK)


def test_confusion_of_each_model_and_suite(answers: Answers) -> None:
    found = {finding.title: finding.table for finding in confusions(answers.frame)}
    assert len(found) == len(MODELS) * len(SUITES)
    table = found["Confusion of shortcut, intervention suite"].set_index("truth")
    assert table.loc["floating_object", CLEAN] == FAMILIES
    assert table.drop(columns="n").to_numpy().sum() == FAMILIES * len(LABELS)
    assert found["Confusion of silent, standard suite"]["unread"].tolist() == [FAMILIES] * len(LABELS)


def test_how_box_iou_is_spread(answers: Answers) -> None:
    (found,) = boxes(answers.frame, **QUICK)
    table = found.table
    assert cell(table, "to_100", model="oracle", suite="standard") == 1.0
    assert cell(table, "to_25", model="floating", suite="standard") == 1.0  # exactly a quarter
    assert cell(table, "zero", model="silent", suite="standard") == 1.0
    assert cell(table, "iou", model="floating", suite="standard") == 0.25
    assert np.allclose(table[list(BINS)].sum(axis=1), 1.0)


def test_rated_explanations(tmp_path: Path, answers: Answers) -> None:
    for model, rating in (("good", "correct"), ("bad", "partial")):
        save_consistency(tmp_path, {model: right}, FAMILIES, marked=rated(rating))
    (found,) = explanations(load_answers([tmp_path], "consistency").frame, **QUICK)
    assert cell(found.table, "correct", model="good", suite="standard") == 1.0
    assert cell(found.table, "partial", model="bad", suite="intervention") == 1.0
    assert cell(found.table, "n", model="good", suite="standard") == 10 * FAMILIES
    with pytest.raises(UserError, match="no explanations are rated: configure judges"):
        explanations(answers.frame, **QUICK)


def test_adapted_models_are_averaged_over_seeds(tmp_path: Path) -> None:
    runs = {
        "llava-lora-seed1": right,
        "llava-lora-seed2": floating,
        "llava-lora-seed3": right,
        "other": right,
    }
    save_consistency(tmp_path, runs, FAMILIES)
    (found,) = seeds(load_answers([tmp_path], "consistency", reruns=True).frame)
    assert set(found.table["model"]) == {"llava-lora"}
    values = [1, 2 / 12 / 11, 1]
    where = {"model": "llava-lora", "suite": "standard"}
    assert cell(found.table, "n", **where) == 3
    assert cell(found.table, "category_f1", **where) == pytest.approx(np.mean(values))
    assert cell(found.table, "category_f1_sd", **where) == pytest.approx(np.std(values, ddof=1))
    save_consistency(tmp_path / "alone", {"m": right}, FAMILIES)
    with pytest.raises(UserError, match="no model has two seeds"):
        seeds(load_answers([tmp_path / "alone"], "consistency", reruns=True).frame)


@pytest.mark.parametrize(
    ("name", "base"),
    [
        ("llava-lora-seed1", "llava-lora"), ("llava_seed_12", "llava"), ("a/b-s3", "a/b"), ("x seed=3", "x"),
        ("gpt-4", "gpt-4"), ("vicuna-7b-v1.5", "vicuna-7b-v1.5"), ("seed1", "seed1"), ("models3", "models3"),
    ],
)  # fmt: skip
def test_seeds_in_names(name: str, base: str) -> None:
    assert without_seed(name) == base


def test_a_run_given_twice_is_refused(answers: Answers) -> None:
    twice = pd.concat([answers.frame, answers.frame])
    with pytest.raises(UserError, match="has two answers to question"):
        suites(twice, **QUICK)


def test_models_that_can_not_be_read_are_left_out(tmp_path: Path) -> None:
    told = {"unreadable": {"threshold": 0.5, "rate": 1.0, "flagged": True}}
    save_consistency(tmp_path, {"silent": silent}, told=told)
    save_consistency(tmp_path, {"oracle": right})
    found = load_answers([tmp_path], "consistency")
    assert set(found.frame["model"]) == {"oracle"}
    assert {apart.source.model for apart in found.apart} == {"silent"}


def test_people_stand_beside_models_and_are_not_compared(tmp_path: Path) -> None:
    save_consistency(tmp_path / "runs", {"oracle": right, "floating": floating})
    with (tmp_path / "people.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["participant", "benchmark", "question_id", "answer"])
        for person, row in product(("P1", "P2"), suite_rows("intervention", 2)):
            table.writerow([person, "consistency", row["question_id"], right(row)])
    people = read_people(tmp_path / "people.csv")
    frame = load_answers([tmp_path / "runs"], "consistency", people=people).frame
    ranking, against = leaderboard(frame, **QUICK)
    assert cell(ranking.table, "category_f1", model="people") == 1.0
    assert cell(ranking.table, "n", model="people") == 2 * 2 * len(LABELS)
    assert list(against.table["model"]) == ["oracle"]
