"""Tables that compare models."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console, RenderableType

from physprobe.cli import app
from physprobe.cli.runner import run
from physprobe.comparison import comparison_tables
from physprobe.picabench.metrics import SCORES as PICABENCH
from physprobe.results import find_runs, load_run
from physprobe.statistics.estimates import metric_names
from tests.support.results_files import DATASET, TASKS, results, samples_file, save, save_samples


def shown(table: RenderableType) -> tuple[list[str], list[str], list[list[str]]]:
    """A printed table: its lines, its headings, the cells of its rows."""
    console = Console(width=200)
    with console.capture() as capture:
        console.print(table)
    lines = capture.get().splitlines()
    headings = [cell.strip() for cell in lines[2].strip("┃").split("┃")]
    rows = [[cell.strip() for cell in line.strip("│").split("│")] for line in lines if line.startswith("│")]
    return lines, headings, rows


def test_table_has_a_row_a_model(tmp_path: Path) -> None:
    for model in ("physprobe_oracle", "physprobe_chance"):
        save(tmp_path / model, results(model))
    (table,) = comparison_tables(find_runs([tmp_path]))
    lines, headings, rows = shown(table)
    assert "task version 1.0" in lines[0]
    assert headings == ["model", "strict pair", "accuracy", "conserving", "non-conserving", "unread", "n"]
    rest = ["0.530 [0.25, 0.75]", "0.500 [0.25, 0.75]", "0.510", "0.520", "0.540", "16"]
    assert rows == [["physprobe_chance", *rest], ["physprobe_oracle", *rest]]
    assert not any("answers read by" in line for line in lines)


def test_undefined_scores_and_bounds_are_left_out(tmp_path: Path) -> None:
    content = results()
    for name in ("accuracy_strict_pair", "ci95_low_overall", "ci95_high_overall"):
        content["results"]["conservation"][f"{name},none"] = math.nan
    for name in ("accuracy_conserving", "ci95_low_strict_pair"):  # as some benchmarks leave them out
        content["results"]["conservation"].pop(f"{name},none")
    (table,) = comparison_tables([load_run(save(tmp_path, content))])
    ((_, strict, accuracy, conserving, *_),) = shown(table)[2]
    assert (accuracy, strict, conserving) == ("0.500", "-", "-")


def test_table_says_who_read_the_answers(tmp_path: Path) -> None:
    for k, mode in enumerate(("stage1-only", "hybrid", "hybrid")):
        matching = {"physprobe": {"conservation": {"matching": {"matching": mode}, "dataset": DATASET}}}
        save(tmp_path / str(k), results(f"model {k}", **matching))
    (table,) = comparison_tables(find_runs([tmp_path]))
    line = shown(table)[0][-1]
    assert line.strip() == "answers read by templates alone (stage 1); templates and judges"


def test_scores_are_broken_down_from_the_samples(tmp_path: Path) -> None:
    save_samples(save(tmp_path, results()), "same", "same")
    (table,) = comparison_tables(find_runs([tmp_path]), ["domain", "frame_count"])
    _, headings, rows = shown(table)
    assert headings[:5] == ["model", "domain", "frame_count", "strict pair", "accuracy"]
    assert headings[-5:] == ["unread", "same", "more", "less", "n"]
    assert [[*row[1:3], row[4]] for row in rows] == [
        [domain, count, "0.500 [0.50, 0.50]"] for domain in ("length", "number") for count in ("3", "16")
    ]
    assert {tuple(row[-5:]) for row in rows} == {("0.000", "1.000", "0.000", "0.000", "4")}


def test_not_knowing_has_a_column_where_it_was_offered(tmp_path: Path) -> None:
    save_samples(save(tmp_path, results()), "same", "idk")
    (table,) = comparison_tables(find_runs([tmp_path]), ["domain"])
    _, headings, rows = shown(table)
    assert headings[-2:] == ["don't know", "n"]
    assert [row[-2:] for row in rows] == [["0.500", "8"]] * 2


def test_a_breakdown_needs_samples_and_known_factors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = save(tmp_path, results())
    assert run(app, ["table", str(place), "--by", "domain"]) == 2
    assert "--log_samples" in capsys.readouterr().err
    save_samples(place, "same", "same")
    assert run(app, ["table", str(place), "--by", "domain, color"]) == 2
    assert "unknown factor 'color'; valid: domain" in capsys.readouterr().err
    assert run(app, ["table", str(place), "--by", "domain, prompt_style"]) == 0
    assert "prompt_style" in capsys.readouterr().out
    for task in TASKS:
        samples_file(place, task).write_text('{"doc_id": 0}\n' * 8)
    assert run(app, ["table", str(place), "--by", "domain"]) == 2
    assert "hold no records of 'conservation'" in capsys.readouterr().err


def test_other_benchmarks_have_no_row_here(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = results(results={"mme": {"mme_score,none": 1.0}}, group_subtasks={"mme": []})
    content["n-samples"] = {"mme": {"original": 5, "effective": 5}}
    assert run(app, ["table", str(save(tmp_path, content))]) == 2
    assert "--tasks conservation" in capsys.readouterr().err


def quantiphy_results(model: str) -> dict[str, Any]:
    """A run of both benchmarks; the category D3 was not asked."""
    scores = ("mra_macro", "mra_S2", "mra_D2", "mra_S3", "mra_D3", "mra_questions", "rate_unread")
    row = {
        f"{name},none": None if score == "mra_D3" else value
        for k, score in enumerate(scores)
        for name, value in zip(metric_names(score), (0.1 + k / 10, 0.05, 0.95), strict=True)
    }
    content = results(model)
    return content | {
        "results": content["results"] | {"quantiphy": {"alias": "quantiphy", **row}},
        "versions": {"conservation": "1.0", "quantiphy": "1.2"},
        "n-samples": content["n-samples"] | {"quantiphy": {"original": 38, "effective": 38}},
        "group_subtasks": content["group_subtasks"] | {"quantiphy": []},
        "physprobe": content["physprobe"] | {"quantiphy": {"dataset": DATASET}},
    }


def test_each_benchmark_has_its_table_with_the_headline_first(tmp_path: Path) -> None:
    save(tmp_path / "a", quantiphy_results("both"))
    save(tmp_path / "b", results("one"))
    ours, quantiphy = comparison_tables(find_runs([tmp_path]))
    assert [row[0] for row in shown(ours)[2]] == ["both", "one"]
    lines, headings, rows = shown(quantiphy)
    assert "quantiphy (task version 1.2)" in lines[0]
    assert "over videos" in lines[0]
    assert headings == ["model", "MRA", "S2", "D2", "S3", "D3", "MRA of questions", "unread", "n"]
    assert rows == [["both", "0.100 [0.05, 0.95]", "0.200", "0.300", "0.400", "-", "0.600", "0.700", "38"]]


def test_only_conservationbench_is_broken_down(tmp_path: Path) -> None:
    place = save(tmp_path, quantiphy_results("both"))
    save_samples(place, "same", "same")
    (table,) = comparison_tables([load_run(place)], ["domain"])
    assert "conservation" in shown(table)[0][0]


def test_a_model_evaluated_again_with_more_tasks_has_one_row(tmp_path: Path) -> None:
    for date in ("20260101_000000", "20260102_000000"):
        content = quantiphy_results("both") if date.startswith("20260102") else results("both")
        content["results"]["conservation"]["accuracy_strict_pair,none"] = 0.25 if "02_" in date else 0.75
        save(tmp_path, content | {"date": date})
    ours, quantiphy = comparison_tables(find_runs([tmp_path]))
    assert [row[1][:5] for row in shown(ours)[2]] == ["0.250"]
    assert len(shown(quantiphy)[2]) == 1


def limited(content: dict[str, Any], asked: int) -> dict[str, Any]:
    """The same run with --limit."""
    content["n-samples"] = {task: {"original": 8, "effective": asked} for task in TASKS}
    return content


def test_a_run_with_limit_is_marked_and_stands_apart(tmp_path: Path) -> None:
    save(tmp_path / "a", limited(results("tried"), 3))
    save(tmp_path / "b", results("whole"))
    (table,) = comparison_tables(find_runs([tmp_path]))
    lines, _, rows = shown(table)
    assert [(row[0], row[-1]) for row in rows] == [("whole", "16"), ("tried (a)", "6")]
    assert any(line.startswith("├") for line in lines)  # a line between them
    assert lines[-1].strip() == "(a) only 6 of 16 questions were asked (--limit): not comparable"


def test_an_offset_leaves_questions_out_as_well(tmp_path: Path) -> None:
    content = results(config={"model": "m", "model_args": "", "offset": 6})
    count = load_run(save(tmp_path, content)).count("conservation")
    assert (count.asked, count.whole) == (4, 16)


def test_a_model_that_lacks_a_task_stands_apart_and_says_which(tmp_path: Path) -> None:
    half = results("half", group_subtasks={"conservation": ["conservation_number"]})
    half["results"].pop("conservation_length")
    save(tmp_path / "a", half)
    save(tmp_path / "b", results("whole"))
    (table,) = comparison_tables(find_runs([tmp_path]))
    lines, _, rows = shown(table)
    assert [row[0] for row in rows] == ["whole", "half (a)"]
    assert "(a) without conservation_length: not comparable" in lines[-1]


def test_an_unknown_dataset_is_marked(tmp_path: Path) -> None:
    blank = {"conservation": {"dataset": {"name": "conservationbench", "version": "", "sha256": ""}}}
    save(tmp_path / "a", results("of no manifest", physprobe=blank))
    save(tmp_path / "b", results("of a build"))
    hub = {"conservation": {"dataset": {"name": "conservationbench", "version": "", "commit": "c" * 40}}}
    save(tmp_path / "c", results("of the Hub", physprobe=hub))
    (table,) = comparison_tables(find_runs([tmp_path]))
    lines, _, rows = shown(table)
    assert [row[0] for row in rows] == ["of no manifest (a)", "of a build", "of the Hub"]
    assert lines[-1].strip().startswith("(a) dataset unknown (no manifest.json was beside it)")


def test_answers_cut_between_lines_are_told_and_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_samples(place := save(tmp_path, results()), "same", "same")
    cut = samples_file(place, TASKS[1])
    cut.write_text("".join(cut.read_text().splitlines(keepends=True)[:5]))
    assert run(app, ["table", str(tmp_path)]) == 0
    assert f"(a) {cut} holds 5 of 8 answers" in capsys.readouterr().out
    assert run(app, ["table", "--by", "domain", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"error: {cut} holds 5 of 8 answers: evaluate again\n"


def test_picabench_has_a_table(tmp_path: Path) -> None:
    row = {
        f"{name},none": value
        for k, score in enumerate(PICABENCH)
        for name, value in zip(metric_names(score), (0.1 + k / 10, 0.05, 0.95), strict=True)
    }
    content = results(
        "m",
        results={"picabench": {"alias": "picabench", **row}},
        group_subtasks={"picabench": []},
        versions={"picabench": "1.0"},
        physprobe={"picabench": {"dataset": {"name": "picabench", "sha256": "1" * 64}}},
    )
    save(tmp_path, content | {"n-samples": {"picabench": {"original": 30, "effective": 30}}})
    (table,) = comparison_tables(find_runs([tmp_path]))
    lines, headings, rows = shown(table)
    assert "over edited images" in lines[0]
    assert headings == ["model", "accuracy", "box IoU", "IoU above 0.5", "IoU above 0.75", "invalid", "n"]
    assert rows == [["m", "0.100 [0.05, 0.95]", "0.200", "0.300", "0.400", "0.500", "30"]]
