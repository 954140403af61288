"""The commands ``physprobe analyse quantiphy-...`` and ``physprobe simulate quantiphy``."""

from __future__ import annotations

import json

import pytest

from physprobe.cli import app
from physprobe.cli.runner import run
from tests.support.findings import checked_findings
from tests.support.saved_answers import both_twins, save_run
from tests.support.saved_quantiphy import asked, save_quantiphy

NAMES = (
    "leaderboard",
    "categories",
    "scenes",
    "kinds",
    "distribution",
    "bias",
    "inputs",
    "prompts",
    "segmented",
    "counterfactual",
    "scaling",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("simulated") / "study"
    command = ["simulate", "quantiphy", "--models", "3", "--videos", "1", "--out", str(out), "--seed", "3"]
    assert run(app, command) == 0
    return out


@pytest.mark.parametrize("name", NAMES)
def test_json_names_functions_that_exist_and_sources(folder, name, capsys):
    assert run(app, ["analyse", f"quantiphy-{name}", str(folder), "--json", "--resamples", "100"]) == 0
    found = checked_findings(capsys.readouterr().out)
    assert len(found["sources"]) == 3 * 9
    assert found["set_apart"] == []


def test_a_table_in_the_terminal(folder, capsys):
    assert run(app, ["analyse", "quantiphy-leaderboard", str(folder), "--resamples", "100"]) == 0
    text = capsys.readouterr().out
    assert "Leaderboard of 3 models, our questions" in text
    assert "bootstrap over videos (BCa, 100 resamples)" in text
    assert "made by physprobe.analysis.quantiphy.leaderboard.leaderboard" in text
    assert "…" not in text


def test_power(folder, capsys):
    assert run(app, ["analyse", "quantiphy-power", str(folder), "--difference", "5", "--json"]) == 0
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert [row["points"] for row in finding["rows"]] == [5, 5, 5]
    assert all(row["videos_needed"] > 2 and row["n"] == 36 for row in finding["rows"])
    assert run(app, ["analyse", "quantiphy-power", str(folder), "--difference", "100"]) == 2
    assert "a difference is in points" in capsys.readouterr().err


def test_public_questions(folder, capsys):
    assert run(app, ["analyse", "quantiphy-leaderboard", str(folder), "--over", "public"]) == 2
    assert "hold no answers to quantiphy_official_validation" in capsys.readouterr().err


def test_trials_are_all_read(tmp_path, capsys):
    for day in (1, 2):
        save_quantiphy(tmp_path / str(day), "m", {"quantiphy_s2": [asked(0)]}, date=f"2026010{day}_000000")
    assert run(app, ["analyse", "quantiphy-trials", str(tmp_path), "--json"]) == 0
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert finding["rows"][0]["trials"] == 2
    assert run(app, ["analyse", "quantiphy-kinds", str(tmp_path), "--json", "--resamples", "100"]) == 0
    assert "a newer run of this model" in json.loads(capsys.readouterr().out)["set_apart"][0]["reason"]


def test_results_of_another_benchmark_are_refused(tmp_path, capsys):
    save_run(tmp_path, "m", {"conservation_full": both_twins()})
    assert run(app, ["analyse", "quantiphy-leaderboard", str(tmp_path)]) == 2
    assert "holds no answers to quantiphy" in capsys.readouterr().err


def test_flagged_runs_can_be_kept(tmp_path, capsys):
    flag = {"unreadable": {"threshold": 0.2, "rate": 1.0, "flagged": True}}
    save_quantiphy(tmp_path, "m", {"quantiphy_s2": [asked(0)]}, lambda row: "?", told=flag)
    command = ["analyse", "quantiphy-kinds", str(tmp_path), "--resamples", "100"]
    assert run(app, command) == 2
    assert "100% of its answers could not be read" in capsys.readouterr().err
    assert run(app, [*command, "--keep-unreadable"]) == 0


@pytest.mark.parametrize("name", [*NAMES, "trials", "power"])
def test_help(name, capsys):
    assert run(app, ["analyse", f"quantiphy-{name}", "--help"]) == 0
    assert f"Example: physprobe analyse quantiphy-{name}" in capsys.readouterr().out
