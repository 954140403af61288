"""``physprobe push-results``: what is uploaded, that nothing secret is, that it appears at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from datasets import load_dataset
from huggingface_hub import EvalResultEntry, eval_result_entries_to_yaml

from physprobe.cli import app
from physprobe.cli.runner import run
from physprobe.hub.repository import Repository
from tests.support.hub_server import LocalHub
from tests.support.hub_server.running import WRITER
from tests.support.saved_answers import both_twins, save_run

NAME = "lab/results"
TASK = "conservation_number"
KEY = "sk-0123456789abcdef"
COMMIT = "a" * 40
RECORD = {"model": "qwen", "command": "lmms_eval --tasks conservation_number", "packages": {"av": "15.1.0"}}
Push = Callable[..., tuple[int, str, str]]


def results(folder: Path, model: str = "qwen", date: str = "20260101_000000", **record: Any) -> Path:
    """Save a run with its record, as ``lmms_eval`` does."""
    path = save_run(folder / model, model, {TASK: both_twins()}, date=date)
    saved = json.loads(path.read_text())
    saved["configs"] = {TASK: {"dataset_path": "lab/conservationbench"}}
    identity = {"name": "conservationbench", "version": "1.0.0", "sha256": "0" * 64, "commit": COMMIT}
    saved["physprobe"] = {"run": {**RECORD, **record}, "conservation": {"dataset": identity}}
    path.write_text(json.dumps(saved))
    return folder


@pytest.fixture
def push(capsys: pytest.CaptureFixture[str]) -> Push:
    def command(*arguments: str | Path) -> tuple[int, str, str]:
        code = run(app, ["push-results", *map(str, arguments)])
        output = capsys.readouterr()
        assert WRITER not in output.out + output.err
        return code, output.out, output.err

    return command


def test_results_answers_and_record(hub: LocalHub, tmp_path: Path, push: Push) -> None:
    code, out, err = push(results(tmp_path / "out"), NAME)
    assert (code, err) == (0, "")
    assert out.startswith(f"published: {NAME} (qwen; commit ")
    assert list(hub.files(NAME)) == [
        ".eval_results/qwen_20260101_000000.yaml",
        "README.md",
        "qwen/20260101_000000_results.json",
        "qwen/20260101_000000_run.json",
        f"qwen/20260101_000000_samples_{TASK}.jsonl",
    ]
    assert json.loads(hub.read(NAME, "qwen/20260101_000000_run.json")) == RECORD
    saved = (tmp_path / "out" / "qwen" / "20260101_000000_results.json").read_bytes()
    assert hub.read(NAME, "qwen/20260101_000000_results.json") == saved


def test_scores_are_in_the_hubs_format(hub: LocalHub, tmp_path: Path, push: Push) -> None:
    push(results(tmp_path / "out"), NAME)
    wanted = EvalResultEntry(
        dataset_id="lab/conservationbench",
        task_id=TASK,
        value=0.5,
        dataset_revision=COMMIT,
        date="2026-01-01T00:00:00",
        notes="accuracy_strict_pair, task version 1.0, 8 questions",
    )
    found = yaml.safe_load(hub.read(NAME, ".eval_results/qwen_20260101_000000.yaml"))
    assert found == eval_result_entries_to_yaml([wanted])


def test_more_runs_are_added_and_load(
    hub: LocalHub, tmp_path: Path, push: Push, monkeypatch: pytest.MonkeyPatch
) -> None:
    push(results(tmp_path / "one"), NAME)
    push(results(tmp_path / "two", date="20260202_000000"), NAME)
    push(results(tmp_path / "other", model="llava"), NAME)
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "datasets")
    folder = Repository(NAME).download("main")
    answers = load_dataset(str(folder), f"qwen.{TASK}")
    assert list(answers) == ["20260101_000000", "20260202_000000", "latest"]
    assert answers["latest"][0]["filtered_resps"] in "ABC"
    assert len(answers["latest"]) == 8
    assert len(load_dataset(str(folder), f"llava.{TASK}", split="latest")) == 8


def test_secrets_are_masked(
    hub: LocalHub, tmp_path: Path, push: Push, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    command = f"OPENAI_API_KEY={KEY} lmms_eval --hf_hub_log_args token={WRITER}"
    push(results(tmp_path / "out", command=command), NAME)
    for path in hub.files(NAME):
        content = hub.read(NAME, path).decode()
        assert KEY not in content
        assert WRITER not in content
    assert "[REDACTED]" in hub.read(NAME, "qwen/20260101_000000_run.json").decode()
    assert "[REDACTED]" in hub.read(NAME, "qwen/20260101_000000_results.json").decode()


def test_the_same_again_and_a_dry_run(hub: LocalHub, tmp_path: Path, push: Push) -> None:
    out = results(tmp_path / "out")
    code, told, _ = push(out, NAME, "--dry-run")
    assert code == 0
    assert "add qwen/20260101_000000_results.json (" in told
    assert hub.store.find("datasets", NAME) is None
    push(out, NAME)
    before = hub.repo(NAME).refs
    assert push(out, NAME)[1].startswith("already published: ")
    assert hub.repo(NAME).refs == before


def test_it_appears_at_once_though_the_hub_fails(hub: LocalHub, tmp_path: Path, push: Push) -> None:
    push(results(tmp_path / "one"), NAME)
    hub.faults.share = 0.2
    hub.faults.rate_limit("/commit/main")
    assert push(results(tmp_path / "two", model="llava"), NAME)[0] == 0
    repo = hub.repo(NAME)
    sizes = [len(repo.tree(commit)) for commit in repo.history(repo.refs.branches["main"])]
    assert sizes == [10, 6, 1]
    assert list(repo.refs.branches) == ["main"]


def test_what_is_refused(hub: LocalHub, tmp_path: Path, push: Push) -> None:
    plain = tmp_path / "plain"
    save_run(plain, "qwen", {TASK: both_twins()})
    for arguments, message in (
        ((plain, NAME), "has no record of its run: evaluate again"),
        ((tmp_path / "none", NAME), "does not exist"),
        ((results(tmp_path / "out"), "results"), "write ORG/NAME"),
        ((results(tmp_path / "out"), "elsewhere/results"), "lacks the right to"),
    ):
        code, _, err = push(*arguments)
        assert code == 2
        assert message in err
        assert err.count("\n") == 1
    assert [seen.path for seen in hub.faults.seen if seen.is_write] == ["/api/repos/create"]


def test_missing_answers_are_told(tmp_path: Path, push: Push) -> None:
    out = results(tmp_path / "out")
    next(out.glob("*/*.jsonl")).unlink()
    code, _, err = push(out, NAME)
    assert (code, err) == (0, f"warning: no answers of qwen: {TASK} (evaluate with --log_samples)\n")


def test_answers_that_were_cut_are_not_published(hub: LocalHub, tmp_path: Path, push: Push) -> None:
    place = results(tmp_path / "out")
    (cut,) = place.rglob("*_samples_*.jsonl")
    cut.write_text("".join(cut.read_text().splitlines(keepends=True)[:-1]))
    code, _, err = push(place, NAME)
    assert (code, err) == (2, f"error: {cut} holds 7 of 8 answers: evaluate again\n")
