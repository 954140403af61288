"""Puts the store of answers around lmms-eval's ``evaluate``, for runs of our tasks."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any

from loguru import logger

from physprobe.errors import UserError
from physprobe.harness import catalog, processes
from physprobe.harness.answers.identity import folder_name, model_identity
from physprobe.harness.answers.resuming import Tally, resuming
from physprobe.harness.answers.store import Answers, AnswerStore, NoStore
from physprobe.harness.failures import EvaluationFailed
from physprobe.harness.grouping import dealing_by_frames
from physprobe.harness.replacing import replaced
from physprobe.text import quantity

KEY = "answers"  # in what physprobe adds to a results file
_SEEDS = ("random_seed", "numpy_random_seed", "torch_random_seed", "fewshot_random_seed")


def keeping_answers(evaluator: Any) -> Callable[..., dict[str, Any] | None]:
    """Return a ``simple_evaluate`` of the module ``lmms_eval.evaluator`` that keeps and reuses answers."""
    from lmms_eval import utils

    original = evaluator.simple_evaluate

    @functools.wraps(original)
    def simple_evaluate(**kwargs: Any) -> dict[str, Any] | None:
        if not _can_be_kept(kwargs.get("tasks") or [], kwargs.get("use_cache")):
            return original(**kwargs)
        ours = functools.partial(_evaluate, evaluator.evaluate, _Run(_root(kwargs), kwargs))
        with replaced(evaluator, "evaluate", ours), dealing_by_frames(evaluator, utils):
            return original(**{**kwargs, "use_cache": None})

    return simple_evaluate


@dataclass(frozen=True)
class _Run:
    """Where answers are kept, if at all, and what ``simple_evaluate`` was called with."""

    root: Path | None
    asked: Mapping[str, Any]

    def store(self, lm: Any) -> Answers:
        if self.root is None:
            return NoStore()
        seeds = [self.asked.get(name) for name in _SEEDS]
        identity = model_identity(self.asked["model"], self.asked.get("model_args") or "", lm, seeds)
        return AnswerStore(self.root / folder_name(identity), identity)


def _root(kwargs: Mapping[str, Any]) -> Path | None:
    """Return the folder that holds a folder of answers for each model; None: nothing is to be kept."""
    place, output = kwargs.get("use_cache"), getattr(kwargs.get("cli_args"), "output_path", None)
    if place:
        return Path(place).parent if Path(place).suffix == ".db" else Path(place)
    if not output:
        logger.info("answers are not kept, for neither --output_path nor --use_cache names a folder")
        return None
    return Path(output) / "answers"


def _can_be_kept(tasks: Sequence[Any], cache: str | None) -> bool:
    names = [task for task in tasks if isinstance(task, str)]
    ours = [name for name in names if name in catalog.task_files()]
    if not ours:
        return False
    if len(ours) == len(tasks):
        return all(hasattr(catalog.benchmark_module(name), "identity") for name in ours)
    if cache:
        raise UserError(
            "--use_cache with tasks of physprobe and of others: run them apart, for lmms-eval's own cache "
            "does not see that media have changed"
        )
    logger.warning("answers are not kept: a killed run can be resumed when all of its tasks are physprobe's")
    return False


def _evaluate(plain: Callable[..., Any], run: _Run, **kwargs: Any) -> dict[str, Any] | None:
    from lmms_eval.evaluator_utils import get_task_list

    lm, tasks = kwargs["lm"], get_task_list(kwargs["task_dict"])
    if _is_spread(lm):
        logger.warning("answers are not kept, for processes that share a model must all ask equally often")
        return plain(**kwargs)
    versions = {task.task_name: task.task.VERSION for task in tasks}
    store = run.store(lm)
    with resuming(lm, store, versions) as own:
        results = plain(**kwargs)
    tally = reduce(add, processes.gather(own), Tally())
    if results is not None:
        results["physprobe"] = {KEY: asdict(tally)}
        repeats = {task.task_name: task.task.config.repeats or 1 for task in tasks}
        _check_all_asked(results, repeats, tally, kwargs.get("offset", 0))
        _report(tally, store.folder)
    return results


def _is_spread(lm: Any) -> bool:
    """Whether each process holds a part of the model only."""
    kind = getattr(getattr(lm, "accelerator", None), "distributed_type", "")
    return str(getattr(kind, "value", kind)) in ("FSDP", "DEEPSPEED", "MEGATRON_LM")


def _check_all_asked(
    results: Mapping[str, Any], repeats: Mapping[str, int], tally: Tally, offset: int
) -> None:
    expected = sum(count["effective"] * repeats[task] for task, count in results["n-samples"].items())
    if not offset and tally.questions != expected:
        raise EvaluationFailed(
            f"{quantity(expected, 'question')} should have been asked, "
            f"the processes of this run were given {tally.questions}"
        )


def _report(tally: Tally, folder: Path | None) -> None:
    if folder is not None:
        logger.info(f"answers: {tally.reused} reused, {tally.asked} asked; kept in {folder}")
    if tally.blank and folder is not None:
        logger.warning(f"blank and not kept: {quantity(tally.blank, 'answer')}; the same command asks again")
