"""The command without Ray: what is refused, and what a plan shows."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from physprobe.cli import app
from physprobe.cli.runner import run
from physprobe.harness import catalog
from physprobe.sweep import names
from tests.support.sweeps import StubSweep

SMALL = {"name": "small", "adapter": "steady", "parameters": 7}
LARGE = {"name": "large", "adapter": "steady", "parameters": 72}


def sweep(folder: Path, *models: dict[str, Any], **more: Any) -> StubSweep:
    return StubSweep.make(folder, models or [SMALL], **{"slots": 4, **more})


def ask(asked: StubSweep, *options: str) -> int:
    return run(app, ["sweep", str(asked.folder / "sweep.yaml"), *options])


def test_a_job_that_fits_nowhere_is_refused_before_anything_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = sweep(tmp_path, SMALL, LARGE)
    assert ask(asked) == 2
    assert capsys.readouterr().err == (
        "error: more slots are needed than this machine has 4: large/stub (8); "
        "set their gpus, or leave them out with --only\n"
    )
    assert not asked.out.exists()


@pytest.mark.parametrize(
    ("more", "options", "complaint"),
    [
        ({"retrys": 1}, (), "retrys: unknown key"),
        ({}, ("--cluster", "auto", "--slots", "2"), "slots are of this machine"),
        ({}, ("--only", "larg*"), "--only larg* matches no job; models: small"),
        ({"out": None}, (), "names no folder for the results"),
    ],
)
def test_bad_use_is_one_line(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    more: dict[str, Any],
    options: tuple[str, ...],
    complaint: str,
) -> None:
    assert ask(sweep(tmp_path, **more), *options) == 2
    error = capsys.readouterr().err
    assert complaint in error
    assert error.count("\n") == 1


def test_a_plan_shows_each_command_and_no_secret(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-inherited-secret")
    secret = {
        "arguments": {"model": "gpt", "api_key": "sk-given-secret"},
        "environment": {"MY_TOKEN": "given-too"},
    }
    asked = sweep(tmp_path, {**SMALL, **secret}, {**LARGE, "gpus": 2})
    assert ask(asked, "--dry-run", "--only", "small/*") == 0
    printed = capsys.readouterr().out
    assert printed.startswith("# small/stub: 1 slot\n")
    assert " -m physprobe.lmms_eval --model steady --model_args 'api_key=[REDACTED],model=gpt' " in printed
    assert "MY_TOKEN=[REDACTED]" in printed
    assert "1 of 1 job to run" in printed
    assert "secret" not in printed
    assert "given-too" not in printed
    assert not asked.out.exists()


def test_two_sweeps_can_t_share_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = sweep(tmp_path)
    asked.out.mkdir()
    with FileLock(asked.out / ".sweep.lock"):
        assert ask(asked) == 2
    assert "another sweep is writing to" in capsys.readouterr().err
    assert asked.events() == []


HERE = {"python": None, "environment": {"HF_HUB_OFFLINE": "1"}}  # jobs of this environment


@pytest.mark.parametrize(
    ("adapter", "tasks", "complaint"),
    [
        ("physprobe_chanse", "stub_task", "unknown model 'physprobe_chanse'; did you mean physprobe_change"),
        ("qwen2_5_vll", "stub_task", "unknown model 'qwen2_5_vll'; did you mean qwen2_5_vl"),
        ("physprobe_chance", "conservatoin", "unknown task 'conservatoin'; did you mean conservation"),
        ("qwen2_5_vl", "stub_task,nonsense", "unknown task 'nonsense' (physprobe's own: "),
    ],
)
def test_unknown_names_are_refused_before_anything_starts(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    adapter: str,
    tasks: str,
    complaint: str,
) -> None:
    monkeypatch.setattr(names, "_known_tasks", lambda: ["stub_task", *catalog.task_files()])
    asked = sweep(tmp_path, {"adapter": adapter, "parameters": 1}, tasks=[tasks], defaults=HERE)
    for options in ((), ("--dry-run",)):
        assert ask(asked, *options) == 2
        error = capsys.readouterr().err
        assert error.startswith(f"error: {complaint}")
        assert error.count("\n") == 1
    assert not asked.out.exists()


@pytest.mark.parametrize(
    "known_elsewhere",
    [
        {"environment": {"LMMS_EVAL_PLUGINS": "mine"}},
        {"python": sys.executable},
    ],
)
def test_names_that_another_environment_may_know_are_left_to_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], known_elsewhere: dict[str, Any]
) -> None:
    model = {"adapter": "mine", "parameters": 1, **known_elsewhere}
    assert ask(sweep(tmp_path, model, tasks=["my_task"], defaults=HERE), "--dry-run") == 0
    assert "--model mine --tasks my_task" in capsys.readouterr().out
