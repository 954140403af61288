"""What Ray runs, on whichever machine has the room: one attempt at one job."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

from physprobe.harness.secrets import is_secret, secret_values
from physprobe.sweep import attempts
from physprobe.sweep.attempts import Attempt
from physprobe.sweep.completion import RESULTS, mark
from physprobe.sweep.jobs import Job
from physprobe.sweep.supervisor import Order

_DEVICES = "_VISIBLE_DEVICES"
_LONGEST_WAIT_S = 20.0
HIDES_GPUS = "CUDA_VISIBLE_DEVICES"
# What Ray sets in its workers for itself; OMP_NUM_THREADS=1 would leave a job without GPUs on one core.
_RAYS_OWN = frozenset({"PYTHONBREAKPOINT", "OMP_NUM_THREADS", "SPT_NOENV"})


@dataclass(frozen=True)
class Assignment:
    """A job, with what else its attempts need.

    Attributes:
        job: the job. key: of its completion. variables: taken from where the sweep was started.
        whole: whether these are all, or come on top of those of the machine that the job runs on.
    """

    job: Job
    key: str
    variables: Mapping[str, str]
    whole: bool


def run_attempt(assignment: Assignment) -> Attempt:
    """Run a job once, and mark it as finished if it succeeded.

    Returns:
        The attempt, ended.
    """
    job = assignment.job
    if not job.logs.is_dir():
        now = attempts.now()
        text = f"{job.logs} is not there on {socket.gethostname()}: a cluster needs a shared folder"
        return Attempt(0, now, socket.gethostname(), ended=now, reason="exited", code=2, error=text)
    _await_end_of_earlier(job)
    order = _order(assignment)
    _supervised(order)
    ended = next((a for a in attempts.read(job.attempts) if a.number == order.attempt.number), order.attempt)
    if not ended.ended:
        return replace(ended, ended=attempts.now(), reason="lost", error="what watched the job was killed")
    return _marked(assignment, ended) if ended.succeeded else ended


def _await_end_of_earlier(job: Job) -> None:
    """Give an attempt whose owner was lost the time to be ended, for it may still hold the GPUs."""
    deadline = time.monotonic() + _LONGEST_WAIT_S
    while attempts.running(job.attempts) and time.monotonic() < deadline:
        time.sleep(0.2)


def _order(assignment: Assignment) -> Order:
    job = assignment.job
    environment = job_environment(os.environ, assignment)
    number = len(attempts.read(job.attempts)) + 1
    attempt = Attempt(
        number=number,
        started=attempts.now(),
        host=socket.gethostname(),
        devices=",".join(value for name, value in environment.items() if name.endswith(_DEVICES) and value),
        log=str(job.logs / f"{job.folder.name}-{number}.log"),
    )
    secrets = secret_values(environment) + secret_arguments(job)
    limit = job.settings.timeout_hours * 3600
    return Order(list(job.command), environment, limit, str(job.attempts), attempt, secrets)


def job_environment(present: Mapping[str, str], assignment: Assignment) -> dict[str, str]:
    """Return a job's variables: those given, the sweep's, and of GPUs what Ray has assigned.

    Args:
        present: of the process that Ray runs. assignment: the job.
    """
    job = assignment.job
    machine = {} if assignment.whole else {k: v for k, v in present.items() if k not in _RAYS_OWN}
    found = {**machine, **assignment.variables}
    own = {k: v for k, v in found.items() if not k.startswith("RAY_")}
    devices = {k: v for k, v in present.items() if k.endswith(_DEVICES)}
    if not job.gpus or gpus_hidden(own):
        devices = {HIDES_GPUS: ""}
    return {**own, **devices, **job.environment}


def gpus_hidden(variables: Mapping[str, str]) -> bool:
    """Whether these variables hide all GPUs from a process."""
    return variables.get(HIDES_GPUS, "all") in ("", "-1")


def secret_arguments(job: Job) -> tuple[str, ...]:
    """Return the values of the model's arguments that are secret."""
    values = {str(value) for name, value in job.spec.arguments.items() if is_secret(name) and value}
    return tuple(sorted(values, key=len, reverse=True))


def _supervised(order: Order) -> None:
    """Have the order carried out by a process that is not this one's child, and wait for its end."""
    command = [sys.executable, "-m", "physprobe.sweep.supervisor"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as supervisor:
        assert supervisor.stdin is not None
        assert supervisor.stdout is not None
        supervisor.stdin.write(order.dumps().encode())
        supervisor.stdin.flush()
        supervisor.stdout.read()


def _marked(assignment: Assignment, attempt: Attempt) -> Attempt:
    folder, started = assignment.job.folder, attempts.timestamp(attempt.started)
    made = [path for path in sorted(folder.rglob(RESULTS)) if path.stat().st_mtime >= started - 1]
    if not made:
        error = f"exit code 0, but no {RESULTS} in {folder}"
        attempts.append(assignment.job.attempts, {"number": attempt.number, "error": error})
        return replace(attempt, error=error)
    mark(folder, assignment.key, made[-1])
    return attempt
