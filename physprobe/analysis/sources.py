"""Finds saved answers: results of lmms-eval, and Parquet files of answers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from tqdm import tqdm  # type: ignore[import-untyped]

from physprobe.analysis.conversion import CACHE_FOLDER, format_of, read_samples
from physprobe.analysis.layout import ORIGIN, Layout
from physprobe.errors import UserError
from physprobe.results import load_run

_RESULTS = "_results.json"


@dataclass(frozen=True)
class Source:
    """Answers of one model to the questions of one task.

    Attributes:
        path: the file with the answers. model, task, task_version: as lmms-eval names them.
        dataset_version: as the results record it; "" if they don't.
        date: of the run's start, sortable; "" if not recorded. matching: how answers were read; "" likewise.
        questions: how many answers.
        unreadable: why the run's scores say little, as its results file flags it; "" if they do not.
        participant: whose answers, where they are a person's.
        dataset_sha256: of all rows of the dataset, as the results record it; "" if they don't.
        whole: how many questions the task has, as the results record it; 0 if they don't.
        unidentified: whether the results can't tell which state of the benchmark's dataset was asked.
    """

    path: Path
    model: str
    task: str
    task_version: str
    dataset_version: str
    date: str
    matching: str
    questions: int
    unreadable: str = ""
    participant: str = ""
    dataset_sha256: str = ""
    whole: int = 0
    unidentified: bool = False

    @property
    def run(self) -> str:
        """What all tasks of one run have in common."""
        return (
            f"{self.path.parent / self.path.name.partition('_samples_')[0]} {self.model} {self.participant}"
        )


@dataclass(frozen=True)
class SetApart:
    """Answers that are left out of all analyses.

    Attributes:
        source: the answers. reason: why, in words. table: of an older run of the same model, its answers, for
            analyses of several trials.
    """

    source: Source
    reason: str
    table: pa.Table | None = field(default=None, repr=False, compare=False)


# A source with its columns, or with what kept them from being read.
_Read = tuple[Source, pa.Table | UserError]


def find_answers(
    places: Iterable[Path], layout: Layout, cache: Path | None = None, *, needed: bool = True
) -> tuple[list[tuple[Source, pa.Table]], list[SetApart]]:
    """Read a benchmark's answers in folders and files.

    Args:
        places: output folders of lmms-eval or of ``physprobe simulate``, results files, Parquet files.
        layout: of the benchmark. cache: see :func:`physprobe.analysis.conversion.read_samples`.
        needed: refuse places none of which holds such answers, and one without any results.

    Returns:
        For each model's run of each task of the benchmark its source, and its columns (schema
        ``layout.answers``), ordered by path and task; and those whose samples are missing or of another form.

    Raises:
        UserError: a place does not exist; one holds nothing, or none answers, where ``needed``; none can be
            read.
    """
    found: dict[tuple[Path, str], _Read] = {}
    for place in places:
        here = _files(place)
        if needed and not here:
            raise _without_answers(place, layout)
        for file in tqdm(here, desc="Reading answers", disable=None, leave=False):
            for each in _read(file, layout, cache):
                found[each[0].path.resolve(), f"{each[0].model}/{each[0].task}"] = each
    if needed and not found:
        raise _without_answers(place, layout)
    ordered = [found[key] for key in sorted(found)]
    read = [(source, table) for source, table in ordered if not isinstance(table, UserError)]
    failed = [(source, error) for source, error in ordered if isinstance(error, UserError)]
    if failed and not read:
        raise failed[0][1]
    return read, [SetApart(source, str(error)) for source, error in failed]


def _without_answers(place: Path, layout: Layout) -> UserError:
    return UserError(
        f"{place} holds no answers to {layout.title}: give an --output_path of lmms-eval "
        "(evaluated with --log_samples) or a folder made by physprobe simulate"
    )


def _files(place: Path) -> list[Path]:
    if not place.exists():
        raise UserError(f"{place} does not exist: give an --output_path of lmms-eval")
    if place.is_file():
        return [place]
    files = [*place.rglob(f"*{_RESULTS}"), *place.rglob("*.parquet")]
    return sorted(file for file in files if CACHE_FOLDER not in file.parts)


def _read(file: Path, layout: Layout, cache: Path | None) -> Iterator[_Read]:
    if file.suffix == ".parquet":
        return _from_parquet(file, layout)
    return _from_results(file, layout, cache)


def _from_results(file: Path, layout: Layout, cache: Path | None) -> Iterator[_Read]:
    run = load_run(file)
    saved = json.loads(file.read_text(encoding="utf-8"))
    ours = saved.get("physprobe", {}).get(layout.name, {})
    dataset = ours.get("dataset") or {}
    known = layout.name in run.identified
    for task in saved.get("configs", saved["results"]):
        if not any(name.partition(",")[0] == layout.known_by for name in saved["results"].get(task, {})):
            continue
        source = Source(
            path=run.samples_file(task),
            model=run.model,
            task=task,
            task_version=str(saved["versions"].get(task, "")),
            **_of_dataset({} if layout.dataset_of(task) else dataset),
            unidentified=not (known or layout.dataset_of(task)),
            date=run.date,
            matching=run.matching,
            questions=0,
            unreadable=_unreadable(ours.get("unreadable") or {}),
            whole=run.counts[task].whole if task in run.counts else 0,
        )
        try:
            table = with_origin(read_samples(source.path, layout, cache), source, layout)
            if wrong := run.shortfall(task, len(table)):
                raise UserError(f"{wrong}: evaluate again")
        except UserError as error:
            yield source, error
        else:
            yield replace(source, questions=len(table)), table


def _of_dataset(told: Mapping[str, Any]) -> dict[str, str]:
    return {f"dataset_{name}": str(told.get(name) or "") for name in ("version", "sha256")}


def _unreadable(told: Mapping[str, Any]) -> str:
    if not told.get("flagged"):
        return ""
    return f"{told['rate']:.0%} of its answers could not be read (flagged above {told['threshold']:.0%})"


def with_origin(table: pa.Table, source: Source, layout: Layout) -> pa.Table:
    """Add to a source's columns where they come from."""
    columns = [repeated(getattr(source, name), len(table)) for name in ORIGIN]
    return pa.table([*columns, *table.columns], schema=layout.answers)


def repeated(word: str, count: int) -> pa.Array:
    """Return a column that holds one word N times."""
    return pa.DictionaryArray.from_arrays(pa.repeat(pa.scalar(0, pa.int32()), count), [word])


def _from_parquet(file: Path, layout: Layout) -> Iterator[_Read]:
    try:
        if format_of(file) != layout.format:
            return
        table = pq.read_table(file).cast(layout.answers)
    except (OSError, pa.ArrowInvalid, ValueError) as error:
        raise UserError(f"{file} is no file of answers ({str(error).splitlines()[0]})") from error
    names = list(ORIGIN)
    for origin in table.select(names).group_by(names).aggregate([]).to_pylist():
        chosen = [pc.equal(table[name], origin[name]) for name in names]
        part = table.filter(pc.and_(pc.and_(chosen[0], chosen[1]), pc.and_(chosen[2], chosen[3])))
        yield Source(path=file, **origin, date="", matching="", questions=len(part)), part
