"""From what a sweep says to its jobs: one for each model and entry of tasks."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from physprobe.errors import UserError
from physprobe.sweep.commands import command, gpus_for, python_of
from physprobe.sweep.config import JobSettings, Model, Sweep, settings_of

LOGS = "log"  # the folder of a model's logs, beside those of its jobs


@dataclass(frozen=True)
class Job:
    """One model on some tasks.

    Attributes:
        model: its name in the sweep. tasks: as lmms-eval takes them. spec: the model as the sweep has it.
        settings: how it is run. command: its command line. gpus: that it needs, or slots.
        folder: of its results and answers. logs: of the model's logs.
    """

    model: str
    tasks: str
    spec: Model
    settings: JobSettings
    command: tuple[str, ...]
    gpus: float
    folder: Path
    logs: Path

    @property
    def name(self) -> str:
        """Name it as its folder is: "MODEL/TASK+TASK"."""
        return f"{self.model}/{self.folder.name}"

    @property
    def attempts(self) -> Path:
        """The record of its attempts."""
        return self.logs / f"{self.folder.name}.jsonl"

    @property
    def environment(self) -> dict[str, str]:
        """The variables that the sweep sets for it."""
        return {name: str(value) for name, value in self.settings.environment.items()}


def plan(sweep: Sweep, out: Path) -> tuple[Job, ...]:
    """Return the jobs of a sweep, models in its order.

    Args:
        sweep: what to run. out: folder of the results.

    Raises:
        UserError: two jobs would share a folder; a model's size is missing; an interpreter does not exist.
    """
    jobs = tuple(job for model in sweep.models for job in _jobs(model, sweep, out.absolute()))
    _check_clashes(jobs)
    if sweep.cluster is None:
        _check_interpreters(jobs)
    return jobs


def check_fit(jobs: Sequence[Job], nodes: Sequence[float], unit: str) -> None:
    """Check that each job can run at all.

    Args:
        jobs: to run. nodes: how many GPUs or slots each machine has. unit: what they are: "GPU" or "slot".

    Raises:
        UserError: names the jobs that need more than any machine has.
    """
    most = max(nodes, default=0)
    large = [job for job in jobs if job.gpus > most]
    if not large:
        return
    names = ", ".join(f"{job.name} ({job.gpus:g})" for job in large[:5])
    more = f" and {len(large) - 5} more" if len(large) > 5 else ""
    place = f"the largest machine has {most:g}" if len(nodes) > 1 else f"this machine has {most:g}"
    advice = "set their gpus, or leave them out with --only"
    if not most and unit == "GPU":
        advice = "--slots N runs jobs without GPUs"
    raise UserError(f"more {unit}s are needed than {place}: {names}{more}; {advice}")


def _jobs(model: Model, sweep: Sweep, out: Path) -> Iterator[Job]:
    name = model.name or _default_name(model)
    settings = settings_of(model, sweep.defaults)
    gpus = settings.gpus
    if gpus is None:
        if model.parameters is None:
            raise UserError(
                f"model {name}: give its parameters in billions, or gpus (0 for a model on a server)"
            )
        gpus = gpus_for(model.parameters) * settings.processes
    for tasks in model.tasks or sweep.tasks:
        folder = out / name / tasks.replace(",", "+")
        words = command(model, tasks, settings, folder, sweep.slots is not None)
        yield Job(name, tasks, model, settings, words, gpus, folder, out / name / LOGS)


def _default_name(model: Model) -> str:
    named = (model.arguments.get(key) for key in ("pretrained", "model", "model_version"))
    checkpoint = next((value for value in named if value), model.adapter)
    last = str(checkpoint).rstrip("/").rpartition("/")[2]
    return re.sub(r"[^A-Za-z0-9._-]+", "_", last).lstrip(".") or model.adapter


def _check_clashes(jobs: Sequence[Job]) -> None:
    """Refuse jobs that share a folder, also where a file system ignores case."""
    seen: dict[str, Job] = {}
    for job in jobs:
        if job.folder.name.lower() == LOGS:
            raise UserError(f"{job.name}: no task can be called {LOGS!r}, the folder of logs")
        other = seen.setdefault(str(job.folder).lower(), job)
        if other is not job:
            raise UserError(
                f"two jobs are called {job.name}: give each model a name of its own, each task once"
            )


def _check_interpreters(jobs: Sequence[Job]) -> None:
    for python, name in {python_of(job.settings): job.model for job in jobs}.items():
        if not os.access(python, os.X_OK) or not Path(python).is_file():
            raise UserError(f"model {name}: there is no interpreter {python}")
