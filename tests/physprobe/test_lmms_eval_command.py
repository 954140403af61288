"""The ``lmms_eval`` command up to the slow start; what comes after is tested in tests/tasks."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from physprobe.lmms_eval import run


@pytest.fixture(autouse=True)
def restored_streams(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[None]:
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    monkeypatch.setattr(sys, "argv", sys.argv)
    return


def error_of(argv: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Run, and return the one line of a bad use."""
    assert run(argv) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert line.startswith("error: ")
    return line


@pytest.mark.parametrize(
    "argv", [[], ["--model", "physprobe_oracle"], ["eval", "--model", "physprobe_oracle"]]
)
def test_no_tasks(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    line = error_of(argv, capsys)
    assert "no --tasks given" in line
    assert "conservation_number" in line
    assert "physprobe_chance" in line


def test_no_model(capsys: pytest.CaptureFixture[str]) -> None:
    assert "no --model given" in error_of(["--tasks", "conservation"], capsys)


def test_unknown_model(capsys: pytest.CaptureFixture[str]) -> None:
    line = error_of(["--tasks", "conservation", "--model", "physprobe_oracel"], capsys)
    assert "unknown model 'physprobe_oracel'; did you mean physprobe_oracle" in line


def test_bad_batch_size(capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["--tasks", "conservation", "--model", "physprobe_oracle", "--batch_size", "abc"]
    assert "--batch_size abc: must be a number from 1 on" in error_of(argv, capsys)


@pytest.mark.parametrize("limit", ["0", "-3", "0.5"])
def test_bad_limit(limit: str, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["--tasks", "conservation", "--model", "physprobe_oracle", "--limit", limit]
    assert error_of(argv, capsys).startswith(f"error: --limit {limit}")


@pytest.mark.parametrize("tasks", ["conservation", "mme,conservation_length"])
def test_missing_dataset(
    tasks: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = ["--model", "physprobe_oracle", "--tasks", tasks]
    monkeypatch.setenv("PHYSPROBE_DATA", str(tmp_path))
    line = error_of(argv, capsys)
    assert f"PHYSPROBE_DATA={tmp_path} holds no conservationbench/" in line
    assert "python -m builders build" in line
    monkeypatch.setenv("PHYSPROBE_DATA", str(tmp_path / "nowhere"))
    assert "no such folder" in error_of(argv, capsys)


def test_debug_shows_the_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--debug", "--tasks", "conservation"]) == 2
    assert "Traceback" in capsys.readouterr().err


def test_help_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        run(["--help"])
    assert not stop.value.code
    assert "Example: lmms_eval --model physprobe_oracle --tasks conservation" in capsys.readouterr().out
