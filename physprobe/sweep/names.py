"""Whether lmms-eval knows the models and tasks of a sweep, before anything is started."""

from __future__ import annotations

from collections.abc import Sequence

from loguru import logger

from physprobe.harness import catalog, checks
from physprobe.sweep.jobs import Job

# Variables and options by which a job may know more names than this process does.
_MORE_NAMES = frozenset({"LMMS_EVAL_PLUGINS", "PYTHONPATH"})
_MORE_TASKS = "--include_path"


def check_names(jobs: Sequence[Job]) -> None:
    """Check the adapters and tasks of jobs that run in this environment.

    Jobs with an interpreter of their own may know others, and are left to it.

    Raises:
        UserError: names the first that is unknown, and near ones.
    """
    here = [job for job in jobs if job.settings.python is None and not _MORE_NAMES & job.environment.keys()]
    for adapter in dict.fromkeys(job.spec.adapter for job in here):
        if adapter not in catalog.REFERENCE_MODELS:
            checks.check_model(adapter)
    ours = catalog.task_files()
    tasks = dict.fromkeys(
        task
        for job in here
        if not any(option.startswith(_MORE_TASKS) for option in job.settings.options)
        for task in job.tasks.split(",")
        if task not in ours
    )
    if tasks:
        checks.check_tasks(list(tasks), _known_tasks())


def _known_tasks() -> list[str]:
    """Name all tasks that lmms-eval finds; takes seconds, and is needed for tasks of others only."""
    from lmms_eval.tasks import TaskManager

    logger.disable("lmms_eval")  # it tells of each file that is no task
    try:
        return [*TaskManager().all_tasks, *catalog.task_files()]
    finally:
        logger.enable("lmms_eval")
