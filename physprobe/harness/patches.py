"""Faults of lmms-eval's command that our command mends from outside.

| what | why | where (lmms-eval 0.7.3) |
|---|---|---|
| errors are recorded and decide the exit code | stock prints a traceback and exits 0 | ``cli_evaluate`` |
| results that were not saved are an error | stock logs a warning and exits 0 | ``evaluation_tracker.py`` |
| unknown models and tasks are bad use | stock prints a traceback and exits 0 | ``cli_evaluate_single`` |
| requests without an image are refused where they fail | ``IndexError`` late in the run | ``llava_hf`` |
| simple adapters may not batch several tasks | they fetch the wrong questions | ``models/simple`` |
| a failed process ends at once | the others would wait for it forever | ``cli_evaluate`` |
| lmms-eval's own tasks are not indexed when only ours are asked for | 3.5 s | ``TaskManager`` |
| bad options are one line | stock prints 60 lines of usage first | ``parse_eval_args`` |
"""

from __future__ import annotations

import argparse
import functools
import os
import sys
import traceback
from typing import Any, NoReturn

from physprobe.errors import UserError
from physprobe.harness import catalog, checks, evaluation, registration
from physprobe.harness.failures import exit_code, one_line, root_error


def record_failures(main_module: Any, failures: list[BaseException]) -> None:
    """Make ``lmms_eval.__main__`` append the first real error of each failed evaluation to ``failures``."""
    evaluate, task_manager = main_module.cli_evaluate_single, main_module.TaskManager

    @functools.wraps(evaluate)
    def cli_evaluate_single(args: argparse.Namespace) -> tuple[Any, Any]:
        requested = args.tasks.split(",") if args.tasks else []
        main_module.TaskManager = functools.partial(_checked_manager, task_manager, requested)
        registration.skip_default_tasks(catalog.only_ours(requested) and not args.include_path)
        try:
            if requested and args.tasks not in checks.LISTINGS:
                checks.check_model(args.model)
                checks.check_batching(args.model, args.force_simple, args.batch_size, requested)
                checks.check_text_only(args.model, args.force_simple, requested)
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

    main_module.cli_evaluate_single = cli_evaluate_single


def one_line_usage() -> None:
    """Make argparse report bad options in one line, without the usage text."""

    def error(parser: argparse.ArgumentParser, message: str) -> NoReturn:
        raise UserError(f"{message} (see lmms_eval --help)")

    argparse.ArgumentParser.error = error  # type: ignore[method-assign, assignment]


def _checked_manager(task_manager: Any, requested: list[str], *args: Any, **kwargs: Any) -> Any:
    manager = task_manager(*args, **kwargs)
    if not checks.LISTINGS & set(requested):
        checks.check_tasks(requested, manager.all_tasks)
    return manager


def _leave_if_awaited(error: BaseException) -> None:
    """End this process when other processes of the run would wait for it; the launcher then ends them."""
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        print(f"error: {one_line(error)}", file=sys.stderr, flush=True)
        os._exit(exit_code(error))
