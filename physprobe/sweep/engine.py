"""Ray: on which GPUs a job runs, and when. Nothing of Ray is shown, and it contacts nobody."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from physprobe.errors import UserError
from physprobe.sweep import attempts, privacy
from physprobe.sweep.attempts import Attempt
from physprobe.sweep.worker import HIDES_GPUS, Assignment, gpus_hidden, run_attempt

_MEMORY_BYTES = 80 * 2**20  # for what tasks return: a few lines each
_LOOK_EVERY_S = 1.0
_LONGEST_STOP_S = 30.0


@contextmanager
def connected(slots: int | None, address: str | None) -> Iterator[tuple[float, ...]]:
    """Start Ray on this machine, or connect to a cluster, for this block.

    Args:
        slots: CPU slots that stand for GPUs; None: the machine's GPUs. address: of a cluster's head node.

    Yields:
        How many GPUs each machine has.

    Raises:
        UserError: Ray is not installed, does not start, or can't be reached.
    """
    os.environ.update(privacy.variables(address, os.environ))
    try:
        import ray
    except ImportError as error:
        raise UserError("Ray is not installed: pip install 'physprobe[cluster]'") from error
    with privacy.home_without_cloud() as home:
        try:
            with privacy.with_variables({"HOME": str(home), **_unhidden(slots)}):
                ray.init(**_options(slots, address), log_to_driver=False, logging_level=logging.CRITICAL)
        except (ConnectionError, ValueError, RuntimeError, OSError) as error:
            where = f"can't connect to the Ray cluster at {address}" if address else "Ray does not start"
            raise UserError(f"{where}: {_first_line(error)}") from error
        try:
            yield tuple(node["Resources"].get("GPU", 0.0) for node in ray.nodes() if node["Alive"])
        finally:
            ray.shutdown()


def run(
    assignments: Sequence[Assignment], look: Callable[[Mapping[str, Attempt]], None]
) -> dict[str, Attempt]:
    """Run jobs, the largest first, each again after a failure as often as it may be.

    Args:
        assignments: the jobs. look: called about once a second with how jobs have ended, by name.

    Returns:
        How each has ended.

    Raises:
        KeyboardInterrupt: after all that was running has been ended.
    """
    import ray

    largest_first = sorted(assignments, key=lambda assignment: -assignment.job.gpus)
    pending = {_submit(each): (each, each.job.settings.retries) for each in largest_first}
    outcomes: dict[str, Attempt] = {}
    try:
        while pending:
            ended, _ = ray.wait(list(pending), timeout=_LOOK_EVERY_S)
            for task in ended:
                assignment, retries = pending.pop(task)
                attempt = _outcome(task)
                if attempt.may_be_repeated and retries:
                    pending[_submit(assignment)] = (assignment, retries - 1)
                else:
                    outcomes[assignment.job.name] = attempt
            look(outcomes)
    except KeyboardInterrupt:
        _stop(pending)
        raise
    return outcomes


def _options(slots: int | None, address: str | None) -> dict[str, Any]:
    if address:
        return {"address": address}
    local = {"address": "local", "object_store_memory": _MEMORY_BYTES}
    # Ray's workers are small; ending them when the machine's memory is full would end jobs at random.
    system = {"memory_monitor_refresh_ms": 0, "enable_worker_prestart": False}
    return {**local, "num_gpus": slots, "include_dashboard": False, "_system_config": system}


def _unhidden(slots: int | None) -> dict[str, None]:
    """Let Ray count slots on a machine whose GPUs are hidden; from jobs they stay hidden."""
    return {HIDES_GPUS: None} if slots is not None and gpus_hidden(os.environ) else {}


def _submit(assignment: Assignment) -> Any:
    import ray

    gpus = assignment.job.gpus
    task = ray.remote(run_attempt).options(
        num_gpus=gpus, num_cpus=0 if gpus else 1, max_retries=0, name=assignment.job.name
    )
    return task.remote(assignment)


def _outcome(task: Any) -> Attempt:
    import ray

    try:
        return ray.get(task)
    except ray.exceptions.RayError as error:
        text = f"lost, with the process or machine that watched it: {_first_line(error)}"
        return Attempt(0, attempts.now(), ended=attempts.now(), reason="lost", error=text)


def _stop(pending: Mapping[Any, tuple[Assignment, int]]) -> None:
    """End what is running: without its owner, each job is ended by the process that watches it."""
    import ray

    for task in pending:
        with suppress(ray.exceptions.RayError, ValueError):
            ray.cancel(task, force=True)
    deadline = time.monotonic() + _LONGEST_STOP_S
    while time.monotonic() < deadline and any(attempts.running(a.job.attempts) for a, _ in pending.values()):
        time.sleep(0.2)


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
