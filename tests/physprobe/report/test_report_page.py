"""The page, and the files beside it."""

from __future__ import annotations

import io
import json
import math
import re
import shutil
from pathlib import Path

import pandas as pd
import pytest
from PIL import Image

from physprobe.cli import app
from physprobe.cli.runner import run
from tests.physprobe.report.conftest import HOSTILE, SPOKEN, Page
from tests.support.saved_answers import both_twins, save_run
from tests.support.saved_quantiphy import asked, save_quantiphy


def test_every_section_is_made_and_in_the_contents(study):
    contents = json.loads((study.folder / "report.json").read_text())["benchmarks"]["conservation"]
    assert contents["missing"] == []
    links = [link for link in study.page.of("a", "href") if link and link.startswith("#")]
    assert {link[1:] for link in links} <= set(study.page.ids)
    sections = [each for each in study.page.of("section", "id") if each]
    assert sections[0] == "conservation-leaderboard"
    assert {
        "conservation-bias",
        "conservation-factors",
        "conservation-controls",
        "conservation-elsewhere",
    } <= set(sections)
    assert {f"#{each}" for each in sections} == set(links)


@pytest.mark.parametrize("made", ["study", "lone"])
def test_the_page_is_whole_and_needs_nothing_from_elsewhere(made, request):
    page = request.getfixturevalue(made).page
    assert page.open == []
    assert len(set(page.ids)) == len(page.ids)
    loaded = [*page.of("script", "src"), *page.of("img", "src"), *page.of("link", "href")]
    assert all(str(each).startswith("data:") for each in loaded)
    for link in page.of("a", "href"):
        assert not re.match(r"\w+:|//", str(link))


def test_every_link_to_a_file_holds(study):
    links = [link for link in study.page.of("a", "href") if link and not link.startswith("#")]
    assert len(links) > 40
    for link in links:
        assert (study.folder / link).exists()


def test_csv_json_and_page_tell_the_same(study):
    contents = json.loads((study.folder / "report.json").read_text())["benchmarks"]["conservation"]
    assert len(contents["tables"]) > 15
    for stem in contents["tables"]:
        table = pd.read_csv(study.folder / "tables" / f"{stem}.csv")
        told = json.loads((study.folder / "tables" / f"{stem}.json").read_text())
        assert len(table) == len(told["rows"]) > 0
        assert list(table.columns) == list(told["rows"][0])
        for row, other in zip(table.to_dict("records"), told["rows"], strict=True):
            for name, value in row.items():
                if isinstance(value, float) and math.isnan(value):
                    assert other[name] is None
                elif isinstance(other[name], int | float) and not isinstance(value, str):
                    assert value == pytest.approx(other[name], rel=1e-12)
                else:
                    assert str(value) == str(other[name])
        assert f'data-function="{told["function"]}"' in study.text
        assert told["title"] in study.page.said("summary")


def test_each_number_says_what_it_is_made_of(study):
    tables = [found for tag, found in study.page.tags if tag == "table" and "data-function" in found]
    assert all(found["data-counts"] and found["data-interval"] for found in tables)
    rows = [found for tag, found in study.page.tags if tag == "tr" and "data-n" in found]
    assert rows
    assert all(re.fullmatch(r"[\d,]+", str(found["data-n"])) for found in rows)
    files = json.loads(study.page.said("script")[-2])["conservation"]["files"]
    assert set(files) >= {
        found["data-model"] for found in rows if found.get("data-model", "all models") != "all models"
    }
    assert all(name.endswith(".parquet") for each in files.values() for name in each)


def test_the_headline_comes_first_with_its_interval_drawn(study):
    table = pd.read_csv(next((study.folder / "tables").glob("conservation-leaderboard-1-*.csv")))
    assert list(table.columns[:3]) == ["rank", "model", "n"]
    assert table["strict_pair"].is_monotonic_decreasing
    metrics = study.page.of("th", "data-metric")
    assert metrics[:3] == ["rank", "model", "strict pair"]
    drawn = [found for tag, found in study.page.tags if tag == "td" and "data-t" in found]
    assert len(drawn) == 2 * 2 * 4  # two leaderboards, two scores, four models
    assert {"chance", "people"} <= set(study.page.said("em"))


@pytest.mark.parametrize("kind", ["png", "pdf"])
def test_figures_are_files_and_the_page_has_its_own_colours(study, kind):
    contents = json.loads((study.folder / "report.json").read_text())["benchmarks"]["conservation"]
    assert len(contents["figures"]) >= 9
    for name in contents["figures"]:
        data = (study.folder / "figures" / f"{name}.{kind}").read_bytes()
        if kind == "png":
            assert Image.open(io.BytesIO(data)).width > 500
        else:
            assert data.startswith(b"%PDF")
    svg = study.text[study.text.index("<svg") : study.text.rindex("</svg>")]
    assert "font-family" not in svg
    assert "var(--blue)" in svg
    assert "#2b62b5" not in svg


def test_names_and_answers_are_never_markup(lone):
    """The scripts of the page are its own, and text stays text."""
    assert "<script>alert" not in lone.text
    assert len([tag for tag, _ in lone.page.tags if tag == "script"]) == 3
    assert not [found for tag, found in lone.page.tags if tag == "img"]
    assert HOSTILE in lone.page.said("td")
    assert HOSTILE in [found.get("data-model") for tag, found in lone.page.tags if tag == "tr"]
    chunk = (lone.folder / "examples/conservation/0000.js").read_text()
    assert json.loads(chunk[chunk.index("[") : chunk.rindex("]") + 1])[0]["answers"][0][0] == HOSTILE
    assert json.dumps(SPOKEN) in chunk


def test_one_model_alone_gets_a_page_that_says_what_is_missing(lone):
    contents = json.loads((lone.folder / "report.json").read_text())["benchmarks"]["conservation"]
    missing = {each["section"]: each["reason"] for each in contents["missing"]}
    assert "conservation_empty_image" in missing["Without the pictures"]
    assert "--tasks conservation_full" in missing["All prompts, frame counts and ways to pick frames"]
    assert "--others" in missing["Other benchmarks"]
    assert {"conservation-leaderboard", "conservation-bias", "conservation-domains"} <= set(lone.page.ids)
    assert not any("nan" in text.lower().split() for _, text in lone.page.texts)


def test_benchmarks_share_a_page_and_models_need_not_answer_all(tmp_path, capsys):
    rows = both_twins()
    save_run(tmp_path / "a", "first", {"conservation_full": rows}, lambda row: "Yes, they are the same.")
    save_run(tmp_path / "b", "second", {"conservation_full": rows}, lambda row: "")
    save_quantiphy(tmp_path / "c", "third", {"quantiphy_s2": [asked(number) for number in range(6)]})
    command = ["report", str(tmp_path), "--out", str(tmp_path / "report"), "--resamples", "100"]
    assert run(app, [*command, "--example-model", "third"]) == 0
    page = Page((tmp_path / "report/index.html").read_text())
    assert page.said("h2") == ["conservationbench", "quantiphy"]
    assert len(set(page.ids)) == len(page.ids)
    assert any(
        text.startswith("2 models share the first rank: both twins right on 0.0%") for text in page.said("p")
    )
    made = json.loads((tmp_path / "report/report.json").read_text())["benchmarks"]
    assert (made["conservation"]["examples"], made["quantiphy"]["examples"]) == (8, 6)
    assert not any("nan" in text.lower() for tag, text in page.texts if tag in ("p", "td", "text"))
    assert run(app, [*command, "--example-model", "fourth"]) == 2
    assert "unknown model 'fourth'; valid: first, second, third" in capsys.readouterr().err


def test_what_is_set_apart_is_listed_with_the_reason(tmp_path):
    for model, version in (("a", "1.0"), ("b", "1.0"), ("c", "2.0")):
        save_run(tmp_path / model, model, {"conservation_full": both_twins()}, version=version)
    out = tmp_path / "report"
    places = [str(tmp_path / model) for model in "abc"]
    assert run(app, ["report", *places, "--out", str(out), "--resamples", "100"]) == 0
    text = (out / "index.html").read_text()
    assert "1 result is set apart" in text
    assert "task version 2.0: not comparable with 1.x of the others" in text


def test_an_unknown_dataset_is_marked_in_the_head_and_in_the_runs(lone):
    assert any(
        text.startswith(f"Dataset unknown of {HOSTILE}: no manifest.json") for text in lone.page.said("p")
    )
    assert "unknown" in lone.page.said("dd")
    assert "unknown" in lone.page.said("td")


def test_an_older_report_is_replaced_and_nothing_else(lone, tmp_path, capsys):
    results = lone.folder.parent / "results"
    (tmp_path / "file.txt").write_text("mine")
    assert run(app, ["report", str(results), "--out", str(tmp_path)]) == 2
    assert "is not empty" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["file.txt"]
    assert run(app, ["report", str(results), "--out", str(lone.folder), "--resamples", "100"]) == 0
    assert sorted(path.name for path in lone.folder.parent.iterdir()) == ["report", "results"]


def test_the_same_results_give_the_same_page(lone, tmp_path, monkeypatch):
    """Also at another place."""
    monkeypatch.delenv("PHYSPROBE_DATA", raising=False)
    shutil.copytree(lone.folder.parent / "results", tmp_path / "results")
    again = tmp_path / "again"
    assert run(app, ["report", str(tmp_path / "results"), "--out", str(again), "--resamples", "100"]) == 0
    for path in sorted(lone.folder.rglob("*")):
        if path.is_file():
            assert path.read_bytes() == (again / path.relative_to(lone.folder)).read_bytes()


def test_no_path_of_this_machine_is_on_the_page(lone):
    assert str(lone.folder.parent) not in lone.text
    assert "../results" in lone.page.said("code")


def test_bad_use_is_said(tmp_path, capsys):
    assert run(app, ["report", str(tmp_path / "none"), "--out", str(tmp_path / "out")]) == 2
    assert "does not exist" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    assert run(app, ["report", "--help"]) == 0
    assert "Example: physprobe report" in capsys.readouterr().out


def test_templates_are_where_packages_carry_them():
    import physprobe.report

    folder = Path(physprobe.report.__file__).parent / "templates"
    assert {"index.html.j2", "style.css", "page.js", "examples.js"} <= {
        path.name for path in folder.iterdir()
    }
