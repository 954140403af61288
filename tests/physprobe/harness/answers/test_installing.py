"""When answers are kept, and where; with a stand-in for lmms-eval's evaluator."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from physprobe.errors import UserError
from physprobe.harness import catalog
from physprobe.harness.answers import installing
from physprobe.harness.failures import EvaluationFailed
from tests.support.stub_model import StubModel, request

TASK = SimpleNamespace(VERSION="1.0", config=SimpleNamespace(repeats=1), dump_config=dict)
Evaluate = Callable[..., dict[str, Any] | None]


class Evaluator:
    """What ``lmms_eval.evaluator`` does, on three questions; ``given`` of them reach the model."""

    def __init__(self, lm: StubModel, given: int = 3) -> None:
        self.lm, self.given = lm, given
        self.calls: list[dict[str, Any]] = []

    def simple_evaluate(self, **kwargs: Any) -> dict[str, Any] | None:
        self.calls.append(kwargs)
        return self.evaluate(lm=self.lm, task_dict={"stub_task": TASK}, offset=0)

    def evaluate(self, lm: StubModel, task_dict: object, offset: int) -> dict[str, Any]:
        lm.generate_until([request(k) for k in range(self.given)])
        return {"n-samples": {"stub_task": {"original": 3, "effective": 3}}}

    def create_iterator(self, *args: Any) -> None:
        """There are no documents to deal."""

    def run(self, **kwargs: Any) -> dict[str, Any] | None:
        return installing.keeping_answers(self)(**{"model": "stub", "tasks": ["stub_task"], **kwargs})


@pytest.fixture
def lm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StubModel:
    """A model; ``stub_task`` is one of our tasks."""
    monkeypatch.setattr(catalog, "task_files", lambda: {"stub_task": None})
    monkeypatch.setattr(catalog, "benchmark_module", lambda task: SimpleNamespace(identity=lambda row: [row]))
    return StubModel(tmp_path / "log", [{"k": k} for k in range(3)])


def saving(folder: Path) -> dict[str, Any]:
    return {"cli_args": SimpleNamespace(output_path=str(folder))}


def test_answers_are_kept_beside_the_results(lm: StubModel, tmp_path: Path) -> None:
    for reused in (0, 3):
        results = Evaluator(lm).run(**saving(tmp_path / "out"))
        assert results is not None
        found = results["physprobe"]["answers"]
        assert (found["questions"], found["reused"], found["asked"]) == (3, reused, 3 - reused)
    (folder,) = (tmp_path / "out" / "answers").iterdir()
    assert folder.name.startswith("stub-")
    assert lm.asked() == [0, 1, 2]


@pytest.mark.parametrize("given", ["cache", "cache/cache.db"])
def test_use_cache_names_another_place(lm: StubModel, tmp_path: Path, given: str) -> None:
    evaluator = Evaluator(lm)
    evaluator.run(use_cache=str(tmp_path / given), **saving(tmp_path / "out"))
    assert not (tmp_path / "out").exists()
    assert [path.name[:5] for path in (tmp_path / "cache").iterdir()] == ["stub-"]
    assert evaluator.calls[0]["use_cache"] is None  # lmms-eval's own cache would come first


@pytest.mark.parametrize("changed", [{"model": "other"}, {"model_args": "a=1"}, {"torch_random_seed": 5}])
def test_another_model_starts_anew(lm: StubModel, tmp_path: Path, changed: dict[str, Any]) -> None:
    Evaluator(lm).run(**saving(tmp_path))
    Evaluator(lm).run(**saving(tmp_path), **changed)
    assert lm.asked() == [0, 1, 2] * 2


def test_nothing_is_kept_without_a_place(lm: StubModel, tmp_path: Path) -> None:
    for _ in range(2):
        Evaluator(lm).run()
    assert lm.asked() == [0, 1, 2] * 2


@pytest.mark.parametrize("tasks", [["mme"], ["stub_task", "mme"], []])
def test_others_tasks_are_left_to_lmms_eval(lm: StubModel, tmp_path: Path, tasks: list[str]) -> None:
    evaluator = Evaluator(lm)
    evaluator.run(**saving(tmp_path / "out"), tasks=tasks)
    assert not (tmp_path / "out").exists()
    if "stub_task" in tasks:
        with pytest.raises(UserError, match="run them apart"):
            evaluator.run(tasks=tasks, use_cache="cache")
    else:
        evaluator.run(tasks=tasks, use_cache="cache")
        assert evaluator.calls[-1]["use_cache"] == "cache"


def test_a_model_spread_over_processes_is_asked_as_lmms_eval_asks(lm: StubModel, tmp_path: Path) -> None:
    """Its processes must all make the same number of steps."""
    lm.accelerator = SimpleNamespace(distributed_type=SimpleNamespace(value="FSDP"))  # type: ignore[attr-defined]
    Evaluator(lm).run(**saving(tmp_path / "out"))
    assert lm.calls == [3]
    assert not (tmp_path / "out").exists()


def test_questions_that_no_process_was_given_are_an_error(lm: StubModel, tmp_path: Path) -> None:
    with pytest.raises(EvaluationFailed, match=r"3 questions should have been asked, .* were given 2"):
        Evaluator(lm, given=2).run(**saving(tmp_path))


def test_evaluate_is_left_as_it_was(lm: StubModel, tmp_path: Path) -> None:
    evaluator = Evaluator(lm)
    evaluator.run(**saving(tmp_path))
    assert evaluator.evaluate.__func__ is Evaluator.evaluate  # type: ignore[attr-defined]
