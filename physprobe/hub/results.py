"""Results of lmms-eval as files of a repository on the Hub: scores, answers, and the record of the run.

    MODEL/DATE_results.json           as lmms-eval saved them
    MODEL/DATE_run.json               what made them: the record of the run alone
    MODEL/DATE_samples_TASK.jsonl     every answer (with --log_samples)
    .eval_results/MODEL_DATE.yaml     headline scores as huggingface.co/docs/hub/eval-results has them
    README.md                         lets load_dataset("ORG/results", "MODEL.TASK") give the answers

Secrets are masked in each of them.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from huggingface_hub import get_token

from physprobe.errors import UserError
from physprobe.harness.secrets import mask, secret_values
from physprobe.hub.contents import Upload
from physprobe.results import Run, find_runs
from physprobe.text import quantity

CARD = "README.md"

# The score by which each benchmark ranks models.
HEADLINES = ("accuracy_strict_pair", "mra_macro", "macro_f1_category")

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_SAMPLES = re.compile(r"(?P<model>[^/]+)/(?P<date>\d{8}_\d{6})_samples_(?P<task>\w+)\.jsonl")
_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")
_DATE = re.compile(r"(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)")


@dataclass(frozen=True)
class Collected:
    """Files to publish, by path.

    Attributes:
        models: whose runs these are. unanswered: tasks without saved answers, "MODEL: TASK".
    """

    uploads: Mapping[str, Upload]
    models: tuple[str, ...]
    unanswered: tuple[str, ...]


def collect(place: Path) -> Collected:
    """Read the runs in an output folder of lmms-eval (of reruns the newest), or one results file.

    Raises:
        UserError: there are none, or one has no record of its run.
    """
    secrets = tuple(sorted({*secret_values(os.environ), *filter(None, [get_token()])}, key=len, reverse=True))
    uploads: dict[str, Upload] = {}
    unanswered: list[str] = []
    runs = find_runs([place])
    for run in runs:
        for path, text in _files(run, unanswered):
            uploads[path] = Upload(mask(text, secrets).encode())
    return Collected(uploads, tuple(dict.fromkeys(run.model for run in runs)), tuple(unanswered))


def results_card(paths: Iterable[str]) -> str:
    """Write the card of a repository that holds these files: a config a model and task, a split a run.

    The newest run of each is the split "latest" as well.
    """
    found: dict[str, list[tuple[str, str]]] = {}
    for path in sorted(paths):
        if match := _SAMPLES.fullmatch(path):
            found.setdefault(f"{match['model']}.{match['task']}", []).append((match["date"], path))
    configs = [{"config_name": name, "data_files": _splits(runs)} for name, runs in found.items()]
    metadata = {"pretty_name": "Results of physprobe", "tags": ["evaluation", "physics"], "configs": configs}
    front = yaml.safe_dump(metadata, sort_keys=False, allow_unicode=True)
    return f"---\n{front}---\n\n{_TEXT}"


_TEXT = """# Results of physprobe

Scores and answers of vision-language models, pushed by `physprobe push-results`.

| file | what it holds |
|---|---|
| `MODEL/DATE_results.json` | scores as lmms-eval saved them |
| `MODEL/DATE_run.json` | what made them: model, versions, git commit, hardware, wall time, command |
| `MODEL/DATE_samples_TASK.jsonl` | every answer, as it was given and as it was read |
| `.eval_results/MODEL_DATE.yaml` | headline scores in the Hub's format, for the model's own repository |
"""


def evaluation_entries(saved: Mapping[str, Any], run: Run) -> list[dict[str, Any]]:
    """Return a run's headline scores as the Hub's ``.eval_results`` files hold them, one a task or group.

    Tasks on a local dataset are left out: there is no benchmark on the Hub to refer to.
    """
    return [entry for name in run.metrics for entry in _entries(saved, run, name)]


def _entries(saved: Mapping[str, Any], run: Run, name: str) -> Iterator[dict[str, Any]]:
    headline = next((score for score in HEADLINES if score in run.metrics[name]), None)
    task = run.tasks(name)[0]
    dataset = str(saved.get("configs", {}).get(task, {}).get("dataset_path", ""))
    if headline is None or not _HUB_NAME.fullmatch(dataset) or math.isnan(run.metrics[name][headline]):
        return
    commit = _commit(saved, dataset)
    yield {
        "dataset": {"id": dataset, "task_id": name, **({"revision": commit} if commit else {})},
        "value": run.metrics[name][headline],
        "date": _iso(run.date),
        "notes": f"{headline}, task version {run.versions[name]}, "
        f"{quantity(run.questions[name], 'question')}",
    }


def _commit(saved: Mapping[str, Any], dataset: str) -> str | None:
    for part in saved["physprobe"].values():
        identity = part.get("dataset") if isinstance(part, Mapping) else None
        if isinstance(identity, Mapping) and identity.get("name") == dataset.split("/")[1]:
            return identity.get("commit")
    return None


def _files(run: Run, unanswered: list[str]) -> Iterator[tuple[str, str]]:
    text = run.path.read_text(encoding="utf-8")
    saved = json.loads(text)
    record = saved.get("physprobe", {}).get("run")
    if not isinstance(record, dict):
        raise UserError(
            f"{run.path} has no record of its run: evaluate again with  lmms_eval  of this version"
        )
    stem = f"{_safe(run.model)}/{run.date}"
    yield f"{stem}_results.json", text
    yield f"{stem}_run.json", json.dumps(record, indent=2, ensure_ascii=False) + "\n"
    entries = evaluation_entries(saved, run)
    if entries:
        yield f".eval_results/{stem.replace('/', '_')}.yaml", yaml.safe_dump(entries, sort_keys=False)
    for task in _leaves(run):
        samples = run.samples_file(task)
        if samples.is_file():
            if wrong := run.damage(task):
                raise UserError(f"{wrong}: evaluate again")
            yield f"{stem}_samples_{task}.jsonl", samples.read_text(encoding="utf-8")
        else:
            unanswered.append(f"{run.model}: {task}")


def _leaves(run: Run) -> list[str]:
    return list(dict.fromkeys(task for name in run.metrics for task in run.tasks(name)))


def _splits(runs: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    return [*({"split": date, "path": path} for date, path in runs), {"split": "latest", "path": runs[-1][1]}]


def _safe(model: str) -> str:
    return _UNSAFE.sub("__", model).strip("_.") or "model"


def _iso(date: str) -> str:
    found = _DATE.fullmatch(date)
    return "{}-{}-{}T{}:{}:{}".format(*found.groups()) if found else date
