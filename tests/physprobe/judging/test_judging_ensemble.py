from __future__ import annotations

import asyncio
import logging
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from physprobe.errors import UserError
from physprobe.judging.config import Judge, Panel
from physprobe.judging.ensemble import judge_answers
from physprobe.judging.questions import JudgeItem
from tests.physprobe.judging.conftest import IMPATIENT, QUICK
from tests.support.judge_server import (
    closed_port,
    cuts,
    drips,
    hanging_up_server,
    hangs,
    raw,
    replies,
    says,
    slow,
    status,
)

FOUR = ("qwen", "mixtral", "deepseek", "llama")
SECRET = "sk-very-secret-0123456789"


def item(name: str, verdicts: tuple[str, ...] = ("A", "B", "C", "fail")) -> JudgeItem:
    return JudgeItem(name, f"the prompt of {name}", verdicts, "test-1")


def reasons(verdict) -> list[str]:
    return [judge.reason for judge in verdict.verdicts]


def test_judges_that_agree(server, panel_of, tmp_path: Path) -> None:
    for name in FOUR:
        server.play(name, says("B"))
    (verdict,) = judge_answers([item("x")], panel_of(*FOUR), tmp_path)
    assert (verdict.decision, verdict.outcome) == ("B", "accepted")
    assert reasons(verdict) == ["agree"] * 4
    assert [judge.judge for judge in verdict.verdicts] == list(FOUR)
    assert len(server.seen) == 4
    assert {request.prompt for request in server.seen} == {"the prompt of x"}
    for request in server.seen:
        assert request.body["temperature"] == 0
        assert request.body["max_tokens"] == 64
        assert len(request.body["messages"]) == 1
        assert request.authorization is None


def test_three_of_four_are_enough_and_two_are_not(server, panel_of, tmp_path: Path) -> None:
    for name in FOUR[:2]:
        server.play(name, says("A"))
    server.play("deepseek", replies(lambda prompt: "<think>hm</think>\nA" if "easy" in prompt else "C"))
    server.play("llama", says("B"))
    easy, hard = judge_answers([item("easy"), item("hard")], panel_of(*FOUR), tmp_path)
    assert (easy.decision, easy.outcome) == ("A", "accepted")
    assert reasons(easy) == ["agree", "agree", "agree", "disagree"]
    assert (hard.decision, hard.outcome) == (None, "fail")
    assert reasons(hard) == ["disagree"] * 4
    assert [judge.verdict for judge in hard.verdicts] == ["A", "A", "C", "B"]


@pytest.mark.parametrize(
    ("reply", "detail"),
    [
        (says("The answer is A."), "no verdict"),
        (says("A\n\nThe answer says that the upper row has more coins. " * 50), "no verdict"),
        (says(""), "no verdict"),
        (says(None), "no verdict"),
        (says("1"), "no verdict"),
        (says("A", finish="length"), "reply cut off"),
    ],
)
def test_garbage_is_an_abstention_and_is_not_asked_again(
    server, panel_of, tmp_path: Path, reply, detail: str
) -> None:
    server.play("qwen", reply)
    for name in FOUR[1:]:
        server.play(name, says("A"))
    for cached in (False, True):
        (verdict,) = judge_answers([item("x")], panel_of(*FOUR), tmp_path)
        assert verdict.decision == "A"
        assert reasons(verdict) == ["garbage", "agree", "agree", "agree"]
        assert (verdict.verdicts[0].verdict, verdict.verdicts[0].detail) == (None, detail)
        assert {judge.cached for judge in verdict.verdicts} == {cached}
    assert len(server.seen) == 4


@pytest.mark.parametrize(
    ("play", "reason", "detail", "requests"),
    [
        (hangs(), "timeout", "0.2 s", 3),
        (drips(), "timeout", "0.2 s", 3),
        (status(429), "http_status", "429", 3),
        (status(500), "http_status", "500", 3),
        (status(503), "http_status", "503", 3),
        (status(400), "http_status", "400", 1),
        (status(401), "http_status", "401", 1),
        (status(302, location="http://127.0.0.1:9/v1"), "http_status", "302", 1),
        (cuts(), "connection", "RemoteProtocolError", 3),
        (raw(b"<html>gateway</html>"), "bad_response", "no chat completion", 3),
        (raw(b'{"choices": []}'), "bad_response", "no chat completion", 3),
        (raw(b'{"choices": [{"message": {"content": ["A"]}}]}'), "bad_response", "content is no text", 3),
        (raw(b"\xff\x00"), "bad_response", "no chat completion", 3),
        (raw(b"[" * 100_000), "bad_response", "no chat completion", 3),
        (raw(b" " * 5_000_000), "bad_response", "too long", 3),
    ],
)
def test_faults_are_told_and_attempts_are_bounded(
    server, panel_of, tmp_path: Path, play, reason: str, detail: str, requests: int
) -> None:
    server.play("qwen", play)
    panel = panel_of("qwen", limits=IMPATIENT if reason == "timeout" else {})
    (verdict,) = judge_answers([item("x")], panel, tmp_path)
    assert (verdict.decision, verdict.outcome) == (None, "pending")
    assert reasons(verdict) == [reason]
    assert verdict.verdicts[0].detail == detail
    fewest = 1 if reason == "timeout" else requests  # a busy machine may not even connect in time
    assert fewest <= server.count("qwen") <= requests
    assert not list(tmp_path.rglob("*.json"))


@pytest.mark.parametrize("failure", [status(500), status(429, retry_after="0"), cuts(), raw(b"{}")])
def test_a_passing_fault_is_overcome(server, panel_of, tmp_path: Path, failure) -> None:
    server.play("qwen", failure, failure, says("C"))
    (verdict,) = judge_answers([item("x")], panel_of("qwen"), tmp_path)
    assert verdict.decision == "C"
    assert server.count("qwen") == 3


def test_a_timeout_is_overcome(server, panel_of, tmp_path: Path) -> None:
    server.play("qwen", hangs(), says("C"))
    panel = panel_of("qwen", limits={**IMPATIENT, "attempts": 20})
    assert judge_answers([item("x")], panel, tmp_path)[0].decision == "C"
    assert server.count("qwen") >= 2


def test_retry_after_is_honoured_by_every_request_to_the_judge(server, panel_of, tmp_path: Path) -> None:
    server.play("qwen", status(429, retry_after="0.4"), says("A"))
    panel = panel_of("qwen", limits={"concurrency": 1})
    verdicts = judge_answers([item("x"), item("y")], panel, tmp_path)
    assert [verdict.decision for verdict in verdicts] == ["A", "A"]
    first, second, _ = (request.at for request in server.seen)
    assert second - first >= 0.4


def test_a_retry_after_beyond_the_deadline_is_not_waited_for(server, panel_of, tmp_path: Path) -> None:
    server.play("qwen", status(429, retry_after="3600"))
    verdicts = judge_answers([item("x"), item("y")], panel_of("qwen", limits={"concurrency": 1}), tmp_path)
    assert [reasons(verdict) for verdict in verdicts] == [["http_status"], ["not_asked"]]
    assert server.count("qwen") == 1


def test_the_deadline_of_an_item_bounds_its_attempts(server, panel_of, tmp_path: Path) -> None:
    server.play("qwen", hangs())
    panel = panel_of("qwen", limits={**IMPATIENT, "attempts": 20, "deadline_s": 0.5})
    (verdict,) = judge_answers([item("x")], panel, tmp_path)
    assert reasons(verdict) == ["timeout"]
    assert 1 <= server.count("qwen") <= 3


def test_the_deadline_of_the_run_bounds_everything(server, panel_of, tmp_path: Path) -> None:
    server.play("qwen", slow(0.15, "A"))
    panel = panel_of("qwen", limits={"concurrency": 1, "run_deadline_s": 1.5})
    verdicts = judge_answers([item(f"x{k}") for k in range(50)], panel, tmp_path)
    assert verdicts[0].decision == "A"
    assert verdicts[-1].outcome == "pending"
    assert (reasons(verdicts[-1]), verdicts[-1].verdicts[0].detail) == (["not_asked"], "run deadline")


@pytest.mark.parametrize(("play", "requests"), [(status(401), 1), (status(404), 1), (status(500), 3 * 2)])
def test_a_dead_judge_is_given_up(server, panel_of, tmp_path: Path, play, requests: int) -> None:
    server.play("qwen", play)
    panel = panel_of("qwen", limits={"concurrency": 1, "give_up_after": 2})
    verdicts = judge_answers([item(f"x{k}") for k in range(30)], panel, tmp_path)
    assert server.count("qwen") == requests
    assert {verdict.outcome for verdict in verdicts} == {"pending"}
    assert reasons(verdicts[0]) == ["http_status"]
    assert reasons(verdicts[-1]) == ["not_asked"]
    assert verdicts[-1].verdicts[0].detail.startswith("after ")


def test_one_unreachable_judge_does_not_matter_where_the_others_agree(
    server, panel_of, tmp_path: Path
) -> None:
    for name in FOUR[:3]:
        server.play(name, replies(lambda prompt: "A" if "easy" in prompt else "B"))
    server.play("qwen", says("A"))
    dead = Judge(name="llama", base_url=closed_port())
    panel = panel_of(*FOUR[:3])
    panel = panel.model_copy(update={"judges": (*panel.judges, dead), "quorum": 3})
    easy, hard = judge_answers([item("easy"), item("hard")], panel, tmp_path)
    assert (easy.decision, reasons(easy)) == ("A", ["agree", "agree", "agree", "connection"])
    assert easy.verdicts[3].detail == "ConnectError"
    assert (hard.decision, hard.outcome) == (None, "pending")


def test_a_server_that_hangs_up(tmp_path: Path) -> None:
    with hanging_up_server() as url:
        panel = Panel(judges=(Judge(name="a", base_url=url),), limits=QUICK)
        (verdict,) = judge_answers([item("x")], panel, tmp_path)
    assert reasons(verdict) == ["connection"]


def test_requests_run_at_once_within_bounds(server, panel_of, tmp_path: Path) -> None:
    for name in ("qwen", "llama"):
        server.play(name, slow(0.1, "A"))
    items = [item(f"x{k}") for k in range(24)]
    panel = panel_of("qwen", "llama")
    verdicts = judge_answers(items, panel, tmp_path)
    assert {verdict.decision for verdict in verdicts} == {"A"}
    assert [verdict.item_id for verdict in verdicts] == [x.item_id for x in items]
    assert server.most_at_once == {"qwen": 4, "llama": 4}


def test_equal_questions_are_asked_once(server, panel_of, tmp_path: Path) -> None:
    server.play("qwen", says("A"))
    same = [JudgeItem(f"x{k}", "the same prompt", ("A", "fail"), "test-1") for k in range(10)]
    verdicts = judge_answers(same, panel_of("qwen"), tmp_path)
    assert [verdict.item_id for verdict in verdicts] == [f"x{k}" for k in range(10)]
    assert server.count("qwen") == 1


def test_a_second_run_works_off_line_from_the_cache(server, panel_of, tmp_path: Path) -> None:
    for name in FOUR:
        server.play(name, replies(lambda prompt: "ABC"[len(prompt) % 3]))
    items = [item("x" * k) for k in range(1, 8)]
    first = judge_answers(items, panel_of(*FOUR), tmp_path)
    assert len(server.seen) == 28
    assert [verdict.decision for verdict in judge_answers(items, panel_of(*FOUR), tmp_path)] == [
        verdict.decision for verdict in first
    ]
    gone = closed_port()
    judges = tuple(Judge(name=name, base_url=gone, api_key_env="UNSET_KEY") for name in FOUR)
    again = judge_answers(items, Panel(judges=judges, limits=QUICK), tmp_path, environment={})
    assert [verdict.decision for verdict in again] == [verdict.decision for verdict in first]
    assert all(judge.cached for verdict in again for judge in verdict.verdicts)
    assert len(server.seen) == 28


@pytest.mark.parametrize("change", [{"revision": "2"}, {"model": "org/qwen"}, {"max_tokens": 100}])
def test_another_model_is_asked_anew(server, panel_of, tmp_path: Path, change: dict[str, object]) -> None:
    for name in ("qwen", "org/qwen"):
        server.play(name, says("A"))
    panel = panel_of("qwen")
    judge_answers([item("x")], panel, tmp_path)
    changed = panel.judges[0].model_copy(update=change)
    judge_answers([item("x")], panel.model_copy(update={"judges": (changed,)}), tmp_path)
    judge_answers([JudgeItem("x", "the prompt of x", ("A",), "test-2")], panel, tmp_path)
    assert len(server.seen) == 3


def test_a_damaged_reply_is_asked_for_again(server, panel_of, tmp_path: Path) -> None:
    server.play("qwen", says("A"))
    for _ in range(2):
        judge_answers([item("x"), item("y")], panel_of("qwen"), tmp_path)
        next(tmp_path.rglob("*.json")).write_text('{"reply": ')
    (x, y) = judge_answers([item("x"), item("y")], panel_of("qwen"), tmp_path)
    assert (x.decision, y.decision) == ("A", "A")
    assert server.count("qwen") == 4


def test_only_what_failed_is_asked_again(server, panel_of, tmp_path: Path) -> None:
    server.play("qwen", *[status(400)] * 2, says("A"))
    items = [item(f"x{k}") for k in range(5)]
    panel = panel_of("qwen", limits={"concurrency": 1})
    first = judge_answers(items, panel, tmp_path)
    assert [verdict.outcome for verdict in first] == ["pending"] * 2 + ["accepted"] * 3
    assert {verdict.outcome for verdict in judge_answers(items, panel, tmp_path)} == {"accepted"}
    assert server.count("qwen") == 7


def test_off_line_nobody_is_asked(server, panel_of, tmp_path: Path) -> None:
    server.play("qwen", says("A"))
    judge_answers([item("x")], panel_of("qwen"), tmp_path)
    x, y = judge_answers([item("x"), item("y")], panel_of("qwen", offline=True), tmp_path)
    assert x.decision == "A"
    assert (reasons(y), y.verdicts[0].detail, y.outcome) == (["not_asked"], "offline", "pending")
    assert server.count("qwen") == 1


def test_no_items_need_nobody(panel_of, tmp_path: Path) -> None:
    assert judge_answers([], panel_of("qwen"), tmp_path / "cache") == []
    assert not (tmp_path / "cache").exists()


def test_questions_of_another_kind(server, panel_of, tmp_path: Path) -> None:
    rubric = ("incorrect", "partially correct", "correct")
    for name in FOUR:
        server.play(name, says("partially correct"))
    (verdict,) = judge_answers([item("x", rubric)], panel_of(*FOUR), tmp_path)
    assert verdict.decision == "partially correct"


def keyed(url: str) -> Panel:
    return Panel(judges=(Judge(name="a", base_url=url, api_key_env="A_KEY"),), limits=QUICK)


def test_the_key_goes_to_the_judge_and_nowhere_else(server, tmp_path: Path, caplog, capfd) -> None:
    caplog.set_level(logging.DEBUG)
    server.play("a", status(500, SECRET), says(f"Incorrect API key provided: {SECRET}"))
    (verdict,) = judge_answers([item("x")], keyed(server.url), tmp_path, environment={"A_KEY": SECRET})
    (other,) = judge_answers([item("x")], keyed(closed_port()), tmp_path / "b", environment={"A_KEY": SECRET})
    assert {request.authorization for request in server.seen} == {f"Bearer {SECRET}"}
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*.json"))
    assert b"[REDACTED]" in kept
    shown = f"{verdict}{other}{caplog.text}{capfd.readouterr()}{kept!r}"
    assert "500, attempt 1" in shown
    assert SECRET not in shown


def test_a_missing_key_is_told_before_anybody_is_asked(server, panel_of, tmp_path: Path) -> None:
    server.play("qwen", says("A"))
    panel = panel_of("qwen")
    panel = panel.model_copy(update={"judges": (*panel.judges, *keyed(server.url).judges)})
    with pytest.raises(UserError, match=r"judge 'a' needs an API key: set \$A_KEY"):
        judge_answers([item("x")], panel, tmp_path, environment={})
    assert server.seen == []


def test_progress_is_told(server, panel_of, tmp_path: Path) -> None:
    for name in ("qwen", "llama"):
        server.play(name, says("A"))
    told: list[tuple[int, int]] = []
    items = [item("x"), item("y")]
    judge_answers(
        items, panel_of("qwen", "llama"), tmp_path, progress=lambda done, all_: told.append((done, all_))
    )
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_works_in_a_running_loop_and_in_threads(server, panel_of, tmp_path: Path) -> None:
    server.play("qwen", says("A"))

    async def main() -> str | None:
        return judge_answers([item("x")], panel_of("qwen"), tmp_path / "loop")[0].decision

    assert asyncio.run(main()) == "A"
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(
            lambda k: judge_answers([item(f"x{k}")], panel_of("qwen"), tmp_path / "all")[0].decision, range(8)
        )
        assert set(found) == {"A"}


_CALL = """
import sys
from pathlib import Path
from physprobe.judging.config import Judge, Panel
from physprobe.judging.ensemble import judge_answers
from physprobe.judging.questions import JudgeItem
panel = Panel(judges=(Judge(name="qwen", base_url=sys.argv[1]),))
items = [JudgeItem(f"x{k}", f"prompt {k}", ("A", "fail"), "test-1") for k in range(12)]
verdicts = judge_answers(items, panel, Path(sys.argv[2]))
print(sum(verdict.decision == "A" for verdict in verdicts))
"""


def test_several_processes_share_a_cache(server, tmp_path: Path) -> None:
    server.play("qwen", slow(0.02, "A"))
    call = [sys.executable, "-c", _CALL, server.url, str(tmp_path)]
    running = [subprocess.Popen(call, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert [process.communicate(timeout=60)[0] for process in running] == ["12\n"] * 3
    assert 12 <= server.count("qwen") <= 36
    before = len(server.seen)
    assert subprocess.run(call, capture_output=True, text=True, timeout=60, check=True).stdout == "12\n"
    assert len(server.seen) == before


def test_an_interrupt_ends_it_at_once(server, tmp_path: Path) -> None:
    server.play("qwen", hangs())
    call = [sys.executable, "-c", _CALL, server.url, str(tmp_path)]
    process = subprocess.Popen(call, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 30
    while not server.seen and time.monotonic() < deadline:
        time.sleep(0.02)
    assert server.seen
    os.kill(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=30)  # the server would hang for longer than the judges' patience
    assert re.search(r"^KeyboardInterrupt", errors, re.MULTILINE)
