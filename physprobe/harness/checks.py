"""Checks of what a run asks for and of what it leaves behind; each raises one clear line."""

from __future__ import annotations

import argparse
import difflib
import fnmatch
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from physprobe.errors import UserError
from physprobe.harness import catalog
from physprobe.harness.failures import EvaluationFailed

LISTINGS = frozenset(
    {"list", "list_groups", "list_tags", "list_subtasks"}
)  # values of --tasks that only print
# Adapters that hand an empty list of images to their processor, which fails on it (lmms-eval 0.7.3).
_NEED_AN_IMAGE = frozenset(
    {"lmms_eval.models.chat.llava_hf.LlavaHf", "lmms_eval.models.simple.llava_hf.LlavaHf"}
)
_PATTERN_CHARACTERS = frozenset("*?[")


def check_request(args: argparse.Namespace, requested: Sequence[str]) -> None:
    """Check the options of one evaluation, from the command line or a configuration file.

    Raises:
        UserError: says which is wrong and what to do.
    """
    check_batch_size(args.batch_size)
    check_limit(args.limit, requested)
    check_model(args.model)
    check_batching(args.model, args.force_simple, args.batch_size, requested)
    check_text_only(args.model, args.force_simple, requested)


def check_batch_size(value: object) -> None:
    """Check ``--batch_size``.

    Raises:
        UserError: shows the values that are possible.
    """
    if not re.fullmatch(r"[1-9]\d*|auto(:[1-9]\d*)?", str(value)):
        raise UserError(f"--batch_size {value}: must be a number from 1 on, auto, or auto:N")


def check_limit(limit: float | None, requested: Sequence[str]) -> None:
    """Refuse no questions, and a share of those of several tasks: lmms-eval uses that of the first for all.

    Raises:
        UserError: says what to do instead.
    """
    if limit is not None and not limit > 0:
        raise UserError(
            f"--limit {limit:g}: must be above 0, a number of questions or a share below 1; leave it out to "
            "ask all"
        )
    if limit is not None and 0 < limit < 1 and _several(requested):
        raise UserError(
            f"--limit {limit:g} with several tasks: lmms-eval takes that share of the first one, and as many "
            "questions of the others; give a number of questions, or run one task at a time"
        )


def check_model(name: str) -> None:
    """Check that lmms-eval knows a model.

    Raises:
        UserError: shows near names and our reference models.
    """
    from lmms_eval.models import list_available_models

    known = list_available_models(include_aliases=True)
    if name not in known:
        own = ", ".join(catalog.REFERENCE_MODELS)
        raise UserError(
            f"unknown model {name!r}{_near(name, known)} (physprobe's own: {own}; all: lmms_eval models)"
        )


def check_tasks(requested: Sequence[str], known: Sequence[str]) -> None:
    """Check that each requested task, pattern, YAML file or folder is there.

    Raises:
        UserError: shows near names and our own tasks.
    """
    for name in requested:
        pattern = bool(_PATTERN_CHARACTERS & set(name))
        if name in known or Path(name).exists() or (pattern and fnmatch.filter(known, name)):
            continue
        own = ", ".join(sorted(catalog.task_files()))
        raise UserError(
            f"unknown task {name!r}{_near(name, known)} (physprobe's own: {own}; all: lmms_eval tasks list)"
        )


def check_batching(model: str, force_simple: bool, batch_size: object, requested: Sequence[str]) -> None:
    """Refuse batches over several of our tasks with an adapter that would fetch the wrong questions.

    lmms-eval's "simple" adapters look up all questions of a batch in the task of its first one, silently.

    Raises:
        UserError: says what to do instead.
    """
    from lmms_eval.models import MODEL_REGISTRY_V2

    ours = any(name in catalog.task_files() for name in requested)
    if not ours or not _several(requested) or str(batch_size) == "1":
        return
    if MODEL_REGISTRY_V2.resolve(model, force_simple=force_simple).model_type == "simple":
        raise UserError(
            f"model {model!r} has only lmms-eval's simple interface, which mixes up questions when a batch "
            "holds several tasks: use --batch_size 1, or run one task at a time"
        )


def check_text_only(model: str, force_simple: bool, requested: Sequence[str]) -> None:
    """Refuse requests without images to an adapter that can't send them.

    Raises:
        UserError: names the tasks to leave out.
    """
    from lmms_eval.models import MODEL_REGISTRY_V2

    files = catalog.task_files()
    tasks = [name for name in requested if name in files and files[name].text_only]
    if tasks and MODEL_REGISTRY_V2.resolve(model, force_simple=force_simple).class_path in _NEED_AN_IMAGE:
        raise UserError(
            f"lmms-eval's adapter for {model!r} can't ask without an image: leave out {', '.join(tasks)}"
        )


def check_saved(output: str, results: Mapping[str, Any], samples: Mapping[str, Sequence[Any]] | None) -> None:
    """Check that a finished run's files are there and hold one record per question.

    lmms-eval only logs a warning when it can't write them.

    Args:
        output: ``--output_path``. results: as returned by lmms-eval. samples: records by task, or None.

    Raises:
        EvaluationFailed: names the missing or incomplete file.
    """
    folder = Path(output) / str(results.get("model_name_sanitized", ""))
    date = str(results["date"]).replace(":", "-")
    results_file = folder / f"{date}_results.json"
    if not results_file.is_file() or not json.loads(results_file.read_text(encoding="utf-8")):
        raise EvaluationFailed(f"the results could not be saved to {results_file}: check --output_path")
    for task, records in (samples or {}).items():
        path = folder / f"{date}_samples_{task}.jsonl"
        lines = path.read_bytes().count(b"\n") if path.is_file() else 0
        if lines < len(records):
            raise EvaluationFailed(f"{path} holds {lines} of {len(records)} answers: the disk may be full")


def _several(requested: Sequence[str]) -> bool:
    files = catalog.task_files()
    return len(requested) > 1 or any(len(files[name].members) > 1 for name in requested if name in files)


def _near(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), n=3, cutoff=0.6)
    return f"; did you mean {', '.join(close)}?" if close else ""
