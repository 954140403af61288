"""The commands ``physprobe analyse consistency-...``."""

from __future__ import annotations

from pathlib import Path

import pytest

from physprobe.cli import app
from physprobe.cli.runner import run
from tests.support.consistency_answers import floating, rated, right, save_consistency, shortcut
from tests.support.findings import checked_findings

BOOTSTRAPPED = ("leaderboard", "suites", "categories", "mechanisms", "boxes", "explanations")
NAMES = (*BOOTSTRAPPED, "confusion", "seeds")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    models = {"oracle": right, "lora-seed1": shortcut, "lora-seed2": floating}
    return save_consistency(tmp_path_factory.mktemp("runs"), models, marked=rated("correct"))


@pytest.mark.parametrize("name", NAMES)
def test_json_names_functions_that_exist_and_sources(
    folder: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = ["--resamples", "100"] if name in BOOTSTRAPPED else []
    assert run(app, ["analyse", f"consistency-{name}", str(folder), "--json", *drawn]) == 0
    found = checked_findings(capsys.readouterr().out)
    assert len(found["sources"]) == 9


def test_a_table_in_the_terminal(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(app, ["analyse", "consistency-leaderboard", str(folder), "--resamples", "100"]) == 0
    text = capsys.readouterr().out
    assert "Leaderboard of 3 models, intervention suite" in text
    assert "bootstrap over scene families" in text
    assert "made by physprobe.analysis.consistency.suites.leaderboard" in text


def test_help_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    for name in NAMES:
        assert run(app, ["analyse", f"consistency-{name}", "--help"]) == 0
        assert f"physprobe analyse consistency-{name} results/" in capsys.readouterr().out
