from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from physprobe.sweep import attempts
from physprobe.sweep.attempts import Attempt
from physprobe.sweep.config import Sweep
from physprobe.sweep.display import Display, explanation, summary, table
from physprobe.sweep.jobs import Job, plan
from physprobe.sweep.states import Watch

START, LATER = "2026-01-01T00:00:00.000+00:00", "2026-01-01T00:02:05.000+00:00"


def jobs(out: Path, *names: str, **settings: Any) -> tuple[Job, ...]:
    models = [{"adapter": "vllm", "gpus": 1, "name": name, **settings} for name in names]
    made = plan(Sweep.model_validate({"tasks": ["task"], "models": models}), out)
    for job in made:
        job.logs.mkdir(parents=True)
    return made


def note(job: Job, number: int, **ended: Any) -> None:
    attempts.append(job.attempts, {"number": number, "started": START, "devices": "3"})
    if ended:
        attempts.append(job.attempts, {"number": number, "ended": LATER, **ended})


def failed(error: str) -> dict[str, Any]:
    return {"reason": "exited", "code": 1, "error": error}


def test_states_are_read_from_the_records(tmp_path: Path) -> None:
    made = jobs(tmp_path, "waiting", "running", "again", "over", "refused", "before", "good")
    _, running, again, over, refused, _, good = made
    note(running, 1, **failed("of an earlier sweep"))
    watch = Watch(made, {"before/task"})
    note(running, 2)
    note(again, 1, **failed("x"))
    note(over, 1, **failed("x"))
    note(over, 2, **failed("x"))
    note(refused, 1, reason="exited", code=2, error="x")
    note(good, 1, reason="exited", code=0)
    states = watch.look({"good/task": attempts.read(good.attempts)[0]})
    assert [(state.job.model, state.state, state.tries) for state in states] == [
        *(("waiting", "waiting", 0), ("running", "running", 1), ("again", "to be repeated", 1)),
        *(("over", "failed", 2), ("refused", "failed", 1), ("before", "finished before", 0)),
        ("good", "finished", 1),
    ]


def shown(made: tuple[Job, ...], terminal: bool) -> tuple[Display, io.StringIO]:
    file = io.StringIO()
    console = Console(file=file, force_terminal=terminal, width=120, color_system=None)
    return Display(Watch(made, ()), console), file


def test_without_a_terminal_each_change_is_a_line(tmp_path: Path) -> None:
    (job,) = made = jobs(tmp_path, "model")
    display, file = shown(made, terminal=False)
    with display.showing():
        note(job, 1, **failed("[bold]out of memory[/bold]"))
        display.look({})
        display.look({})
        note(job, 2)
        display.look({})
    assert file.getvalue().splitlines() == [
        "model/task: to be repeated (attempt 1 of 2) after 2 min 05 s: [bold]out of memory[/bold]",
        "model/task: running (attempt 2 of 2)",
    ]


def test_the_table_shows_what_runs_and_counts_the_rest(tmp_path: Path) -> None:
    made = jobs(tmp_path, "one", "two", "three")
    note(made[1], 1)
    answers = made[1].folder / "answers" / "model"
    answers.mkdir(parents=True)
    display, _ = shown(made, terminal=True)
    states = Watch(made, {"three/task"})
    note(made[0], 1, **failed("x"))
    note(made[0], 2)
    (answers / "expected-0.json").write_text('{"questions": 23040, "reused": 1200}')
    printed = io.StringIO()
    Console(file=printed, width=120).print(table(states.look({})))
    row = next(line for line in printed.getvalue().splitlines() if "one/task" in line)
    assert [cell.strip() for cell in row.strip("│").split("│")][:2] == ["one/task", "running"]
    assert "2 of 2" in row
    assert "two/task" not in printed.getvalue()
    assert "1 running, 1 waiting, 1 finished before" in printed.getvalue()
    assert display.states


@pytest.mark.parametrize(
    ("attempt", "text"),
    [
        (
            Attempt(1, START, ended=LATER, reason="timeout", error="loading"),
            "ended at its limit, after 2 min 05 s",
        ),
        (Attempt(1, START, ended=LATER, reason="exited", code=-9, error=""), "killed by signal 9"),
        (Attempt(1, START, ended=LATER, reason="exited", code=1, error=""), "exit code 1"),
        (Attempt(1, START, ended=LATER, reason="exited", code=1, error="ValueError: x"), "ValueError: x"),
    ],
)
def test_a_failure_is_explained(attempt: Attempt, text: str) -> None:
    assert explanation(attempt).startswith(text)


def test_the_summary_says_what_failed_where_to_look_and_how_to_go_on(tmp_path: Path) -> None:
    good, bad = made = jobs(tmp_path, "good", "bad")
    watch = Watch(made, ())
    note(good, 1, reason="exited", code=0)
    attempts.append(bad.attempts, {"number": 1, "started": START, "log": str(bad.logs / "task-1.log")})
    attempts.append(bad.attempts, {"number": 1, "ended": LATER, **failed("CUDA out of memory")})
    states = watch.look({job.name: attempts.read(job.attempts)[0] for job in made})
    assert summary(states, "physprobe sweep s.yaml") == [
        "2 jobs: 1 failed, 1 finished",
        "failed: bad/task: CUDA out of memory",
        f"  its log: {bad.logs / 'task-1.log'}",
        "to run what is missing: physprobe sweep s.yaml",
    ]
