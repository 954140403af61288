from __future__ import annotations

import json
import os
import random
import signal
import time
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from physprobe.harness import catalog
from physprobe.harness.answers.resuming import Tally, batch_size, resuming
from physprobe.harness.answers.store import AnswerStore
from physprobe.harness.failures import EvaluationFailed
from tests.support.stub_model import TASK, StubModel, request

ROWS = [{"media": f"clip {k}", "frames": [0, k]} for k in range(12)]


@pytest.fixture(autouse=True)
def benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that say themselves what they show."""
    module = SimpleNamespace(identity=lambda row: [row["media"], row["frames"]])
    monkeypatch.setattr(catalog, "benchmark_module", lambda task: module)


def run(model: StubModel, requests: list[Any], folder: Path, version: str = "1.0") -> tuple[list[Any], Tally]:
    with resuming(model, AnswerStore(folder, {}), {TASK: version}) as tally:
        outputs = model.generate_until(requests)
    return outputs, tally


def test_a_rerun_asks_nothing_and_answers_the_same(tmp_path: Path) -> None:
    model = StubModel(tmp_path / "log", ROWS)
    first, tally = run(model, [request(k) for k in range(12)], tmp_path)
    assert tally == Tally(questions=12, asked=12)
    again, tally = run(model, [request(k) for k in reversed(range(12))], tmp_path)
    assert again == first[::-1]
    assert tally == Tally(questions=12, reused=12)
    assert model.asked() == list(range(12))
    assert model.calls == [1] * 12  # one at a time, so that none waits for being kept


def test_only_missing_questions_are_asked(tmp_path: Path) -> None:
    model = StubModel(tmp_path / "log", ROWS)
    run(model, [request(k) for k in (1, 4, 7)], tmp_path)
    outputs, tally = run(model, [request(k) for k in range(12)], tmp_path)
    assert [output.text for output in outputs] == [f"answer {k} ♁" for k in range(12)]
    assert tally == Tally(questions=12, reused=3, asked=9)
    assert Counter(model.asked()) == Counter(range(12))


def test_who_watches_learns_how_many_questions_there_are(tmp_path: Path) -> None:
    model = StubModel(tmp_path / "log", ROWS)
    run(model, [request(k) for k in (1, 4, 7)], tmp_path)
    run(model, [request(k) for k in range(12)], tmp_path)
    assert json.loads((tmp_path / "expected-0.json").read_text()) == {"questions": 12, "reused": 3}


@pytest.mark.parametrize(
    "changed",
    [
        {"requests": [request(3, context="Which one?")]},
        {"requests": [request(3, max_new_tokens=9)]},
        {"row": {"media": "another clip", "frames": [0, 3]}},
        {"row": {"media": "clip 3", "frames": [0, 4]}},
        {"version": "1.1"},
    ],
)
def test_nothing_is_reused_once_anything_has_changed(tmp_path: Path, changed: dict[str, Any]) -> None:
    model = StubModel(tmp_path / "log", ROWS)
    run(model, [request(3)], tmp_path)
    rows = [*ROWS[:3], changed.get("row", ROWS[3])]
    later = StubModel(tmp_path / "log", rows)
    _, tally = run(later, changed.get("requests", [request(3)]), tmp_path, changed.get("version", "1.0"))
    assert (tally.reused, tally.asked) == (0, 1)


def test_requests_that_only_fill_up_are_not_asked(tmp_path: Path) -> None:
    model = StubModel(tmp_path / "log", ROWS)
    filled = [request(0), request(1), request(1, padding=True), request(7, padding=True)]
    outputs, tally = run(model, filled, tmp_path)
    assert len(outputs) == 4
    assert model.asked() == [0, 1]
    assert tally == Tally(questions=2, asked=2)


def test_repeats_are_draws_of_their_own(tmp_path: Path) -> None:
    model = StubModel(tmp_path / "log", ROWS)
    same = request(5, temperature=1)
    assert run(model, [same, same, same], tmp_path)[1].asked == 3
    assert run(model, [same, same, same, same], tmp_path)[1] == Tally(questions=4, reused=3, asked=1)


def test_failures_and_blanks_are_not_answers(tmp_path: Path) -> None:
    model = StubModel(tmp_path / "log", ROWS)
    model.replies = {0: "[LMMS_EVAL_REQUEST_FAILED after 5 retries] 500", 1: " \n"}
    assert run(model, [request(0), request(1)], tmp_path)[1] == Tally(2, asked=2, failed=1, blank=1)
    model.replies = {}
    assert run(model, [request(0), request(1)], tmp_path)[1] == Tally(2, asked=2)


def test_a_server_that_only_fails_is_given_up(tmp_path: Path) -> None:
    model = StubModel(tmp_path / "log", [{"media": f"clip {k}", "frames": [k]} for k in range(120)])
    model.replies = {k: "[LMMS_EVAL_REQUEST_FAILED after 1 retries] 401" for k in range(120) if k != 20}
    requests = [request(k) for k in range(120)]
    with pytest.raises(
        EvaluationFailed, match=r"last 50 questions got no answer \(.* 401\); the same command"
    ):
        run(model, requests, tmp_path)
    assert len(model.asked()) == 71
    model.replies = {}
    assert run(model, requests, tmp_path)[1] == Tally(120, reused=1, asked=119)


def test_the_model_is_left_as_it_was(tmp_path: Path) -> None:
    model = StubModel(tmp_path / "log", ROWS)
    run(model, [request(0)], tmp_path)
    assert "generate_until" not in vars(model)


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ({}, 1),
        ({"batch_size": 8}, 8),
        ({"batch_size": "auto"}, 1),
        ({"batch_size": 1, "num_concurrent": 32}, 128),
    ],
)
def test_batches_are_as_large_as_the_model_works_on(model: dict[str, Any], expected: int) -> None:
    assert batch_size(SimpleNamespace(**model)) == expected


def answer_all(model: StubModel, folder: Path, count: int) -> None:
    """In a process of its own: answer, and write the answers at the end, as lmms-eval does."""
    outputs, _ = run(model, [request(k) for k in range(count)], folder / "answers")
    (folder / "finished").write_text(json.dumps([output.text for output in outputs]))


def test_ten_kills_cost_no_answer_and_change_none(tmp_path: Path) -> None:
    """SIGKILL at ten random points of a run of 500 questions, each followed by the same command."""
    count, rng = 500, random.Random(7)
    stops = sorted(rng.sample(range(20, 480), 10))
    model = StubModel(tmp_path / "log", [{"media": f"clip {k}", "frames": [k]} for k in range(count)])
    kept = set()
    for stop in [*stops, None]:
        asked_before, process = len(model.asked()), os.fork()
        if process == 0:
            answer_all(model, tmp_path, count)
            os._exit(0)
        while stop is not None and len(model.asked()) < stop:
            time.sleep(0.0005)
        if stop is not None:
            os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        assert kept.isdisjoint(model.asked()[asked_before:])
        kept = {json.loads(line)["doc_id"] for line in whole_lines(tmp_path / "answers")}
        assert len(model.asked()) - len(kept) <= len(stops)  # at most what was being answered
    assert json.loads((tmp_path / "finished").read_text()) == [f"answer {k} ♁" for k in range(count)]
    assert kept == set(range(count))


def whole_lines(folder: Path) -> list[bytes]:
    files = [path.read_bytes() for path in folder.glob("*.jsonl")]
    return [line for file in files for line in file.split(b"\n")[:-1]]
