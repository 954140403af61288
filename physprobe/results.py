"""Reads what lmms-eval leaves behind: results and samples files."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from physprobe.conservation.metrics import AnswerRecord
from physprobe.errors import UserError
from physprobe.statistics.estimates import Estimate, metric_names

_SUFFIX = "_results.json"

# The metric whose item in a samples file of conservationbench is the record of an answer.
_RECORD = "accuracy_overall"

# How answers were read, in words.
READERS = {
    "stage1-only": "templates alone (stage 1)",
    "hybrid": "templates and judges",
    "hybrid-incomplete": "templates and judges, of whom some gave no reply",
}


@dataclass(frozen=True)
class Count:
    """How many questions of a task were asked, and how many it has: more in a run with ``--limit``."""

    asked: int
    whole: int


@dataclass(frozen=True)
class Run:
    """One model's run, as saved by lmms-eval.

    Attributes:
        path: its results file. model: a name to show. date: of the start, as lmms-eval writes it.
        metrics: task or group -> metric -> value, without tasks that are part of a group in the same run.
        versions: task or group -> version. counts: task (not group) -> its questions.
        members: group -> its tasks. matching: how answers were read ("stage1-only", ...), "" if not recorded.
        identified: benchmarks of which the results tell which state of the dataset was used.
    """

    path: Path
    model: str
    date: str
    metrics: Mapping[str, Mapping[str, float]]
    versions: Mapping[str, str]
    counts: Mapping[str, Count]
    members: Mapping[str, tuple[str, ...]]
    matching: str
    identified: frozenset[str] = frozenset()

    @property
    def questions(self) -> dict[str, int]:
        """How many questions of each task or group were asked."""
        return {name: self.count(name).asked for name in self.metrics}

    def tasks(self, name: str) -> tuple[str, ...]:
        """Return the tasks of a group; of a task itself."""
        return self.members.get(name) or (name,)

    def count(self, name: str) -> Count:
        """Count the questions of a task or group."""
        each = [self.counts[task] for task in self.tasks(name)]
        return Count(sum(count.asked for count in each), sum(count.whole for count in each))

    def estimate(self, task: str, score: str) -> Estimate:
        """Return a score of a task with its interval; NaN for what the file leaves out as undefined."""
        found = self.metrics[task]
        value, low, high = (found.get(name, math.nan) for name in metric_names(score))
        return Estimate(value, low, high, self.count(task).asked)

    def records(self, task: str) -> list[AnswerRecord]:
        """Return the marked answers of a task or group of conservationbench.

        Raises:
            UserError: the run was made without ``--log_samples``, or by another version.
        """
        try:
            return [
                AnswerRecord.taken_from(sample[_RECORD])
                for each in self.tasks(task)
                for sample in self.samples(each)
            ]
        except (KeyError, TypeError) as error:
            raise UserError(
                f"the samples of {self.path} hold no records of {task!r}: evaluate again"
            ) from error

    def samples(self, task: str) -> Iterator[dict[str, Any]]:
        """Yield the saved answers of a task (not of a group), one a question.

        Raises:
            UserError: the run was made without ``--log_samples``, a line is damaged, or lines are missing.
        """
        path, number = self.samples_file(task), 0
        if not path.is_file():
            raise UserError(f"{path} is missing: evaluate with --log_samples")
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                try:
                    yield json.loads(line)
                except ValueError as error:
                    raise UserError(f"{path}, line {number} is cut or damaged: evaluate again") from error
        if wrong := self.shortfall(task, number):
            raise UserError(f"{wrong}: evaluate again")

    def samples_file(self, task: str) -> Path:
        """Name the file with the saved answers of a task (not of a group)."""
        return self.path.with_name(self.path.name.replace(_SUFFIX, f"_samples_{task}.jsonl"))

    def shortfall(self, task: str, lines: int) -> str:
        """Say what is wrong with a samples file of so many lines; "" where it has one a question."""
        asked = self.counts[task].asked if task in self.counts else lines
        return "" if lines == asked else f"{self.samples_file(task)} holds {lines} of {asked} answers"

    def damage(self, task: str) -> str:
        """Say as :meth:`shortfall` what is wrong with the samples file of a task; "" where there is none."""
        if not self.samples_file(task).is_file():
            return ""
        with self.samples_file(task).open("rb") as lines:
            return self.shortfall(task, sum(1 for _ in lines))


def load_run(path: Path) -> Run:
    """Read one results file.

    Raises:
        UserError: it is no results file of lmms-eval.
    """
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
        members = {task for tasks in saved["group_subtasks"].values() for task in tasks}
        shown = [name for name in saved["results"] if name not in members]
        return Run(
            path=path,
            model=_model_name(saved),
            date=str(saved["date"]),
            metrics={name: _plain(saved["results"][name]) for name in shown},
            versions={name: str(saved["versions"].get(name, "")) for name in shown},
            counts=_counts(saved, shown),
            members={name: tuple(tasks) for name, tasks in saved["group_subtasks"].items() if tasks},
            matching=_matching(saved),
            identified=_identified(saved),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(f"{path} is no results file of lmms-eval ({error!r})") from error


def find_runs(places: Iterable[Path]) -> list[Run]:
    """Read all runs in folders and files, in the order given; of reruns only the newest is kept.

    Raises:
        UserError: a place does not exist or holds no results.
    """
    runs: dict[tuple[Path, str, tuple[str, ...]], Run] = {}
    for place in places:
        if not place.exists():
            raise UserError(f"{place} does not exist: give an --output_path of lmms-eval")
        files = sorted(place.rglob(f"*{_SUFFIX}")) if place.is_dir() else [place]
        if not files:
            raise UserError(f"{place} holds no results of lmms-eval (*{_SUFFIX})")
        for run in map(load_run, files):
            key = run.path.parent, run.model, tuple(sorted(run.metrics))
            if key not in runs or run.date >= runs[key].date:
                runs[key] = run
    return list(runs.values())


def _plain(row: Mapping[str, Any]) -> dict[str, float]:
    """Drop the name of the answer filter that lmms-eval appends to each metric (",none"); null is NaN."""
    return {
        name.partition(",")[0]: math.nan if value is None else float(value)
        for name, value in row.items()
        if "," in name and "_stderr" not in name and isinstance(value, int | float | None)
    }


def _matching(saved: Mapping[str, Any]) -> str:
    found = saved.get("physprobe", {}).get("conservation", {}).get("matching", {})
    return str(found.get("matching", ""))


def _counts(saved: Mapping[str, Any], shown: Iterable[str]) -> dict[str, Count]:
    offset = int(saved["config"].get("offset") or 0)  # which "effective" leaves out of account
    counts = {}
    for task in {leaf for name in shown for leaf in saved["group_subtasks"].get(name) or [name]}:
        effective = saved["n-samples"][task]["effective"]
        whole = saved["n-samples"][task].get("original", effective)
        counts[task] = Count(max(min(effective, whole - offset), 0), whole)
    return counts


def _identified(saved: Mapping[str, Any]) -> frozenset[str]:
    """Name the benchmarks whose dataset has a version, hash or commit in the results."""
    parts = {name: part for name, part in saved.get("physprobe", {}).items() if isinstance(part, Mapping)}
    told = {name: part.get("dataset") or {} for name, part in parts.items()}
    known = ("version", "sha256", "commit")
    return frozenset(name for name, dataset in told.items() if any(map(dataset.get, known)))


def _model_name(saved: Mapping[str, Any]) -> str:
    """Name a checkpoint by its Hub name or the last part of its folder, other models with their arguments."""
    checkpoint = str(saved.get("model_name") or "")
    if checkpoint:
        return Path(checkpoint).name if Path(checkpoint).is_absolute() else checkpoint
    config = saved["config"]
    return " ".join(str(part) for part in (config["model"], config.get("model_args")) if part)
