"""Faults of lmms-eval's command that our command mends from outside; see PATCHES for the list."""

from __future__ import annotations

import argparse
import functools
import json
import math
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, NoReturn

from loguru import logger

from physprobe.errors import UserError
from physprobe.harness import catalog, checks, evaluation, processes, registration
from physprobe.harness.answers import installing
from physprobe.harness.failures import exit_code, one_line, root_error
from physprobe.harness.replacing import replaced

# What the faults below were seen in. With another version a run warns, and the tests tell which are mended.
TESTED_VERSIONS = ("0.7.3",)


@dataclass(frozen=True)
class Patch:
    """A fault, and where it is mended.

    Attributes:
        name: of the patch. fault: what the stock version does, and where. mended: by what in this package.
        upstream: where it is reported, "" if nowhere that we found. versions: in which it was seen.
    """

    name: str
    fault: str
    mended: str
    upstream: str = ""
    versions: tuple[str, ...] = TESTED_VERSIONS


PATCHES = (
    Patch("exit code", "cli_evaluate prints a traceback and exits 0", "recording_failures"),
    Patch("unsaved results", "evaluation_tracker logs a warning and exits 0", "checks.check_saved"),
    Patch("unknown names", "cli_evaluate_single prints a traceback and exits 0", "checks.check_tasks"),
    Patch("bad options", "parse_eval_args prints 60 lines of usage first", "one_line_usage"),
    Patch("batch size", "nothing checks --batch_size before the model is loaded", "checks.check_batch_size"),
    Patch("mixed batches", "models/simple fetch questions of the wrong task", "checks.check_batching"),
    Patch("shared limit", "evaluate makes a share of the first task the limit of all", "checks.check_limit"),
    Patch("no image", "llava_hf fails late with IndexError without an image", "checks.check_text_only"),
    Patch("printed token", "cli_evaluate_single prints HF_TOKEN", "secrets.mask_output"),
    Patch("NaN in JSON", "evaluation_tracker writes NaN, which JSON has not", "_StrictJson"),
    Patch(
        "lost answers",
        "response_cache keeps nothing before the last answer, and gives old answers to changed media",
        "answers.installing",
        "https://github.com/EvolvingLMMs-Lab/lmms-eval/issues/852",
    ),
    Patch(
        "lone process",
        "accelerate launch starts one process on CPUs where several were asked for",
        "processes.refuse_lone_process",
        "https://github.com/huggingface/accelerate/issues/2741",
    ),
    Patch("parted frames", "create_iterator deals questions on one clip to all processes", "grouping"),
    Patch("awaited process", "cli_evaluate lets the others wait for a failed process", "recording_failures"),
    Patch(
        "slow import", "api.registry imports evaluate, and so transformers.pipelines, in 2.8 s", "deferring"
    ),
    Patch("slow index", "TaskManager reads 1,989 task files, in 3.5 s", "registration.skip_default_tasks"),
)


@contextmanager
def applied(main_module: Any, failures: list[BaseException]) -> Iterator[None]:
    """Mend ``lmms_eval.__main__`` and what it uses, in this block.

    Args:
        main_module: the module. failures: the first real error of each failed evaluation is appended here.
    """
    from lmms_eval.loggers import evaluation_tracker

    if version("lmms-eval") not in TESTED_VERSIONS:
        logger.warning(f"lmms-eval {version('lmms-eval')}: physprobe is tested with {TESTED_VERSIONS} only")
    evaluator = main_module.evaluator
    with (
        replaced(evaluator, "simple_evaluate", installing.keeping_answers(evaluator)),
        replaced(evaluation_tracker, "json", _StrictJson()),
        replaced(main_module, "cli_evaluate_single", recording_failures(main_module, failures)),
        replaced(main_module, "TaskManager", main_module.TaskManager),
    ):
        yield


def recording_failures(main_module: Any, failures: list[BaseException]) -> Callable[..., tuple[Any, Any]]:
    """Return a ``cli_evaluate_single`` that appends the first real error of an evaluation to ``failures``."""
    evaluate, task_manager = main_module.cli_evaluate_single, main_module.TaskManager

    @functools.wraps(evaluate)
    def cli_evaluate_single(args: argparse.Namespace) -> tuple[Any, Any]:
        requested = args.tasks.split(",") if args.tasks else []
        main_module.TaskManager = functools.partial(_checked_manager, task_manager, requested)
        registration.skip_default_tasks(catalog.only_ours(requested) and not args.include_path)
        try:
            processes.check_number()
            if requested and args.tasks not in checks.LISTINGS:
                checks.check_request(args, requested)
            results, samples = evaluate(args)
            if results is not None and args.output_path:
                checks.check_saved(args.output_path, results, samples)
            failures.extend(evaluation.shortfalls(results))
            return results, samples
        except Exception as error:
            failures.append(root_error(error))
            if args.verbosity == "DEBUG":
                traceback.print_exc()
            _leave_if_awaited(failures[-1])
            return None, None

    return cli_evaluate_single


def one_line_usage() -> None:
    """Make argparse report bad options in one line, without the usage text."""

    def error(parser: argparse.ArgumentParser, message: str) -> NoReturn:
        raise UserError(f"{message} (see lmms_eval --help)")

    argparse.ArgumentParser.error = error  # type: ignore[method-assign, assignment]


class _StrictJson:
    """The module ``json``, but writing null for what is undefined (an interval of one pair)."""

    def __getattr__(self, name: str) -> Any:
        return getattr(json, name)

    def dumps(self, value: Any, **options: Any) -> str:
        return json.dumps(_finite(value), allow_nan=False, **options)


def _finite(value: Any) -> Any:
    """Replace NaN and infinities by None."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: _finite(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(part) for part in value]
    return value


def _checked_manager(task_manager: Any, requested: list[str], *args: Any, **kwargs: Any) -> Any:
    manager = task_manager(*args, **kwargs)
    if not checks.LISTINGS & set(requested):
        checks.check_tasks(requested, manager.all_tasks)
    return manager


def _leave_if_awaited(error: BaseException) -> None:
    """End this process when other processes of the run would wait for it; the launcher then ends them."""
    if processes.asked() > 1:
        print(f"error: {one_line(error)}", file=sys.stderr, flush=True)
        processes.leave(exit_code(error))
