"""Reads what lmms-eval leaves behind (results and samples files) and compares models in a table."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from physprobe.conservation.breakdown import break_down
from physprobe.conservation.metrics import AnswerRecord, Estimate, conservation_scores, metric_names
from physprobe.errors import UserError

if TYPE_CHECKING:
    from rich.table import Table

_SUFFIX = "_results.json"

# Score, its heading, and whether its interval is shown.
_Columns = tuple[tuple[str, str, bool], ...]
_COLUMNS: _Columns = (
    ("accuracy_overall", "accuracy", True),
    ("accuracy_conserving", "conserving", False),
    ("accuracy_nonconserving", "non-conserving", False),
    ("accuracy_strict_pair", "strict pair", True),
    ("rate_unread", "unread", False),
)
# What the answers claimed: with "I don't know" and the unread ones they add up to 1.
_SHARES: _Columns = (
    ("share_same", "same", False),
    ("share_moved_more", "more", False),
    ("share_moved_less", "less", False),
)
_IDK = ("share_idk", "don't know", False)

# How answers were read, in words.
READERS = {
    "stage1-only": "templates alone (stage 1)",
    "hybrid": "templates and judges",
    "hybrid-incomplete": "templates and judges, of whom some gave no reply",
}


@dataclass(frozen=True)
class Run:
    """One model's run, as saved by lmms-eval.

    Attributes:
        path: its results file. model: a name to show. date: of the start, as lmms-eval writes it.
        metrics: task or group -> metric -> value, without tasks that are part of a group in the same run.
        versions: task or group -> version. questions: task or group -> number of questions.
        members: group -> its tasks. matching: how answers were read ("stage1-only", ...), "" if not recorded.
    """

    path: Path
    model: str
    date: str
    metrics: Mapping[str, Mapping[str, float]]
    versions: Mapping[str, str]
    questions: Mapping[str, int]
    members: Mapping[str, tuple[str, ...]]
    matching: str

    def estimate(self, task: str, score: str) -> Estimate:
        """Return a score of a task with its interval.

        Raises:
            UserError: the results file lacks it.
        """
        try:
            value, low, high = (self.metrics[task][name] for name in metric_names(score))
        except KeyError as error:
            raise UserError(f"{self.path} has no metric {error.args[0]!r} for {task!r}") from error
        return Estimate(value, low, high, self.questions[task])

    def records(self, task: str) -> list[AnswerRecord]:
        """Return the marked answers of a task or group of conservationbench.

        Raises:
            UserError: the run was made without ``--log_samples``, or by another version.
        """
        tasks = self.members.get(task) or (task,)
        try:
            return [
                AnswerRecord.taken_from(sample[_COLUMNS[0][0]])
                for each in tasks
                for sample in self.samples(each)
            ]
        except (KeyError, TypeError) as error:
            raise UserError(
                f"the samples of {self.path} hold no records of {task!r}: evaluate again"
            ) from error

    def samples(self, task: str) -> Iterator[dict[str, Any]]:
        """Yield the saved answers of a task (not of a group), one a question.

        Raises:
            UserError: the run was made without ``--log_samples``.
        """
        path = self.path.with_name(self.path.name.replace(_SUFFIX, f"_samples_{task}.jsonl"))
        if not path.is_file():
            raise UserError(f"{path} is missing: evaluate with --log_samples")
        with path.open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)


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
            questions={name: _questions(saved, name) for name in shown},
            members={name: tuple(tasks) for name, tasks in saved["group_subtasks"].items() if tasks},
            matching=_matching(saved),
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


def comparison_tables(runs: Sequence[Run], by: Sequence[str] = ()) -> list[Table]:
    """Compare models on conservationbench: one table a task.

    Args:
        runs: of the models. by: factors ("domain", "prompt_style", "frame_count", "extraction"); with some,
            each run has one row for each combination of their levels, scored from its samples files.

    Raises:
        UserError: no run has scores of conservationbench; an unknown factor; samples are missing.
    """
    tasks = dict.fromkeys(task for run in runs for task in run.metrics if _COLUMNS[0][0] in run.metrics[task])
    if not tasks:
        raise UserError(
            "these results hold no scores of conservationbench: evaluate with --tasks conservation"
        )
    scored = {task: [run for run in runs if _COLUMNS[0][0] in run.metrics.get(task, {})] for task in tasks}
    return [_breakdown(task, runs, by) if by else _table(task, runs) for task, runs in scored.items()]


def _table(task: str, runs: Sequence[Run]) -> Table:
    table = _empty(task, runs, (), _COLUMNS)
    for run in runs:
        cells = [_cell(run.estimate(task, score), interval) for score, _, interval in _COLUMNS]
        table.add_row(run.model, *cells, str(run.questions[task]))
    return table


def _breakdown(task: str, runs: Sequence[Run], by: Sequence[str]) -> Table:
    answers = [run.records(task) for run in runs]
    offered = any(record.relation == "idk" for records in answers for record in records)
    columns = (*_COLUMNS, *_SHARES, *((_IDK,) if offered else ()))
    table = _empty(task, runs, by, columns)
    for run, records in zip(runs, answers, strict=True):
        for levels, part in break_down(records, by).items():
            scores = conservation_scores(part)
            cells = [_cell(scores[score], interval) for score, _, interval in columns]
            table.add_row(run.model, *levels, *cells, str(len(part)))
        table.add_section()
    return table


def _empty(task: str, runs: Sequence[Run], by: Sequence[str], columns: _Columns) -> Table:
    from rich.table import Table

    versions = ", ".join(dict.fromkeys(run.versions[task] for run in runs))
    readers = [READERS.get(run.matching, run.matching) for run in runs if run.matching]
    table = Table(
        title=f"{task} (task version {versions}), 95% intervals from a bootstrap over pairs",
        caption=f"answers read by {'; '.join(dict.fromkeys(readers))}" if readers else None,
    )
    for heading in ("model", *by):
        table.add_column(heading, no_wrap=True)
    for heading in (*(heading for _, heading, _ in columns), "n"):
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _cell(estimate: Estimate, interval: bool) -> str:
    if math.isnan(estimate.value):
        return "-"
    known = interval and not math.isnan(estimate.low)
    bounds = f" [{estimate.low:.2f}, {estimate.high:.2f}]" if known else ""
    return f"{estimate.value:.3f}{bounds}"


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


def _questions(saved: Mapping[str, Any], name: str) -> int:
    leaves = saved["group_subtasks"].get(name) or [name]
    return sum(saved["n-samples"][leaf]["effective"] for leaf in leaves)


def _model_name(saved: Mapping[str, Any]) -> str:
    """Name a checkpoint by its Hub name or the last part of its folder, other models with their arguments."""
    checkpoint = str(saved.get("model_name") or "")
    if checkpoint:
        return Path(checkpoint).name if Path(checkpoint).is_absolute() else checkpoint
    config = saved["config"]
    return " ".join(str(part) for part in (config["model"], config.get("model_args")) if part)
