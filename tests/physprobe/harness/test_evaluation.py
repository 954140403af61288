"""What surrounds lmms-eval's simple_evaluate, with a stand-in for it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from physprobe import __version__
from physprobe.data import DatasetIdentity
from physprobe.errors import UserError
from physprobe.harness import catalog, evaluation, patches, registration, session
from physprobe.harness.failures import exit_code
from physprobe.judging.hybrid import JudgesUnreachable


@pytest.fixture
def evaluator(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A stand-in for lmms_eval.evaluator that tells which model it evaluates."""
    module = ModuleType("lmms_eval.evaluator")

    def simple_evaluate(model: Any = None, model_args: Any = None, tasks: Any = ()) -> dict[str, Any]:
        return {"model": session.model()}

    module.simple_evaluate = simple_evaluate  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "lmms_eval.evaluator", module)
    for name in ("PHYSPROBE_JUDGES", "PHYSPROBE_JUDGE_URL"):
        monkeypatch.delenv(name, raising=False)
    return module


def benchmark(monkeypatch: pytest.MonkeyPatch, matching: dict[str, Any]) -> None:
    fake: Any = ModuleType("x.conservation")
    fake.prepare, fake.complete = lambda: None, lambda results: {"matching": matching}
    fake.dataset = lambda tasks: DatasetIdentity("conservationbench", "1.2.0", ",".join(tasks))
    monkeypatch.setattr(catalog, "benchmark_module", lambda _: fake)


def test_results_of_ours_are_completed_and_others_left_alone(
    evaluator: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    benchmark(monkeypatch, {"matching": "stage1-only"})
    evaluation.install()
    evaluation.install()  # once only
    ours = evaluator.simple_evaluate(model="m", model_args="b=1,a=2", tasks=["mme", "conservation_full"])
    record = ours["physprobe"].pop("run")
    assert (record["model"], record["model_args"]) == ("m", {"a": 2, "b": 1})
    dataset = {"name": "conservationbench", "version": "1.2.0", "sha256": "conservation_full", "commit": None}
    assert ours == {
        "model": "m a=2,b=1",
        "physprobe": {
            "version": __version__,
            "conservation": {"matching": {"matching": "stage1-only"}, "dataset": dataset},
        },
    }
    assert evaluator.simple_evaluate(model="m", tasks=["mme"]) == {"model": "m"}
    assert evaluator.simple_evaluate.__wrapped__.__name__ == "simple_evaluate"
    assert not hasattr(evaluator.simple_evaluate.__wrapped__, "__wrapped__")


def test_nothing_to_wrap_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "lmms_eval.evaluator", raising=False)
    evaluation.install()
    assert "lmms_eval.evaluator" not in sys.modules


def test_a_wrong_panel_of_judges_is_told_before_the_model_runs(
    evaluator: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    evaluation.install()
    panel = tmp_path / "panel.yaml"
    monkeypatch.setenv("PHYSPROBE_JUDGES", str(panel))
    panel.write_text("judges: [{name: one, base_url: 'http://127.0.0.1:1/v1', api_key_env: NO_SUCH_KEY}]")
    with pytest.raises(UserError, match=r"set \$NO_SUCH_KEY"):
        evaluator.simple_evaluate(model="m", tasks=["conservation"])
    panel.write_text("judges: []")
    with pytest.raises(UserError, match="judges"):
        evaluator.simple_evaluate(model="m", tasks=["conservation"])


def test_unreachable_judges_end_a_saved_run_with_exit_code_3(
    evaluator: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    benchmark(monkeypatch, {"matching": "hybrid-incomplete", "incomplete": "2 of 5 answers remain unread"})
    evaluation.install()
    main = SimpleNamespace(
        TaskManager=None,
        cli_evaluate_single=lambda args: (evaluator.simple_evaluate(model="m", tasks=["conservation"]), {}),
    )
    failures: list[BaseException] = []
    main.cli_evaluate_single = patches.recording_failures(main, failures)
    arguments = argparse.Namespace(
        tasks="conservation",
        include_path=None,
        model="physprobe_oracle",
        force_simple=False,
        batch_size="1",
        output_path=None,
        limit=None,
        verbosity="INFO",
    )
    results, samples = main.cli_evaluate_single(arguments)
    assert (results["model"], samples) == ("m", {})  # so that its table is printed
    (failure,) = failures
    assert isinstance(failure, JudgesUnreachable)
    assert exit_code(failure) == 3
    registration.skip_default_tasks(False)


def test_complete_results_have_no_shortfall() -> None:
    assert evaluation.shortfalls(None) == []
    assert evaluation.shortfalls({"results": {}}) == []
    assert evaluation.shortfalls({"physprobe": {"version": "1", "conservation": {}}}) == []
