"""Scoring saved runs anew; the files are written as lmms-eval writes them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from physprobe.cli import app
from physprobe.cli.runner import run
from physprobe.errors import UserError
from physprobe.harness import rescoring
from physprobe.harness.conservation import captions, completion, marking, modality, questions
from physprobe.harness.conservation import rescoring as conservation
from physprobe.harness.quantiphy import completion as quantiphy_completion
from physprobe.harness.quantiphy import marking as quantiphy_marking
from physprobe.results import find_runs
from tests.support.conservation_rows import dataset, twins

QUANTIPHY, NUMBER, LENGTH = "quantiphy_s2", "conservation_number", "conservation_length"
RESULTS = "20261130_120000_results.json"
Answer = Callable[[int], str]


def said(k: int) -> str:
    return ("(A)", "(B)", "Yes, they are the same.", "Who knows?")[k % 4]


def conservation_samples(task: str, answer: Answer = said) -> list[dict[str, Any]]:
    rows = [row for k in range(5) for row in twins(f"{task[13:]}_a_{k}")]
    asked = questions.all_questions(dataset(rows)).to_list()
    return [{"filtered_resps": answer(k), **marking.mark(row, answer(k))} for k, row in enumerate(asked)]


def quantiphy_samples(answer: Answer) -> list[dict[str, Any]]:
    made = []
    for k in range(6):
        details = {
            "question_id": f"q{k}", "video_id": f"v{k // 2}", "video_source": "simulation", "unit": "cm",
            "truth": 10.0 + k, "category": "S2", "background": "X", "objects": "S",
        }  # fmt: skip
        read = quantiphy_marking.read_anew(details, answer(k))
        made.append({"filtered_resps": answer(k), **quantiphy_marking.collected(read)})
    return made


def control_samples() -> dict[str, list[dict[str, Any]]]:
    checks = [{"question_id": f"c{k}", "media": "frames", "count": 3 + k % 2} for k in range(4)]
    frames = [{"question_id": f"f{k}", "caption_key": f"key:{k}"} for k in range(3)]
    told = ["I received 3 images.", "none"]
    counted = [(told[k % 2], modality.mark_modality(row, told[k % 2])) for k, row in enumerate(checks)]
    captioned = [
        (text, captions.mark_caption(row, text))
        for row, text in zip(frames, ["A coin.", "", "B"], strict=True)
    ]
    return {
        "conservation_modality": [{"filtered_resps": text, **marked} for text, marked in counted],
        "conservation_caption_frames": [{"filtered_resps": text, **marked} for text, marked in captioned],
    }


def aggregated(scoring: Any, metric: str, items: list[Any]) -> float:
    if metric in conservation.OTHERS:
        return conservation.OTHERS[metric](items)
    return scoring.aggregate(metric, items)


def save(folder: Path, samples: Mapping[str, list[dict[str, Any]]], groups: Mapping[str, list[str]]) -> Path:
    """Score samples as a run does, and write its files."""
    scorings = {"conservation": marking.SCORING, "quantiphy": quantiphy_marking.SCORING}
    rows: dict[str, dict[str, Any]] = {}
    for task, lines in samples.items():
        names = [name for name in lines[0] if name not in ("filtered_resps", "doc_id")]
        scoring = scorings[task.partition("_")[0]]
        rows[task] = {f"{n},none": aggregated(scoring, n, [line[n] for line in lines]) for n in names}
    for group, members in groups.items():
        names = {metric for member in members for metric in rows[member]}
        pool = scorings[group].pool
        rows[group] = {name: pool([rows[member][name] for member in members], [], False) for name in names}
    results = {"results": rows, "configs": {t: {} for t in samples}, "group_subtasks": groups}
    ours = {
        "conservation": {"dataset": {"version": "1.0.0"}, **completion.complete(results)},
        "quantiphy": quantiphy_completion.complete(results),
    }
    content = {
        **results,
        "groups": {group: rows[group] for group in groups},
        "versions": dict.fromkeys(rows, "1.0"),
        "n-samples": {task: {"effective": len(lines)} for task, lines in samples.items()},
        "date": "20261130_120000",
        "config": {"model": "m", "model_args": ""},
        "physprobe": {name: found for name, found in ours.items() if found},
    }
    folder.mkdir(parents=True)
    (folder / RESULTS).write_text(json.dumps(rescoring._plain(content), default=str))
    for task, lines in samples.items():
        path = folder / RESULTS.replace("_results.json", f"_samples_{task}.jsonl")
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder / RESULTS


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run of everything: two tasks in a group, one of QuantiPhy, and the controls."""
    for name in ("PHYSPROBE_JUDGES", "PHYSPROBE_JUDGE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(quantiphy_completion, "adapter_sampling", dict)
    samples = {task: conservation_samples(task) for task in (NUMBER, LENGTH)}
    samples |= {QUANTIPHY: quantiphy_samples(lambda k: ("11 cm", "0.2 m", "big")[k % 3]), **control_samples()}
    return save(tmp_path / "run", samples, {"conservation": [NUMBER, LENGTH]})


def edit(path: Path, old: str, new: str) -> None:
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))


def samples_file(results: Path, task: str) -> Path:
    return results.with_name(results.name.replace("_results.json", f"_samples_{task}.jsonl"))


def test_every_number_comes_out_as_saved(saved: Path) -> None:
    rescored = rescoring.rescore(saved)
    assert rescored.differences() == []
    assert rescored.reread == ()
    known = {path[1] for path in rescored.found if path[0] == "results"}
    assert known == {"conservation", NUMBER, LENGTH, QUANTIPHY, *control_samples()}
    assert rescored.found["results", "conservation_modality", "count_correct,none"] == 0.5
    assert rescored.found["physprobe", "conservation", "matching", "unread"] == 4
    assert rescored.found["physprobe", "quantiphy", "unreadable", "rate"] == 2 / 6
    assert 0 < rescored.found["results", "conservation", "ci95_high_overall,none"] < 1  # type: ignore[operator]
    old = json.loads(saved.read_text())
    assert rescored.results == old


@pytest.mark.parametrize("metric", ["accuracy_overall", "ci95_low_strict_pair"])
def test_a_number_that_is_not_reproduced_is_named(
    saved: Path, metric: str, capsys: pytest.CaptureFixture[str]
) -> None:
    content = json.loads(saved.read_text())
    content["results"]["conservation"][f"{metric},none"] += 1e-16 + 1e-9
    saved.write_text(json.dumps(content))
    assert run(app, ["rescore", str(saved)]) == 1
    assert f"error: conservation {metric}: saved " in capsys.readouterr().err


def test_an_answer_that_is_read_otherwise_is_shown(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(samples_file(saved, NUMBER), '"filtered_resps": "(B)"', '"filtered_resps": "No idea"')
    assert run(app, ["rescore", str(samples_file(saved, LENGTH))]) == 1  # the whole run, by any of its files
    shown = capsys.readouterr()
    assert f"read otherwise: {NUMBER}, " in shown.out
    assert "letter 'B' -> None" in shown.out
    assert "and " in shown.err


def test_what_judges_read_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    samples = {task: conservation_samples(task) for task in (NUMBER, LENGTH)}
    for sample in samples[NUMBER]:
        if sample[marking.DETAILS]["letter"] is None:
            judged = marking.settled(sample[marking.DETAILS], "A", "judges")
            sample.update(marking.collected({**judged, "judges": {"one": "A"}}, sample["filtered_resps"]))
    path = save(tmp_path / "run", samples, {"conservation": [NUMBER, LENGTH]})
    rescored = rescoring.rescore(path)
    assert rescored.reread == ()
    assert rescored.found["physprobe", "conservation", "matching", "read_by_judges"] == 2
    assert {path[:3] for path in rescored.differences()} <= {("physprobe", "conservation", "matching")}


def test_new_files_are_written_beside_the_old(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(samples_file(saved, NUMBER), '"filtered_resps": "(B)"', '"filtered_resps": "(C)"')
    before = {path: path.read_bytes() for path in saved.parent.iterdir()}
    assert run(app, ["rescore", str(saved.parent), "--write"]) == 0
    assert {path: path.read_bytes() for path in before} == before
    new = saved.with_name("20261130_120000_rescored_results.json")
    assert rescoring.rescore(new).differences() == []
    content = json.loads(new.read_text())
    assert content["physprobe"]["rescored"]["from"] == RESULTS
    assert content["physprobe"]["rescored"]["reread"] == 1
    assert content["physprobe"]["conservation"]["dataset"] == {"version": "1.0.0"}
    (newest,) = find_runs([saved.parent])  # which is what tables and analyses take
    assert newest.path == new
    capsys.readouterr()
    assert run(app, ["rescore", str(saved), "--write"]) == 2
    assert "is there already" in capsys.readouterr().err


def test_samples_must_be_there_and_whole(saved: Path) -> None:
    file = samples_file(saved, NUMBER)
    file.write_text("".join(file.read_text().splitlines(keepends=True)[:-1]))
    with pytest.raises(UserError, match=r"_conservation_number.jsonl holds 9 of 10 answers: evaluate again"):
        rescoring.rescore(saved)
    file.unlink()
    with pytest.raises(UserError, match="evaluate with --log_samples"):
        rescoring.rescore(saved)


def test_wrong_places(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    for place, told in (
        ("none", "does not exist"),
        (".", "holds no results"),
        ("notes.txt", "no samples file"),
    ):
        with pytest.raises(UserError, match=told):
            rescoring.find_results([tmp_path / place])


def test_neither_lmms_eval_nor_torch_is_needed(saved: Path) -> None:
    code = (
        "import sys; from physprobe.cli import app; from physprobe.cli.runner import run; code = run(app);"
        "print({'lmms_eval', 'torch', 'transformers'} & sys.modules.keys()); sys.exit(code)"
    )
    command = [sys.executable, "-c", code, "rescore", str(saved)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("all are the same\nset()\n")
