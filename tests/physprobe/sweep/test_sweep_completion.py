from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from physprobe.data import DatasetIdentity
from physprobe.errors import UserError
from physprobe.harness import catalog
from physprobe.sweep.completion import MARKER, Keys, is_complete, mark, set_aside
from physprobe.sweep.config import Sweep
from physprobe.sweep.jobs import Job, plan


def job(out: Path, tasks: str = "mmmu_val", **model: Any) -> Job:
    content = {"adapter": "llava_hf", "gpus": 1, "name": "model", "arguments": {"pretrained": "a/b"}, **model}
    (only,) = plan(Sweep.model_validate({"tasks": [tasks], "models": [content]}), out)
    return only


def key_of(out: Path, inherited: dict[str, str] | None = None, **model: Any) -> str:
    return Keys(inherited or {}, elsewhere=False).of(job(out, **model))


@pytest.mark.parametrize(
    "how",
    [
        {"gpus": 2, "processes": 2},
        {"retries": 9, "timeout_hours": 1},
        {"batch_size": 8},
        {"parameters": 3, "launcher": "torchrun"},
        {"options": ["--yes", "--requests_per_minute", "500"]},
        {"environment": {"HF_TOKEN": "hf_x"}},
        {"arguments": {"pretrained": "a/b", "api_key": "sk"}},
    ],
)
def test_how_a_job_is_run_makes_no_difference(tmp_path: Path, how: dict[str, Any]) -> None:
    assert key_of(tmp_path, **how) == key_of(tmp_path)


@pytest.mark.parametrize(
    "what",
    [
        {"adapter": "vllm"},
        {"arguments": {"pretrained": "a/c"}},
        {"arguments": {"pretrained": "a/b", "revision": "v2"}},
        {"tasks": "mmmu_test"},
        {"limit": 8},
        {"gen_kwargs": "temperature=1"},
        {"options": ["--seed", "1"]},
        {"environment": {"VLLM_USE_V1": 1}},
        {"environment": {"OPENAI_API_BASE": "http://other/v1"}},
    ],
)
def test_what_is_asked_makes_a_difference(tmp_path: Path, what: dict[str, Any]) -> None:
    assert key_of(tmp_path, **what) != key_of(tmp_path)


def test_inherited_servers_and_local_weights_make_a_difference(tmp_path: Path) -> None:
    assert key_of(tmp_path, {"OPENAI_API_BASE": "http://other/v1"}) != key_of(tmp_path)
    weights = tmp_path / "weights"
    weights.mkdir()
    (weights / "model.bin").write_bytes(b"1")
    before = key_of(tmp_path, arguments={"pretrained": str(weights)})
    (weights / "model.bin").write_bytes(b"22")
    assert key_of(tmp_path, arguments={"pretrained": str(weights)}) != before


def test_the_dataset_makes_a_difference_where_the_job_would_look(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "conservationbench"
    folder.mkdir(parents=True)
    (folder / "README.md").write_text("1")
    how: dict[str, Any] = {"tasks": "conservation", "environment": {"PHYSPROBE_DATA": str(folder.parent)}}
    before = key_of(tmp_path, **how)
    assert key_of(tmp_path, **how) == before
    (folder / "README.md").write_text("22")
    assert key_of(tmp_path, **how) != before


def test_a_dataset_is_looked_at_once_for_all_jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []
    module = SimpleNamespace(dataset=lambda tasks: looked.append(tasks) or DatasetIdentity("x", sha256="1"))
    monkeypatch.setattr(catalog, "benchmark_module", lambda task: module)
    keys = Keys({}, elsewhere=False)
    made = {keys.of(job(tmp_path, tasks="conservation", adapter=adapter)) for adapter in ("a", "b", "c")}
    assert len(made) == 3
    assert looked == [["conservation"]]
    keys.of(job(tmp_path, tasks="conservation", environment={"PHYSPROBE_DATA": "other"}))
    assert len(looked) == 2


def test_a_missing_dataset_is_refused_unless_it_may_be_elsewhere(tmp_path: Path) -> None:
    asked = job(tmp_path, tasks="conservation", environment={"PHYSPROBE_DATA": str(tmp_path)})
    with pytest.raises(UserError, match="conservationbench"):
        Keys({}, elsewhere=False).of(asked)
    assert Keys({}, elsewhere=True).of(asked)


def finished(out: Path) -> tuple[Job, Path]:
    made = job(out)
    results = made.folder / "a__b" / "2026_results.json"
    results.parent.mkdir(parents=True)
    results.write_text("{}")
    mark(made.folder, "key", results)
    return made, results


def test_a_job_is_complete_with_its_key_and_its_results(tmp_path: Path) -> None:
    made, results = finished(tmp_path)
    assert is_complete(made, "key")
    assert not is_complete(made, "another key")
    results.unlink()
    assert not is_complete(made, "key")


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"key": "key"}'])
def test_a_broken_marker_marks_nothing(tmp_path: Path, content: str) -> None:
    made, _ = finished(tmp_path)
    (made.folder / MARKER).write_text(content)
    assert not is_complete(made, "key")


def test_results_of_another_key_are_set_aside_not_lost(tmp_path: Path) -> None:
    made, results = finished(tmp_path)
    set_aside(made)
    assert [path.name for path in results.parent.iterdir()] == ["2026_results.json.superseded"]
    assert not (made.folder / MARKER).exists()


def test_results_without_a_marker_stay(tmp_path: Path) -> None:
    """A failed attempt may have saved what another completes."""
    made, results = finished(tmp_path)
    (made.folder / MARKER).unlink()
    set_aside(made)
    assert results.exists()
