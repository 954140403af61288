"""Running a sweep: in a folder of its own, to its summary."""

from __future__ import annotations

import os
import shlex
import signal
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

from physprobe.errors import UserError
from physprobe.harness.secrets import MASK, is_secret, masked_command
from physprobe.sweep.completion import set_aside
from physprobe.sweep.display import Display, summary
from physprobe.sweep.jobs import Job, check_fit
from physprobe.sweep.preparing import Prepared
from physprobe.sweep.states import Watch
from physprobe.text import quantity

if TYPE_CHECKING:
    from rich.console import Console

_LOCK = ".sweep.lock"
_RAY_LOG = "ray.log"  # of what Ray would have printed


def show_plan(prepared: Prepared) -> list[str]:
    """Return, job by job, what would be run and how.

    Raises:
        UserError: as :func:`run`, before it starts anything.
    """
    if prepared.sweep.slots is None:
        with _aside(Path(os.devnull)), _engine(prepared):
            pass
    unit = "slot" if prepared.sweep.slots is not None else "GPU"
    lines = []
    for job in prepared.jobs:
        state = (
            "finished"
            if job.name in prepared.finished
            else f"{job.gpus:g} {unit}{'' if job.gpus == 1 else 's'}"
        )
        lines.append(f"# {job.name}: {state}")
        lines.append(_shell_command(job))
    left = len(prepared.missing)
    return [*lines, f"# {left} of {quantity(len(prepared.jobs), 'job')} to run, results in {prepared.out}"]


def run(prepared: Prepared, again: str, console: Console) -> bool:
    """Run what is missing.

    Args:
        prepared: the sweep. again: the command that asks for it. console: to show it on.

    Returns:
        Whether all jobs have succeeded.

    Raises:
        UserError: a job fits no machine; another sweep is using the folder; Ray can't be used.
        KeyboardInterrupt: after all that was running has been ended.
    """
    with _own_folder(prepared.out):
        display = Display(Watch(prepared.jobs, prepared.finished), console)
        try:
            if prepared.missing:
                _run_missing(prepared, display)
        except KeyboardInterrupt:
            console.print(f"stopped; to go on: {again}", markup=False, highlight=False, soft_wrap=True)
            raise
    for line in summary(display.states, again):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    return not any(state.state == "failed" for state in display.states)


def _run_missing(prepared: Prepared, display: Display) -> None:
    from physprobe.sweep import engine
    from physprobe.sweep.worker import Assignment

    here = prepared.sweep.cluster is None
    work = [Assignment(job, prepared.keys[job.name], _variables(job, here), here) for job in prepared.missing]
    with _aside(prepared.out / _RAY_LOG), _engine(prepared), _stoppable():
        for job in prepared.missing:
            _make_room(job)
        with display.showing():
            display.look(engine.run(work, display.look))


@contextmanager
def _engine(prepared: Prepared) -> Iterator[None]:
    """Have Ray ready, and know that each job fits, in this block."""
    from physprobe.sweep import engine

    sweep = prepared.sweep
    with engine.connected(sweep.slots, sweep.cluster) as nodes:
        check_fit(prepared.missing, nodes, "GPU" if sweep.slots is None else "slot")
        yield


def _variables(job: Job, here: bool) -> dict[str, str]:
    """Return what a job takes from our environment: on this machine everything, elsewhere what is named."""
    if here:
        return dict(os.environ)
    missing = [name for name in job.settings.pass_environment if name not in os.environ]
    if missing:
        raise UserError(f"model {job.model}: pass_environment names {missing[0]}, which is not set here")
    return {name: os.environ[name] for name in job.settings.pass_environment}


def _shell_command(job: Job) -> str:
    assignments = [f"{k}={MASK if is_secret(k) else shlex.quote(v)}" for k, v in job.environment.items()]
    return " ".join([*assignments, masked_command(job.command)])


def _make_room(job: Job) -> None:
    try:
        set_aside(job)
        for folder in (job.folder, job.logs):
            folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"can't write {error.filename}: {error.strerror}; choose another --out") from error


@contextmanager
def _own_folder(out: Path) -> Iterator[None]:
    from filelock import FileLock, Timeout

    try:
        out.mkdir(parents=True, exist_ok=True)
        with FileLock(out / _LOCK, timeout=0):
            yield
    except Timeout as error:
        raise UserError(f"another sweep is writing to {out}: wait for it, or choose another --out") from error
    except OSError as error:
        raise UserError(f"can't write to {out}: {error.strerror}; choose another --out") from error


@contextmanager
def _aside(file: Path) -> Iterator[None]:
    """Have all that is printed in this block go to a file; what is shown has a stream of its own.

    Of Ray's two languages one writes to Python's streams, the other to the process's standard error.
    """
    saved = os.dup(2)
    try:
        with file.open("a", encoding="utf-8") as log, redirect_stdout(log), redirect_stderr(log):
            os.dup2(log.fileno(), 2)
            yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)


@contextmanager
def _stoppable() -> Iterator[None]:
    """Let the signals that end a process end this block as Ctrl-C does, so that no job is left running."""

    def stop(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    replaced = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in replaced.items():
            signal.signal(number, handler)
