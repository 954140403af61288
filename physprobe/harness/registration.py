"""Entry point ``lmms_eval.models``: makes our models and tasks known to any lmms-eval in this environment.

lmms-eval calls :func:`manifests` when it fills its model registry, for everybody who has physprobe installed,
whatever they evaluate. So nothing here may fail or be slow: problems are logged, and lmms-eval goes on.

There is no entry point for tasks. ``TaskManager.initialize_tasks`` is wrapped as soon as ``lmms_eval.tasks``
is imported, which with the stock command happens after the model registry is filled. (The stock
``lmms-eval tasks list`` never fills it, so it can't know us; our command ``lmms_eval tasks list`` does.)
By then ``lmms_eval.evaluator`` is imported too, and what surrounds an evaluation is put in place.
"""

from __future__ import annotations

import functools
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

from loguru import logger

from physprobe.harness import catalog, evaluation

_TASKS_MODULE = "lmms_eval.tasks"
_MARK = "_physprobe_adds_tasks"
_skip_defaults = False


def manifests() -> list[Any]:
    """Return the ModelManifests of our reference models, and make our tasks known. Never raises."""
    try:
        from lmms_eval.models.registry_v2 import ModelManifest

        install()
        _list_models()
        return [ModelManifest(name, chat_class_path=path) for name, path in catalog.REFERENCE_MODELS.items()]
    except Exception as error:
        logger.warning(f"physprobe could not register with lmms-eval: {error!r}")
        return []


def install() -> None:
    """Make our tasks known to every TaskManager, now or when ``lmms_eval.tasks`` is imported. Idempotent."""
    module = sys.modules.get(_TASKS_MODULE)
    if module is not None and hasattr(module, "TaskManager"):
        _wrap_task_manager(module)
    elif not any(isinstance(finder, _WhenImported) for finder in sys.meta_path):
        sys.meta_path.insert(0, _WhenImported())


def skip_default_tasks(skip: bool) -> None:
    """Index only our tasks from now on: saves 3.5 s when none of lmms-eval's own 1,989 is asked for."""
    global _skip_defaults
    _skip_defaults = skip


def _list_models() -> None:
    """Show our models in ``lmms-eval models`` too, which reads this table and not the registry."""
    table = getattr(sys.modules.get("lmms_eval.models"), "AVAILABLE_CHAT_TEMPLATE_MODELS", {})
    for name, path in catalog.REFERENCE_MODELS.items():
        table.setdefault(name, path)


def _wrap_task_manager(module: ModuleType) -> None:
    manager = module.TaskManager
    if not hasattr(manager.initialize_tasks, _MARK):
        manager.initialize_tasks = _adding_our_tasks(manager.initialize_tasks)
        manager._get_config = _with_present_tasks(manager._get_config)


def _adding_our_tasks(original: Callable[..., dict]) -> Callable[..., dict]:
    @functools.wraps(original)
    def initialize_tasks(self: Any, include_path: Any = None, include_defaults: bool = True) -> dict:
        evaluation.install()
        index = original(
            self, include_path=include_path, include_defaults=include_defaults and not _skip_defaults
        )
        try:
            ours = self._get_task_and_group(str(catalog.tasks_folder()))
        except Exception as error:
            logger.warning(f"physprobe's tasks are not available: {error!r}")
            return index
        _warn_of_hidden(ours.keys() & index.keys())
        return {**ours, **index}  # as lmms-eval has it: names that are there already win

    setattr(initialize_tasks, _MARK, True)
    return initialize_tasks


def _with_present_tasks(original: Callable[..., dict]) -> Callable[..., dict]:
    """Let a group of ours hold only tasks that the dataset has questions for."""

    @functools.wraps(original)
    def get_config(self: Any, name: str) -> dict:
        config = original(self, name)
        ours = catalog.task_files().get(name)
        if ours and ours.members and self.task_index[name]["yaml_path"] == str(ours.path):
            config["task"] = catalog.benchmark_module(name).present_tasks(ours.members)
        return config

    return get_config


def _warn_of_hidden(names: Iterable[str]) -> None:
    for name in sorted(names):
        logger.warning(f"another task named {name!r} hides the one of physprobe")


class _WhenImported(importlib.abc.MetaPathFinder):
    """Wraps TaskManager right after ``lmms_eval.tasks`` has been executed."""

    def find_spec(
        self, fullname: str, path: Any = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Answer for one module only: the ordinary spec, its loader extended."""
        if fullname != _TASKS_MODULE:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if spec is not None and spec.loader is not None:
            spec.loader.exec_module = _then_wrap(spec.loader.exec_module)  # type: ignore[method-assign, assignment]
        return spec


def _then_wrap(execute: Callable[[ModuleType], None]) -> Callable[[ModuleType], None]:
    def exec_module(module: ModuleType) -> None:
        execute(module)
        _wrap_task_manager(module)

    return exec_module
