"""The commands ``physprobe analyse`` and ``physprobe simulate``."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from physprobe.cli import app
from physprobe.cli.runner import run
from tests.support.findings import checked_findings
from tests.support.saved_answers import both_twins, save_run

NAMES = (
    "leaderboard",
    "by-domain",
    "scatter",
    "anova",
    "transitions",
    "scaling",
    "static-vs-temporal",
    "idk",
    "power",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("simulated") / "study"
    assert run(app, ["simulate", "conservation", "--models", "5", "--out", str(out), "--seed", "3"]) == 0
    return out


def options(name: str) -> list[str]:
    return [] if name in ("anova", "scaling", "power") else ["--resamples", "100"]


@pytest.mark.parametrize("name", NAMES)
def test_each_analysis_says_n_interval_and_origin(folder, name, capsys):
    assert run(app, ["analyse", name, str(folder), *options(name)]) == 0
    text = capsys.readouterr().out
    assert "n: " in text
    assert "interval: " in text
    assert "made by physprobe.analysis." in text
    assert "…" not in text


@pytest.mark.parametrize("name", NAMES)
def test_json_names_functions_that_exist_and_sources(folder, name, capsys):
    assert run(app, ["analyse", name, str(folder), "--json", *options(name)]) == 0
    found = checked_findings(capsys.readouterr().out)
    assert len(found["sources"]) == 5 * 7
    assert found["set_apart"] == []


def test_correlation_with_other_benchmarks(folder, tmp_path, capsys):
    models = pd.read_csv(folder / "models.csv")
    models.rename(columns={"parameters": "Other"}).head(4).to_csv(tmp_path / "others.csv", index=False)
    command = ["analyse", "correlation", str(folder), "--others", str(tmp_path / "others.csv")]
    assert run(app, [*command, "--json", *options("")]) == 0
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert {row["n"] for row in finding["rows"]} == {4}
    assert "without a score elsewhere: simulated-004" in finding["notes"][0]


def test_bad_tables_are_refused(folder, tmp_path, capsys):
    path = tmp_path / "bad.csv"
    path.write_text("name,score\na,1\n")
    assert run(app, ["analyse", "correlation", str(folder), "--others", str(path)]) == 2
    assert "needs a column 'model'" in capsys.readouterr().err
    assert run(app, ["analyse", "scaling", str(folder), "--sizes", str(path)]) == 2
    assert "needs the columns 'model' and 'parameters'" in capsys.readouterr().err
    path.write_text("model,parameters\na,-1\n")
    assert run(app, ["analyse", "scaling", str(folder), "--sizes", str(path)]) == 2
    assert "size of 'a' is no number above 0" in capsys.readouterr().err
    assert run(app, ["analyse", "correlation", str(folder), "--others", str(tmp_path / "no.csv")]) == 2
    assert "can't be read as CSV" in capsys.readouterr().err


def test_sizes_from_a_table_come_before_names(folder, tmp_path, capsys):
    sizes = pd.read_csv(folder / "models.csv").assign(parameters=[1, 2, 4, 8, 16])
    sizes.to_csv(tmp_path / "sizes.csv", index=False)
    command = ["analyse", "scaling", str(folder), "--sizes", str(tmp_path / "sizes.csv"), "--json"]
    assert run(app, command) == 0
    points = json.loads(capsys.readouterr().out)["findings"][1]["rows"]
    assert [row["parameters"] for row in points] == [1, 2, 4, 8, 16]


def test_long_tables_are_cut_and_say_so(folder, capsys):
    assert run(app, ["analyse", "leaderboard", str(folder), "--rows", "2", *options("")]) == 0
    assert "3 more rows" in capsys.readouterr().out


def test_what_is_set_apart_is_shown_with_the_reason(tmp_path, capsys):
    for model, version in (("a", "1.0"), ("b", "1.0"), ("c", "2.0")):
        save_run(tmp_path / model, model, {"conservation_full": both_twins()}, version=version)
    assert run(app, ["analyse", "leaderboard", str(tmp_path), *options("")]) == 0
    text = capsys.readouterr().out
    assert "Leaderboard of 2 models" in text
    assert "(c, conservation_full): task version 2.0: not comparable with 1.x of the others" in text


def test_answers_read_in_two_ways_are_told(tmp_path, capsys):
    save_run(tmp_path / "a", "a", {"conservation_full": both_twins()}, matching="hybrid")
    save_run(tmp_path / "b", "b", {"conservation_full": both_twins()})
    assert run(app, ["analyse", "leaderboard", str(tmp_path), *options("")]) == 0
    assert (
        "not read alike, so unread rates are not comparable: hybrid (1), stage1-only (1)"
        in capsys.readouterr().out
    )


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("anova", "hold no answers to conservation_full"),
        ("transitions", "no model answered both the standard questions and a control"),
        ("static-vs-temporal", "hold no answers to conservation_static"),
        ("idk", "hold no answers to conservation_idk"),
        ("power", "two models or more"),
        ("scaling", "fewer than three models of known size"),
    ],
)
def test_what_is_missing_is_said(tmp_path, capsys, name, what):
    rows = both_twins()
    for domain in ("number", "length"):
        part = [row for row in rows if row["domain"] == domain]
        save_run(tmp_path, "m", {f"conservation_{domain}": part}, date=f"20260101_00000{len(domain)}")
    assert run(app, ["analyse", name, str(tmp_path)]) == 2
    assert what in capsys.readouterr().err


def test_models_that_never_vary_have_no_f_but_a_table(tmp_path, capsys):
    rows = [row for style in ("direct", "cot") for row in both_twins(style=style)]
    save_run(tmp_path / "oracle", "oracle", {"conservation_full": rows})
    save_run(tmp_path / "mute", "mute", {"conservation_full": rows}, lambda r: "")
    assert run(app, ["analyse", "anova", str(tmp_path), "--json"]) == 0
    effects, levels, compared = json.loads(capsys.readouterr().out)["findings"]
    assert [(row["effect"], row["f"], row["n"]) for row in effects["rows"]] == [("prompt_style", None, 2)]
    assert {row["accuracy"] for row in levels["rows"]} == {0.5}
    assert [row["p_corrected"] for row in compared["rows"]] == [1]
    assert "volume and size, prompt_style: not asked" in effects["notes"]


def test_one_model_alone_has_a_leaderboard(tmp_path, capsys):
    save_run(tmp_path, "m", {"conservation_full": both_twins()})
    assert run(app, ["analyse", "leaderboard", str(tmp_path), *options("")]) == 0
    assert "Leaderboard of 1 model," in capsys.readouterr().out


@pytest.mark.parametrize(
    "name", [("analyse",), ("simulate",), *(("analyse", name) for name in (*NAMES, "correlation"))]
)
def test_help(name, capsys):
    assert run(app, [*name, "--help"]) == 0
    text = capsys.readouterr().out
    assert "Example: physprobe" in text or len(name) == 1


def test_power_says_why_it_can_say_nothing(tmp_path, capsys):
    """One model is always right, the other never: what they have in common is not known."""
    save_run(tmp_path / "a", "a", {"conservation_full": both_twins()})
    save_run(tmp_path / "b", "b", {"conservation_full": both_twins()}, lambda row: "")
    command = ["analyse", "power", str(tmp_path), "--difference", "5"]
    assert run(app, [*command, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["findings"][0]["rows"]
    assert {row["pairs_needed"] for row in rows} == {None}
    assert {row["remark"] for row in rows} == {
        "fewer than two of these models have scores that vary: no correlation is known"
    }
    assert run(app, command) == 0
    assert "fewer than two of these models have scores that vary" in capsys.readouterr().out
