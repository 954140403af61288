"""The ``lmms_eval`` command: stock lmms-eval with our tasks and models, and a trustworthy exit code."""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress

from loguru import logger

from physprobe import __version__
from physprobe.errors import UserError
from physprobe.harness import catalog, checks, deferring, options, patches, processes, registration
from physprobe.harness.api_models import MANY
from physprobe.harness.failures import exit_code, one_line
from physprobe.harness.secrets import mask_output
from physprobe.hub import reach


def main() -> None:
    """Entry point of the ``lmms_eval`` script."""
    processes.leave(run(sys.argv[1:]))


def run(argv: Sequence[str]) -> int:
    """Run lmms-eval's command line and return the exit code.

    Exit code 0 only if every evaluation succeeded and was saved; 2 for bad use, 1 for a failed evaluation, 3
    for a saved one in which judges could not be asked about answers that remain unread; with the first real
    error in one line on standard error (and its traceback with ``--debug``). Secrets in the environment are
    masked in all output.
    """
    mask_output()
    deferring.defer(*deferring.SLOW)
    failures: list[BaseException] = []
    debug = "--debug" in argv
    try:
        given, arguments = options.read(argv)
        with options.using(given):
            _prepare(arguments)
            _stock_command(arguments, failures)
    except KeyboardInterrupt:
        print("error: interrupted", file=sys.stderr)
        return 130
    except Exception as error:
        failures.append(error)
    for failure in failures if debug else ():
        traceback.print_exception(failure)
    if not failures:
        return 0
    print(f"error: {one_line(failures[0])}", file=sys.stderr)
    return exit_code(failures[0])


def _prepare(arguments: list[str]) -> None:
    """Refuse bad use before the slow start, as far as the command line alone shows it."""
    if {"--help", "-h"} & set(arguments[:1]):
        print(_help())
    request = _read_request(arguments) if _is_evaluation(arguments) else None
    if request is not None:
        processes.refuse_lone_process()
        _check_request(request)


def _is_evaluation(arguments: list[str]) -> bool:
    """Whether lmms-eval would evaluate: options other than help, or its subcommand "eval"."""
    if not arguments:
        return True
    return arguments[0] not in ("-h", "--help") and (arguments[0].startswith("-") or arguments[0] == "eval")


def _read_request(arguments: list[str]) -> argparse.Namespace | None:
    """Read model and tasks; None when nothing will be evaluated, or a configuration file may name them."""
    parser = argparse.ArgumentParser(add_help=False)
    for option in ("--tasks", "--model", "--config", "--limit"):
        parser.add_argument(option)
    parser.add_argument("--batch_size", "-b", default="1")
    for flag in ("--help", "-h", "--power-analysis", "--tui"):
        parser.add_argument(flag, action="store_true")
    request, _ = parser.parse_known_args(arguments)
    idle = request.help or request.h or request.power_analysis or request.tui or arguments == ["eval"]
    return None if idle or request.config or request.tasks in checks.LISTINGS else request


def _check_request(request: argparse.Namespace) -> None:
    if not request.tasks:
        raise UserError(f"no --tasks given; {_own_names()} (see lmms_eval --help)")
    if not request.model:
        raise UserError(f"no --model given; {_own_names()} (see lmms_eval --help)")
    checks.check_batch_size(request.batch_size)
    with suppress(ValueError):  # of what is no number; lmms-eval says so
        checks.check_limit(float(request.limit or 1), request.tasks.split(","))
    checks.check_model(request.model)
    catalog.require_datasets(request.tasks.split(","))
    if away := reach.stay_off_line():
        logger.warning(f"the Hub can't be reached ({away}): only its clients' caches are used in this run")


def _stock_command(arguments: list[str], failures: list[BaseException]) -> None:
    """Run lmms-eval's own command; SystemExit passes through with its code."""
    try:
        from lmms_eval.cli import dispatch
    except ImportError as error:
        raise UserError("lmms-eval is not installed: pip install 'physprobe[eval]'") from error
    registration.install()
    patches.one_line_usage()
    sys.argv = ["lmms_eval", *arguments]
    if not _is_evaluation(arguments):
        return dispatch.main()
    processes.connect_over_cpu()
    import lmms_eval.__main__ as stock

    with patches.applied(stock, failures):
        dispatch.main()


def _own_names() -> str:
    tasks, models = ", ".join(sorted(catalog.task_files())), ", ".join(catalog.REFERENCE_MODELS)
    return f"physprobe's reference models: {models}; its tasks: {tasks}"


def _help() -> str:
    return f"""lmms_eval of physprobe {__version__}: stock lmms-eval with {_own_names()}.
Datasets come from PHYSPROBE_DATA: a folder of datasets, or a Hub organisation (default: physprobe).
Exit code: 0 only when everything was evaluated and saved, 1 when it failed, 2 for bad use, 3 when everything
was saved but judges could not be asked about answers that remain unread.
Answers are kept as they come, in OUTPUT_PATH/answers or where --use_cache says: after a kill the same command
asks only what is missing. PHYSPROBE_FRAME_CACHE limits the memory for decoded frames (512MB a process).
API models: --requests_per_minute N limits all processes together; more than {MANY:,} requests need --yes.

Example: lmms_eval --model physprobe_oracle --tasks conservation --log_samples --output_path results
Several processes: python -m torch.distributed.run --nproc_per_node 2 -m physprobe.lmms_eval --model ...
"""


if __name__ == "__main__":
    main()
