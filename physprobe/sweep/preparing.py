"""What is asked for, put together from a sweep's file and the command line, and what of it is finished."""

from __future__ import annotations

import fnmatch
import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from physprobe.errors import UserError
from physprobe.sweep.completion import Keys, is_complete
from physprobe.sweep.config import Sweep, load_sweep
from physprobe.sweep.jobs import Job, check_fit, plan
from physprobe.sweep.names import check_names


@dataclass(frozen=True)
class Request:
    """What the command line says.

    Attributes:
        file: the sweep. out, slots, cluster: in place of the file's, where given. only: patterns of job or
            model names; none: all.
    """

    file: Path
    out: Path | None = None
    slots: int | None = None
    cluster: str | None = None
    only: tuple[str, ...] = ()

    @property
    def command(self) -> str:
        """The command line that asks for the same."""
        given = {"--out": self.out, "--slots": self.slots, "--cluster": self.cluster}
        options = [word for name, value in given.items() if value is not None for word in (name, str(value))]
        patterns = [word for pattern in self.only for word in ("--only", pattern)]
        return shlex.join(["physprobe", "sweep", str(self.file), *options, *patterns])


@dataclass(frozen=True)
class Prepared:
    """A sweep that can be run.

    Attributes:
        sweep: as asked for. out: its folder. jobs: of it. keys: of their completion, by name.
        finished: names of the jobs that an earlier sweep has finished.
    """

    sweep: Sweep
    out: Path
    jobs: tuple[Job, ...]
    keys: Mapping[str, str]
    finished: frozenset[str]

    @property
    def missing(self) -> tuple[Job, ...]:
        """The jobs that are to be run."""
        return tuple(job for job in self.jobs if job.name not in self.finished)


def prepare(request: Request) -> Prepared:
    """Read a sweep and find out what of it is finished.

    Raises:
        UserError: says what is wrong with the sweep, or with this machine.
    """
    sweep = _asked(load_sweep(request.file), request)
    if sweep.out is None:
        raise UserError(f"sweep file {request.file} names no folder for the results: add out, or use --out")
    jobs = _chosen(plan(sweep, sweep.out), request.only)
    if sweep.slots is not None:
        check_fit(jobs, (sweep.slots,), "slot")
    known = Keys(os.environ, elsewhere=sweep.cluster is not None)
    keys = {job.name: known.of(job) for job in jobs}
    check_names(jobs)
    finished = frozenset(job.name for job in jobs if is_complete(job, keys[job.name]))
    return Prepared(sweep, sweep.out.absolute(), jobs, keys, finished)


def _asked(sweep: Sweep, request: Request) -> Sweep:
    """Let the command line win over the file."""
    slots, cluster = sweep.slots, sweep.cluster
    if request.slots is not None or request.cluster is not None:
        slots, cluster = request.slots, request.cluster
    if slots is not None and cluster is not None:
        raise UserError(
            "slots are of this machine and can't be had with a cluster: start its nodes with "
            "ray start --num-gpus N instead"
        )
    return sweep.model_copy(update={"out": request.out or sweep.out, "slots": slots, "cluster": cluster})


def _chosen(jobs: Sequence[Job], patterns: Sequence[str]) -> tuple[Job, ...]:
    chosen = tuple(
        job
        for job in jobs
        if not patterns or any(fnmatch.fnmatch(n, p) for n in (job.name, job.model) for p in patterns)
    )
    if not chosen:
        names = ", ".join(dict.fromkeys(job.model for job in jobs))
        raise UserError(f"--only {' '.join(patterns)} matches no job; models: {names}")
    return chosen
