"""Which jobs are finished: by a marker in the job's folder that holds all that its results depend on."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import Any

from physprobe import __version__, data, files
from physprobe.errors import UserError
from physprobe.harness import catalog, options
from physprobe.harness.answers.identity import digest, local_weights, servers
from physprobe.harness.secrets import is_secret
from physprobe.sweep.jobs import Job

MARKER = "complete.json"
RESULTS = "*_results.json"  # as lmms-eval names them
_SET_ASIDE = ".superseded"
_DATA_VARIABLES = ("PHYSPROBE_", "HF_")


class Keys:
    """Hashes of all that jobs' results depend on, as far as it can be known before they run.

    Not of how a job is run: GPUs, processes, batch size, retries, limits of time, keys and tokens.
    """

    def __init__(self, environment: Mapping[str, str], elsewhere: bool) -> None:
        """Take what is common to all jobs.

        Args:
            environment: of the process that starts them. elsewhere: whether datasets and weights may be on
                other machines only.
        """
        self._environment, self._elsewhere = environment, elsewhere
        self._datasets: dict[tuple[str, frozenset[tuple[str, str]]], Any] = {}

    def of(self, job: Job) -> str:
        """Return the key of a job.

        Raises:
            UserError: a dataset is missing, and not elsewhere; an option of ours has a wrong value.
        """
        settings, arguments = job.settings, job.spec.arguments
        _, asking = options.read(settings.options)
        variables = {**self._environment, **job.environment}
        identity = {
            "adapter": job.spec.adapter,
            "arguments": {name: value for name, value in arguments.items() if not is_secret(name)},
            "weights": local_weights(arguments),
            "asked": [job.tasks, settings.limit, settings.gen_kwargs, asking],
            "environment": {name: value for name, value in job.environment.items() if not is_secret(name)},
            "servers": servers(variables),
            "python": settings.python or _lmms_eval(),
            "physprobe": __version__,
            "tasks": dict(self._tasks(job.tasks, variables)),
        }
        return digest(json.loads(json.dumps(identity, default=str)))

    def _tasks(self, tasks: str, variables: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
        """Yield what is known of each task: for ours, its files' hash and the state of its dataset."""
        ours = catalog.task_files()
        for task in tasks.split(","):
            if task not in ours:
                yield task, None
                continue
            yield task, [_files_hash(ours[task].path.parent), self._dataset(task, variables)]

    def _dataset(self, task: str, variables: Mapping[str, str]) -> Any:
        """Look at a dataset, once for all jobs that find it by the same variables."""
        looked_at = frozenset(item for item in variables.items() if item[0].startswith(_DATA_VARIABLES))
        if (task, looked_at) not in self._datasets:
            self._datasets[task, looked_at] = _dataset(task, variables, self._elsewhere)
        return self._datasets[task, looked_at]


def is_complete(job: Job, expected: str) -> bool:
    """Whether the job was finished with this key, and its results are there."""
    try:
        marker = json.loads((job.folder / MARKER).read_text(encoding="utf-8"))
        return marker["key"] == expected and (job.folder / marker["results"]).is_file()
    except (OSError, ValueError, KeyError, TypeError):
        return False


def mark(folder: Path, found: str, results: Path) -> None:
    """Note that a job is finished.

    Args:
        folder: the job's. found: its key. results: its results file, inside the folder.

    Raises:
        OSError: it can't be written.
    """
    content = {"key": found, "results": str(results.relative_to(folder))}
    files.write_whole(folder / MARKER, json.dumps(content, indent=1) + "\n")


def set_aside(job: Job) -> None:
    """Give results that were finished with another key a name that no table or report reads.

    Raises:
        OSError: they can't be renamed.
    """
    if not (job.folder / MARKER).exists():
        return
    for path in sorted(job.folder.rglob(RESULTS)):
        path.replace(path.with_name(path.name + _SET_ASIDE))
    (job.folder / MARKER).unlink()


def _lmms_eval() -> str:
    try:
        return metadata.version("lmms-eval")
    except metadata.PackageNotFoundError as error:
        raise UserError(
            "lmms-eval is not installed: pip install 'physprobe[eval]', or give each model's python"
        ) from error


def _files_hash(folder: Path) -> str:
    contents = [path.read_bytes() for path in sorted(folder.glob("*yaml"))]
    return hashlib.sha256(b"\0".join(contents)).hexdigest()


def _dataset(task: str, variables: Mapping[str, str], elsewhere: bool) -> Any:
    with _environment(variables):
        try:
            identity = catalog.benchmark_module(task).dataset([task])
            if identity.sha256:
                return [identity.name, identity.version, identity.sha256]
            path = Path(data.dataset_path(identity.name))
            return files.state(path) if path.is_dir() else asdict(identity)
        except UserError:
            if elsewhere:
                return None
            raise


@contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Look datasets up where a job would."""
    before = dict(os.environ)
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
