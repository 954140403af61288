from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from physprobe.harness.consistency.completion import summary
from physprobe.harness.consistency.explanations import explained, share_correct
from physprobe.harness.consistency.marking import DETAILS, Reading, mark
from physprobe.harness.evaluation import shortfalls
from tests.support.consistency_answers import floating, right, suite_rows
from tests.support.evaluation import write_config
from tests.support.judge_server import closed_port

TASK = "physical_consistency_standard"


@pytest.fixture(autouse=True)
def _no_judges(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("PHYSPROBE_JUDGES", "PHYSPROBE_JUDGE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PHYSPROBE_JUDGE_CACHE", str(tmp_path / "judged"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def answered(answer: Any) -> tuple[dict[str, tuple[Reading, ...]], dict[str, Any]]:
    """Readings by task, and results of lmms-eval with their samples."""
    marked = [mark(row, answer(row)) for row in suite_rows("standard", 2)]
    readings = tuple(Reading.of(each[DETAILS]) for each in marked)
    return {TASK: readings}, {"samples": {TASK: marked}, "group_subtasks": {}}


def test_without_judges_nothing_is_rated() -> None:
    readings, results = answered(right)
    assert explained(results, readings) == {"matching": {"matching": "unrated"}}
    assert "explanation_rating" not in results["samples"][TASK][1][DETAILS]


def test_judges_out_of_reach_are_told_and_the_run_counts_as_incomplete(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    panel = {
        "judges": [{"name": "far", "base_url": closed_port()}],
        "limits": {"attempts": 1, "give_up_after": 1, "backoff_s": 0.01},
    }
    monkeypatch.setenv("PHYSPROBE_JUDGES", write_config(tmp_path / "judges.yaml", panel))
    readings, results = answered(right)
    found = explained(results, readings)
    assert found["explanations"]["ratings"] == {TASK: {"pending": 20}}
    assert found["explanations"]["correct"][TASK]["value"] is None
    assert results["samples"][TASK][1][DETAILS]["explanation_rating"] == "pending"
    (shortfall,) = shortfalls({"physprobe": {"consistency": found}})
    assert "20 of 20 explanations are not rated because judges gave no reply: far (" in str(shortfall)
    assert shortfall.exit_code == 3  # type: ignore[attr-defined]


def test_a_wrong_configuration_keeps_the_scores(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PHYSPROBE_JUDGES", str(tmp_path / "none.yaml"))
    readings, results = answered(right)
    found = explained(results, readings)["matching"]
    assert found["matching"] == "unrated"
    assert "explanations are not rated: " in found["incomplete"]


def test_the_share_is_over_rated_explanations_and_resamples_families() -> None:
    found = share_correct([("a", "correct"), ("a", "correct"), ("b", "split"), ("b", "pending")])
    assert (found.value, found.n) == (pytest.approx(2 / 3), 3)
    assert found.low < found.value < found.high
    assert math.isnan(share_correct([("a", "pending")]).value)


def test_the_summary_of_a_run() -> None:
    readings, results = answered(floating)
    found = summary({**results, "group_subtasks": {"physical_consistency": [TASK]}}, readings)
    for task in (TASK, "physical_consistency"):
        scores = found["scores"][task]
        assert scores["category"]["floating_object"]["recall"]["value"] == 1.0
        assert scores["all"]["accuracy_binary"]["value"] == pytest.approx(10 / 11)
        assert {*scores["mechanism"]} == {"A"}
        assert found["confusion"][task]["counts"][0][3] == 2  # clean, called floating
    assert not found["unreadable"]["flagged"]
