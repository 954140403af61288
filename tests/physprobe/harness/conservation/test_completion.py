"""Judging and breaking down results that look like those of lmms-eval's simple_evaluate."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from physprobe.conservation.metrics import AnswerRecord, conservation_scores, metric_names
from physprobe.harness.carriers import Score
from physprobe.harness.conservation import completion, marking, questions
from tests.support.conservation_rows import dataset, twins
from tests.support.judge_server import JudgeServer, closed_port, judge_server, replies

VAGUE = "Spreading coins out does not create any, so I would go for equality."
LOST = "Hard to tell, all of them look alike to me."
TASKS = ("conservation_number", "conservation_length")
ROWS = {
    task: [
        r for k in range(3) for style in ("direct", "cot") for r in twins(f"{task[13:]}_a_{k}", style=style)
    ]
    for task in TASKS
}


@pytest.fixture(scope="module")
def _fresh_server() -> Iterator[Callable[[], JudgeServer]]:
    with judge_server() as fresh:
        yield fresh


@pytest.fixture
def judges(
    _fresh_server: Callable[[], JudgeServer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], JudgeServer]:
    """Configure two judges at a URL ("": the test server's)."""
    server = _fresh_server()
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("PHYSPROBE_JUDGE_CACHE", str(tmp_path / "cache"))

    def configure(url: str = "") -> JudgeServer:
        limits = {"attempts": 1, "give_up_after": 2, "timeout_s": 10}
        panel = {"judges": [{"name": name, "base_url": url or server.url} for name in ("one", "two")]}
        (tmp_path / "panel.yaml").write_text(yaml.safe_dump({**panel, "limits": limits}))
        monkeypatch.setenv("PHYSPROBE_JUDGES", str(tmp_path / "panel.yaml"))
        return server

    for name in ("PHYSPROBE_JUDGES", "PHYSPROBE_JUDGE_URL"):
        monkeypatch.delenv(name, raising=False)
    return configure


def evaluated(answer: Callable[[dict[str, Any]], str], log_samples: bool = True) -> dict[str, Any]:
    """What simple_evaluate returns when a model answers both tasks of a group."""
    aggregate = {e["metric"]: e["aggregation"] for e in marking.SCORING.metric_list(marking.SCORES)}
    rows: dict[str, Any] = {}
    samples: dict[str, Any] = {}
    for task in TASKS:
        asked = questions.all_questions(dataset(ROWS[task])).to_list()
        marked = [marking.mark(row, answer(row)) for row in asked]
        rows[task] = {f"{name},none": aggregate[name]([m[name] for m in marked]) for name in aggregate}
        samples[task] = [{"doc_id": k, **m} for k, m in enumerate(marked)]
    group = {
        f"{name},none": marking.SCORING.pool([rows[task][f"{name},none"] for task in TASKS], [12, 12], False)
        for name in aggregate
    }
    return {
        "results": {"conservation": {"alias": "all", **group}, **rows},
        "groups": {"conservation": dict(group)},
        "configs": {task: {} for task in TASKS},
        "group_subtasks": {"conservation": list(TASKS)},
        **({"samples": samples} if log_samples else {}),
    }


def value(results: dict[str, Any], task: str, metric: str) -> float:
    return results["results"][task][f"{metric},none"]


def test_without_judges_the_results_say_that_templates_read_alone(judges: Any) -> None:
    results = evaluated(lambda row: VAGUE if row["prompt_style"] == "cot" else f"({row['answer']})")
    found = completion.complete(results)
    assert found["matching"] == {
        "matching": "stage1-only",
        "answers": 24,
        "read_by_templates": 12,
        "read_by_judges": 0,
        "unread": 12,
    }
    assert value(results, "conservation", "rate_unread") == 0.5


def test_scores_are_broken_down_by_each_factor_for_tasks_and_group(judges: Any) -> None:
    results = evaluated(lambda row: f"({row['answer']})" if row["prompt_style"] == "cot" else "(A)")
    scores = completion.complete(results)["scores"]
    assert set(scores) == {"conservation", *TASKS}
    assert list(scores["conservation"]) == ["all", "domain", "prompt_style", "frame_count", "extraction"]
    by_style = scores["conservation"]["prompt_style"]
    assert by_style["cot"]["accuracy_overall"] == {"value": 1.0, "low": 1.0, "high": 1.0, "n": 12}
    assert (by_style["direct"]["share_same"]["value"], by_style["cot"]["share_same"]["value"]) == (1.0, 0.5)
    assert scores["conservation"]["domain"]["length"] == scores["conservation_length"]["all"]
    assert scores["conservation"]["frame_count"] == {"7": scores["conservation"]["all"]}
    number, low, high = metric_names("accuracy_strict_pair")
    strict = scores["conservation_number"]["all"]["accuracy_strict_pair"]
    assert [strict["value"], strict["low"], strict["high"]] == [
        value(results, "conservation_number", name) for name in (number, low, high)
    ]
    json.dumps(scores, allow_nan=False)


def test_judges_read_what_templates_leave_in_one_batch(judges: Any) -> None:
    server = judges()
    for name in ("one", "two"):
        server.play(name, replies(lambda prompt: "A" if "Spreading" in prompt else "fail"))
    said = {"direct": VAGUE, "cot": LOST}
    results = evaluated(lambda row: said[row["prompt_style"]])
    matching = completion.complete(results)["matching"]
    assert (matching["matching"], matching["answers"], matching["read_by_templates"]) == ("hybrid", 24, 0)
    assert (matching["read_by_judges"], matching["unread"], matching["unread_fail"]) == (12, 12, 12)
    assert "incomplete" not in matching
    assert (
        server.count("one") == len({request.prompt for request in server.seen}) == 4
    )  # 2 answers x 2 domains


def test_what_judges_read_reaches_scores_groups_and_samples(judges: Any) -> None:
    server = judges()
    for name in ("one", "two"):
        server.play(name, replies(lambda prompt: "A" if "Spreading" in prompt else "fail"))
    results = evaluated(lambda row: VAGUE if row["prompt_style"] == "direct" else LOST)
    scores = completion.complete(results)["scores"]
    records = []
    for task in TASKS:
        for sample in results["samples"][task]:
            details = sample[marking.DETAILS]
            direct = details["prompt_style"] == "direct"
            assert (details["letter"], details["rule"]) == (
                ("A", "judges") if direct else (None, "judges_fail")
            )
            assert details["relation"] == ("same" if direct else None)
            assert details["judges"] == dict.fromkeys(("one", "two"), "A" if direct else "fail")
            right = "correct" if details["condition"] == "conserving" else "wrong"
            assert sample["rate_unread"] == (right if direct else "unread")
            records.append(AnswerRecord.taken_from(details))
    expected = conservation_scores(records)
    for score in marking.SCORES:
        for table in ("results", "groups"):
            found = [results[table]["conservation"][f"{name},none"] for name in metric_names(score)]
            assert found == [expected[score].value, expected[score].low, expected[score].high]
            assert all(isinstance(each, Score) for each in found)
        assert scores["conservation"]["all"][score]["value"] == expected[score].value
    assert value(results, "conservation_number", "rate_unread") == 0.5


def test_samples_need_not_be_kept_for_judging(judges: Any) -> None:
    server = judges()
    for name in ("one", "two"):
        server.play(name, replies(lambda prompt: "A"))
    results = evaluated(lambda row: VAGUE, log_samples=False)
    assert completion.complete(results)["matching"]["read_by_judges"] == 24
    assert value(results, "conservation", "accuracy_conserving") == 1.0


def test_unreachable_judges_leave_the_scores_of_stage_1_and_say_so(judges: Any) -> None:
    judges(closed_port())
    results = evaluated(lambda row: VAGUE if row["prompt_style"] == "cot" else f"({row['answer']})")
    found = completion.complete(results)
    assert found["matching"]["matching"] == "hybrid-incomplete"
    assert (found["matching"]["read_by_templates"], found["matching"]["unread"]) == (12, 12)
    assert "12 of 24 answers remain unread" in found["matching"]["incomplete"]
    assert value(results, "conservation", "accuracy_overall") == 0.5
    assert found["scores"]["conservation"]["all"]["rate_unread"]["value"] == 0.5
    details = results["samples"][TASKS[0]][2][marking.DETAILS]
    assert (details["prompt_style"], details["rule"]) == ("cot", "judges_pending")


def test_judges_that_cannot_be_used_do_not_lose_the_run(judges: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    judges()
    monkeypatch.setenv("PHYSPROBE_JUDGES", "/no/such/panel.yaml")
    results = evaluated(lambda row: VAGUE)
    matching = completion.complete(results)["matching"]
    assert matching["matching"] == "stage1-only"
    assert matching["incomplete"].startswith(
        "24 of 24 answers remain unread: judges file /no/such/panel.yaml"
    )


def test_tasks_without_scores_have_nothing_to_complete() -> None:
    captions = {"configs": {"conservation_caption_frames": {}}, "group_subtasks": {}}
    results = {**captions, "results": {"conservation_caption_frames": {"captions_kept,none": 7.0}}}
    assert completion.complete(results) == {}
