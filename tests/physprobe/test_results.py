"""Reading results files of lmms-eval; files of real runs are read in tests/tasks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from physprobe.cli import app
from physprobe.cli.runner import run
from physprobe.errors import UserError
from physprobe.results import find_runs, load_run
from tests.support.results_files import results, samples_file, save, save_samples


def test_members_of_a_group_are_not_shown_beside_it(tmp_path: Path) -> None:
    found = load_run(save(tmp_path, results()))
    assert list(found.metrics) == ["conservation"]
    assert found.questions == {"conservation": 16}
    assert found.versions == {"conservation": "1.0"}
    estimate = found.estimate("conservation", "accuracy_strict_pair")
    assert (estimate.value, estimate.low, estimate.high, estimate.n) == (0.53, 0.25, 0.75, 16)


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


def test_samples_are_read_one_a_line(tmp_path: Path) -> None:
    path = save(tmp_path, results())
    (tmp_path / "20260101_000000_samples_conservation_number.jsonl").write_text(
        "".join(f'{{"doc_id": {number}}}\n' for number in range(8))
    )
    found = load_run(path)
    assert [sample["doc_id"] for sample in found.samples("conservation_number")] == [*range(8)]
    with pytest.raises(UserError, match="--log_samples"):
        list(found.samples("conservation_length"))


def test_a_line_that_is_cut_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save_samples(path := save(tmp_path, results()), "same", "same")
    cut = samples_file(path, "conservation_number")
    cut.write_text(cut.read_text()[:-40])
    assert run(app, ["table", "--by", "domain", str(tmp_path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"error: {cut}, line 8 is cut or damaged")


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
