"""Reading results files of lmms-eval; files of real runs are read in tests/tasks."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from rich.table import Table

from physprobe.cli import app
from physprobe.cli.runner import run
from physprobe.conservation.breakdown import setting_of
from physprobe.conservation.metrics import metric_names
from physprobe.errors import UserError
from physprobe.harness.conservation.marking import SCORES
from physprobe.results import comparison_tables, find_runs, load_run


def results(model: str = "physprobe_oracle", date: str = "20260101_000000", **changes: Any) -> dict[str, Any]:
    """The parts of a results file that are read, named as lmms-eval 0.7.3 names them."""
    scores = {
        f"{name},none": value
        for k, score in enumerate(SCORES)
        for name, value in zip(metric_names(score), (0.5 + k / 100, 0.25, 0.75), strict=True)
    }
    row = {"alias": "a", **scores, **{name.replace(",", "_stderr,"): "N/A" for name in scores}}
    tasks = ["conservation_number", "conservation_length"]
    return {
        "results": {name: dict(row) for name in ("conservation", *tasks)},
        "group_subtasks": {"conservation": tasks},
        "versions": {"conservation": "1.0"},
        "n-samples": {name: {"original": 96, "effective": 12} for name in tasks},
        "config": {"model": model, "model_args": ""},
        "model_name": "",
        "date": date,
        **changes,
    }


def save(folder: Path, content: dict[str, Any]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{content['date']}_results.json"
    path.write_text(json.dumps(content))
    return path


TASKS = ("conservation_number", "conservation_length")


def samples_file(place: Path, task: str) -> Path:
    return place.with_name(place.name.replace("_results.json", f"_samples_{task}.jsonl"))


def save_samples(place: Path, conserving: str, nonconserving: str) -> None:
    """Save answers to two pairs of each domain in two frame counts: what is claimed of each condition."""
    for task in TASKS:
        domain = task.removeprefix("conservation_")
        lines = []
        for pair in ("a", "b"):
            for count in (3, 16):
                setting = {"prompt_style": "direct", "frame_count": count, "extraction": "uniform"}
                for condition, claim in (("conserving", conserving), ("nonconserving", nonconserving)):
                    record = {
                        "question_id": f"{domain}{pair}{condition}{count}",
                        "pair_id": pair,
                        "domain": domain,
                        "condition": condition,
                        "relation": claim,
                        "correct": claim == "same" and condition == "conserving",
                        "setting": setting_of(setting),
                    }
                    lines.append(json.dumps({"accuracy_overall": record}))
        samples_file(place, task).write_text("\n".join(lines))


def shown(table: Table) -> tuple[list[str], list[str], list[list[str]]]:
    """A printed table: its lines, its headings, the cells of its rows."""
    console = Console(width=200)
    with console.capture() as capture:
        console.print(table)
    lines = capture.get().splitlines()
    headings = [cell.strip() for cell in lines[2].strip("┃").split("┃")]
    rows = [[cell.strip() for cell in line.strip("│").split("│")] for line in lines if line.startswith("│")]
    return lines, headings, rows


def test_members_of_a_group_are_not_shown_beside_it(tmp_path: Path) -> None:
    found = load_run(save(tmp_path, results()))
    assert list(found.metrics) == ["conservation"]
    assert found.questions == {"conservation": 24}
    assert found.versions == {"conservation": "1.0"}
    estimate = found.estimate("conservation", "accuracy_strict_pair")
    assert (estimate.value, estimate.low, estimate.high, estimate.n) == (0.53, 0.25, 0.75, 24)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (results(), "physprobe_oracle"),
        (results(config={"model": "physprobe_chance", "model_args": "seed=1"}), "physprobe_chance seed=1"),
        (results(model_name="/data/checkpoints/mine"), "mine"),
        (results(model_name="Qwen/Qwen2.5-VL-3B-Instruct"), "Qwen/Qwen2.5-VL-3B-Instruct"),
    ],
)
def test_model_names(tmp_path: Path, content: dict[str, Any], name: str) -> None:
    assert load_run(save(tmp_path, content)).model == name


def test_of_reruns_the_newest_counts(tmp_path: Path) -> None:
    save(tmp_path / "a", results(date="20260101_000000"))
    newest = save(tmp_path / "a", results(date="20260102_000000"))
    other = save(tmp_path / "b" / "deep", results("physprobe_chance"))
    assert [found.path for found in find_runs([tmp_path / "b", tmp_path / "a"])] == [other, newest]


def test_table_has_a_row_a_model(tmp_path: Path) -> None:
    for model in ("physprobe_oracle", "physprobe_chance"):
        save(tmp_path / model, results(model))
    (table,) = comparison_tables(find_runs([tmp_path]))
    lines, headings, rows = shown(table)
    assert "task version 1.0" in lines[0]
    assert headings == ["model", "accuracy", "conserving", "non-conserving", "strict pair", "unread", "n"]
    rest = ["0.500 [0.25, 0.75]", "0.510", "0.520", "0.530 [0.25, 0.75]", "0.540", "24"]
    assert rows == [["physprobe_chance", *rest], ["physprobe_oracle", *rest]]
    assert not any("answers read by" in line for line in lines)


def test_undefined_scores_and_bounds_are_left_out(tmp_path: Path) -> None:
    content = results()
    for name in ("accuracy_strict_pair", "ci95_low_overall", "ci95_high_overall"):
        content["results"]["conservation"][f"{name},none"] = math.nan
    (table,) = comparison_tables([load_run(save(tmp_path, content))])
    ((_, accuracy, _, _, strict, _, _),) = shown(table)[2]
    assert (accuracy, strict) == ("0.500", "-")


def test_table_says_who_read_the_answers(tmp_path: Path) -> None:
    for k, mode in enumerate(("stage1-only", "hybrid", "hybrid")):
        matching = {"physprobe": {"conservation": {"matching": {"matching": mode}}}}
        save(tmp_path / str(k), results(f"model {k}", **matching))
    (table,) = comparison_tables(find_runs([tmp_path]))
    line = shown(table)[0][-1]
    assert line.strip() == "answers read by templates alone (stage 1); templates and judges"


def test_scores_are_broken_down_from_the_samples(tmp_path: Path) -> None:
    save_samples(save(tmp_path, results()), "same", "same")
    (table,) = comparison_tables(find_runs([tmp_path]), ["domain", "frame_count"])
    _, headings, rows = shown(table)
    assert headings[:4] == ["model", "domain", "frame_count", "accuracy"]
    assert headings[-5:] == ["unread", "same", "more", "less", "n"]
    assert [row[1:4] for row in rows] == [
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
        samples_file(place, task).write_text('{"doc_id": 0}\n')
    assert run(app, ["table", str(place), "--by", "domain"]) == 2
    assert "hold no records of 'conservation'" in capsys.readouterr().err


def test_samples_are_read_one_a_line(tmp_path: Path) -> None:
    path = save(tmp_path, results())
    (tmp_path / "20260101_000000_samples_conservation_number.jsonl").write_text(
        '{"doc_id": 0}\n{"doc_id": 1}\n'
    )
    found = load_run(path)
    assert [sample["doc_id"] for sample in found.samples("conservation_number")] == [0, 1]
    with pytest.raises(UserError, match="--log_samples"):
        list(found.samples("conservation_length"))


def test_bad_input_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "x_results.json").write_text("[]")
    foreign = save(tmp_path / "foreign", results(results={"mme": {"mme_score,none": 1.0}}, group_subtasks={}))
    for place, message in [
        (tmp_path / "empty", "holds no results"),
        (tmp_path / "absent", "does not exist"),
        (tmp_path / "x_results.json", "no results file of lmms-eval"),
        (foreign, "no results file of lmms-eval"),  # its n-samples lack the task
    ]:
        assert run(app, ["table", str(place)]) == 2
        assert message in capsys.readouterr().err


def test_other_benchmarks_have_no_row_here(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = results(results={"mme": {"mme_score,none": 1.0}}, group_subtasks={"mme": []})
    content["n-samples"] = {"mme": {"original": 5, "effective": 5}}
    assert run(app, ["table", str(save(tmp_path, content))]) == 2
    assert "--tasks conservation" in capsys.readouterr().err
