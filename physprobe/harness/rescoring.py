"""Scores a finished run anew from its samples files: no model, no lmms-eval.

Each benchmark brings a module ``physprobe.harness.<benchmark>.rescoring`` with

    SCORING     its :class:`~physprobe.harness.scoring.Scoring`
    OTHERS      metric -> aggregation, for metrics of its tasks that SCORING does not know
    mark_anew   (sample, answer) -> for each metric what it collects, as ``process_results`` returns it
    CARRIER     a metric whose readings are complete. Reading: their type
    summary     (results, readings, unreadable_above) -> what it adds to a results file, as far as answers
                decide it
"""

from __future__ import annotations

import copy
import json
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from physprobe import __version__, files
from physprobe.errors import UserError
from physprobe.harness import catalog
from physprobe.harness.scoring import kept_readings
from physprobe.results import Run, load_run

_RESULTS = "_results.json"
_MARK = "_rescored"  # sorts after the original run's date, before any later run's

Samples = dict[str, list[dict[str, Any]]]
_Number = float | int | str | bool | None


@dataclass(frozen=True)
class Reread:
    """An answer that is read otherwise than it was. ``before``, ``after``: what differs in its record."""

    task: str
    question_id: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]


@dataclass(frozen=True)
class Rescored:
    """A run scored anew.

    Attributes:
        run: as saved. results: the whole content of a results file with the new numbers. samples: likewise.
        saved, found: every number that answers decide, by its path in the results file; null where undefined.
        reread: the answers that are read otherwise.
    """

    run: Run
    results: Mapping[str, Any]
    samples: Samples
    saved: Mapping[tuple[str, ...], _Number]
    found: Mapping[tuple[str, ...], _Number]
    reread: tuple[Reread, ...]

    def differences(self) -> list[tuple[str, ...]]:
        """Name the numbers that are not exactly what was saved."""
        return [path for path in self.found if self.found[path] != self.saved.get(path)]


def find_results(places: Iterable[Path]) -> list[Path]:
    """Return the results files that samples files, results files or folders belong to, each once.

    Raises:
        UserError: a place does not exist or holds none.
    """
    found: dict[Path, None] = {}
    for place in places:
        if not place.exists():
            raise UserError(f"{place} does not exist: give samples files or an --output_path of lmms-eval")
        here = sorted(place.rglob(f"*{_RESULTS}")) if place.is_dir() else [_results_of(place)]
        if not here:
            raise UserError(f"{place} holds no results of lmms-eval (*{_RESULTS})")
        found |= dict.fromkeys(here)
    return list(found)


def rescore(path: Path) -> Rescored:
    """Read all answers of a run anew, and compute its metrics from them.

    What judges have read, and the templates have not, stands.

    Raises:
        UserError: no results file, its samples are missing, incomplete or of another version, or none of its
            tasks can be scored anew.
    """
    run, saved = load_run(path), json.loads(path.read_text(encoding="utf-8"))
    tasks = _tasks(saved)
    if not tasks:
        raise UserError(f"{path} holds no task of physprobe that can be scored anew")
    samples = {task: list(run.samples(task)) for task in tasks}
    results, ours, marked = _scored(saved, tasks, samples)
    new = _replaced(saved, results, ours)
    paths = [*_paths(results), *_added_paths(_known_before(ours, saved))]
    return Rescored(
        run=run,
        results=new,
        samples={t: [{**s, **m} for s, m in zip(samples[t], marked[t], strict=True)] for t in tasks},
        saved={path: _at(saved, path) for path in paths},
        found={path: _at(new, path) for path in paths},
        reread=tuple(_reread(samples, marked)),
    )


def write(rescored: Rescored) -> Path:
    """Write results and samples beside those of the run, under a date that is newer.

    Raises:
        UserError: the file is there already, or can't be written.
    """
    old = rescored.run.path
    path = old.with_name(old.name.replace(_RESULTS, f"{_MARK}{_RESULTS}"))
    if path.exists():
        raise UserError(f"{path} is there already: remove it to score {old.name} once more")
    content = {
        **rescored.results,
        "date": f"{rescored.run.date}{_MARK}",
        "physprobe": {
            **rescored.results["physprobe"],
            "rescored": {"from": old.name, "version": __version__, "reread": len(rescored.reread)},
        },
    }
    try:
        for task, lines in rescored.samples.items():
            written = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
            files.write_whole(path.with_name(path.name.replace(_RESULTS, f"_samples_{task}.jsonl")), written)
        files.write_whole(path, json.dumps(content, indent=2, ensure_ascii=False))
    except OSError as error:
        raise UserError(f"can't write beside {old}: {error.strerror}") from error
    return path


def _results_of(file: Path) -> Path:
    """Find the results file of a run by one of its files."""
    if file.name.endswith(_RESULTS):
        return file
    stem, found, _ = file.name.partition("_samples_")
    path = file.with_name(f"{stem}{_RESULTS}")
    if not found or not path.is_file():
        raise UserError(
            f"{file} is no samples file of lmms-eval with its results file ({path.name}) beside it"
        )
    return path


def _tasks(saved: Mapping[str, Any]) -> dict[str, ModuleType]:
    """Return our tasks of a run (no groups), each with what scores it."""
    found = {}
    for task in saved.get("configs", {}):
        if task in catalog.task_files():
            name = f"{catalog.benchmark_module(task).__name__}.rescoring"
            try:
                found[task] = import_module(name)
            except ModuleNotFoundError as error:
                if error.name != name:
                    raise
    return found


def _scored(
    saved: Mapping[str, Any], tasks: Mapping[str, ModuleType], samples: Samples
) -> tuple[dict[str, Any], dict[str, Any], Samples]:
    """Return metrics by task and group, what each benchmark adds, and what each metric collected."""
    marked = {task: [_marked(tasks[task], task, s) for s in samples[task]] for task in tasks}
    rows = {task: _aggregated(tasks[task], marked[task]) for task in tasks}
    groups = {g: m for g, m in saved["group_subtasks"].items() if m and all(t in tasks for t in m)}
    for group, members in groups.items():
        scoring = tasks[members[0]].SCORING
        shared = [name for name in rows[members[0]] if f"{name},none" in saved["results"].get(group, {})]
        pooled = [(name, [rows[member][name] for member in members]) for name in shared]
        rows[group] = {name: scoring.pool(scores, [], False) for name, scores in pooled}
    results = {
        "results": {name: {f"{m},none": v for m, v in row.items()} for name, row in rows.items()},
        "configs": saved["configs"],
        "group_subtasks": groups,
    }
    benchmarks = {module.__name__.split(".")[-2]: module for module in tasks.values()}
    before = saved.get("physprobe", {})
    ours = {name: _summary(each, results, before.get(name, {})) for name, each in benchmarks.items()}
    return results["results"], ours, marked


def _summary(benchmark: ModuleType, results: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a benchmark adds to a results file; the threshold of what it added before stays."""
    readings = kept_readings(results, benchmark.CARRIER, benchmark.Reading)
    above = before.get("unreadable", {}).get("threshold")
    return benchmark.summary(results, readings, above) if readings else {}


def _marked(benchmark: ModuleType, task: str, sample: Mapping[str, Any]) -> dict[str, Any]:
    answer = sample["filtered_resps"]
    try:
        return benchmark.mark_anew(sample, answer[0] if isinstance(answer, list) else answer)
    except (KeyError, TypeError) as error:
        raise UserError(f"samples of {task} are of another version of physprobe ({error!r})") from error


def _aggregated(benchmark: ModuleType, marked: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    collected: dict[str, list[Any]] = defaultdict(list)
    for each in marked:
        for name, item in each.items():
            collected[name].append(item)
    return {
        name: benchmark.OTHERS[name](items)
        if name in benchmark.OTHERS
        else benchmark.SCORING.aggregate(name, items)
        for name, items in collected.items()
    }


def _replaced(
    saved: Mapping[str, Any], results: Mapping[str, Mapping[str, float]], ours: Mapping[str, Any]
) -> dict[str, Any]:
    """Put new numbers into a copy of a results file's content."""
    new = copy.deepcopy(dict(saved))
    for table in (new["results"], new.get("groups", {})):
        for name in table.keys() & results.keys():
            known = {metric: _plain(value) for metric, value in results[name].items()}
            # An undefined score may have been left out.
            table[name] |= {m: v for m, v in known.items() if v is not None or m in table[name]}
    added = new.setdefault("physprobe", {})
    for benchmark, found in ours.items():
        before = added.setdefault(benchmark, {})
        matching = (
            {"matching": {**before.get("matching", {}), **found["matching"]}} if "matching" in found else {}
        )
        before |= {**_plain(found), **matching}
    return new


def _plain(value: Any) -> Any:
    """Return what a results file holds of a value: null where undefined."""
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    return value


def _paths(tables: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, ...]]:
    return (("results", task, metric) for task, row in tables.items() for metric in row)


def _known_before(ours: Mapping[str, Mapping[str, Any]], saved: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what an earlier version of physprobe did not add."""
    before = saved.get("physprobe", {})
    return {
        name: {key: part for key, part in each.items() if key in before.get(name, {})}
        for name, each in ours.items()
    }


def _added_paths(tree: Any, path: tuple[str, ...] = ("physprobe",)) -> Iterator[tuple[str, ...]]:
    if isinstance(tree, dict):
        for name, part in tree.items():
            yield from _added_paths(part, (*path, name))
    else:
        yield path


def _at(tree: Any, path: Sequence[str]) -> _Number:
    for name in path:
        tree = tree.get(name) if isinstance(tree, dict) else None
    return _plain(tree)


def _reread(samples: Samples, marked: Samples) -> Iterator[Reread]:
    for task in samples:
        for sample, new in zip(samples[task], marked[task], strict=True):
            for name, record in new.items():
                if isinstance(record, dict) and record != sample[name]:
                    differ = [key for key in record if record[key] != sample[name].get(key)]
                    old = {key: sample[name].get(key) for key in differ}
                    yield Reread(task, str(record["question_id"]), old, {key: record[key] for key in differ})
