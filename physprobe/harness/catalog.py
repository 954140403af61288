"""What physprobe adds to lmms-eval: where its tasks lie and what its models are called.

Nothing here imports lmms-eval or torch, so that names can be checked before the slow start.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import yaml

import physprobe
from physprobe.errors import UserError

REFERENCE_MODELS: dict[str, str] = {
    "physprobe_oracle": "physprobe.harness.reference_models.Oracle",
    "physprobe_chance": "physprobe.harness.reference_models.Chance",
    "physprobe_invariance": "physprobe.harness.reference_models.Invariance",
    "physprobe_change": "physprobe.harness.reference_models.Change",
    "quantiphy_geometry": "physprobe.harness.quantiphy.geometry.Geometry",
    "physprobe_majority": "physprobe.harness.reference_models.Majority",
    "physprobe_clip": "physprobe.harness.consistency.clip.Clip",
}

# Folders of tasks whose benchmark has a shorter name in the package and in results files.
_BENCHMARKS = {"physical_consistency": "consistency"}


class _NamesOnly(yaml.SafeLoader):
    """Reads a task file without resolving its ``!function`` references."""


_NamesOnly.add_constructor("!function", lambda loader, node: node.value)


def tasks_folder() -> Path:
    """Return the folder of our task files: inside the wheel, or beside the package in a checkout.

    Raises:
        UserError: it is in neither place (an incomplete installation).
    """
    package = Path(physprobe.__file__).resolve().parent
    for folder in (package / "tasks", package.parent / "tasks"):
        if any(folder.glob("*/*.yaml")):
            return folder
    raise UserError(
        f"physprobe's task files are missing (looked in {package / 'tasks'}): reinstall physprobe"
    )


@dataclass(frozen=True)
class TaskFile:
    """One of our tasks or groups.

    Attributes:
        path: its file. members: of a group, the names of its tasks.
        text_only: whether some requests of the task hold no image.
    """

    path: Path
    members: tuple[str, ...]
    text_only: bool


@lru_cache(maxsize=1)
def task_files() -> dict[str, TaskFile]:
    """Return our tasks and groups, by name."""
    files = {}
    for path in sorted(tasks_folder().glob("*/*.yaml")):
        config = yaml.load(path.read_text(encoding="utf-8"), Loader=_NamesOnly)
        text_only = config.get("metadata", {}).get("text_only", False)
        if "group" in config:
            files[config["group"]] = TaskFile(path, tuple(config["task"]), text_only)
        else:
            files[config["task"]] = TaskFile(path, (), text_only)
    return files


def only_ours(tasks: Iterable[str]) -> bool:
    """Whether there are tasks and each is one of ours, by its full name."""
    names = list(tasks)
    return bool(names) and all(name in task_files() for name in names)


def benchmark_module(task: str) -> ModuleType:
    """Return the module that adapts the benchmark of a task of ours: ``physprobe.harness.<benchmark>``."""
    folder = task_files()[task].path.parent.name
    return import_module(f"physprobe.harness.{_BENCHMARKS.get(folder, folder)}")


def require_datasets(tasks: Iterable[str]) -> None:
    """Check that the datasets of those tasks that are ours can be loaded.

    Raises:
        UserError: says where it looked, and how to get or build the dataset.
    """
    ours = sorted(set(tasks) & set(task_files()))
    for module in dict.fromkeys(benchmark_module(task) for task in ours):
        module.require([task for task in ours if benchmark_module(task) is module])
