"""What surrounds lmms-eval's ``simple_evaluate`` when tasks of ours are evaluated.

Before: the judges' configuration is checked, and tasks can learn which model is evaluated. After, before
anything is saved: each benchmark completes its results (see ``complete`` of its module) and says which state
of its dataset was used, under the key "physprobe" of the results file, beside the record of the run.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from types import ModuleType
from typing import Any

from loguru import logger

from physprobe import __version__
from physprobe.harness import catalog, session
from physprobe.harness.failures import EvaluationFailed
from physprobe.harness.run_record import Beginning, run_record
from physprobe.text import quantity

KEY = "physprobe"
_MODULE = "lmms_eval.evaluator"
_MARK = "_physprobe_completes"


def install() -> None:
    """Wrap ``simple_evaluate`` once ``lmms_eval.evaluator`` is imported. Idempotent."""
    module = sys.modules.get(_MODULE)
    original = getattr(module, "simple_evaluate", None)
    if module is not None and original is not None and not hasattr(original, _MARK):
        module.simple_evaluate = _surrounded(original)  # type: ignore[attr-defined]


def shortfalls(results: dict[str, Any] | None) -> list[Exception]:
    """Return what keeps saved results from being complete: judges that could not be asked (exit code 3).

    Questions that a server did not answer come first (exit code 1).
    """
    from physprobe.judging.hybrid import JudgesUnreachable

    benchmarks = (results or {}).get(KEY, {}).values()
    found = [b["matching"].get("incomplete") for b in benchmarks if isinstance(b, dict) and "matching" in b]
    return [*_unanswered(results), *(JudgesUnreachable(text) for text in found if text)]


def _unanswered(results: dict[str, Any] | None) -> list[Exception]:
    failed = (results or {}).get(KEY, {}).get("answers", {}).get("failed", 0)
    text = f"{quantity(failed, 'question')} got no answer (see the log): the same command asks again"
    return [EvaluationFailed(text)] if failed else []


def _surrounded(original: Callable[..., dict[str, Any] | None]) -> Callable[..., dict[str, Any] | None]:
    @functools.wraps(original)
    def simple_evaluate(*args: Any, **kwargs: Any) -> dict[str, Any] | None:
        began = Beginning()
        model = kwargs.get("model", args[0] if args else None)
        tasks = _ours(kwargs.get("tasks") or [])
        benchmarks = _benchmarks(tasks)
        with session.evaluating(model, kwargs.get("model_args")):
            for benchmark in benchmarks:
                benchmark.prepare()
            results = original(*args, **kwargs)
            completed = {
                _name(each): {**each.complete(results), **_dataset(each, tasks)}
                for each in benchmarks
                if results is not None
            }
        for answered in ((results or {}).get("samples") or {}).values():
            answered.sort(key=lambda sample: sample["doc_id"])  # the same file from any number of processes
        if results is not None and benchmarks:  # None: not the first process
            record = run_record(results, model, kwargs.get("model_args"), began)
            results[KEY] = {**results.get(KEY, {}), "version": __version__, "run": record, **completed}
            for shortfall in shortfalls(results):
                logger.warning(shortfall)
        return results

    setattr(simple_evaluate, _MARK, True)
    return simple_evaluate


def _name(benchmark: ModuleType) -> str:
    return benchmark.__name__.rpartition(".")[2]


def _dataset(benchmark: ModuleType, tasks: Sequence[str]) -> dict[str, Any]:
    own = [task for task in tasks if catalog.benchmark_module(task) is benchmark]
    return {"dataset": asdict(benchmark.dataset(own))}


def _ours(tasks: Iterable[Any]) -> list[str]:
    return [task for task in tasks if isinstance(task, str) and task in catalog.task_files()]


def _benchmarks(tasks: Iterable[str]) -> list[ModuleType]:
    return sorted({catalog.benchmark_module(task) for task in tasks}, key=lambda module: module.__name__)
