"""Finds saved answers: results of lmms-eval, and Parquet files of answers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from tqdm import tqdm  # type: ignore[import-untyped]

from physprobe.analysis.conversion import CACHE_FOLDER, RECORD, read_samples
from physprobe.analysis.schema import ANSWERS, FORMAT, FORMAT_KEY, ORIGIN
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
    """

    path: Path
    model: str
    task: str
    task_version: str
    dataset_version: str
    date: str
    matching: str
    questions: int


def find_answers(places: Iterable[Path], cache: Path | None = None) -> list[tuple[Source, pa.Table]]:
    """Read the answers in folders and files.

    Args:
        places: output folders of lmms-eval or of ``physprobe simulate``, results files, Parquet files.
        cache: see :func:`physprobe.analysis.conversion.read_samples`.

    Returns:
        For each model's run of each task of conservationbench its source, and its columns (schema
        :data:`~physprobe.analysis.schema.ANSWERS`), ordered by path and task.

    Raises:
        UserError: a place does not exist or holds no answers; samples are missing.
    """
    found: dict[tuple[Path, str], tuple[Source, pa.Table]] = {}
    for place in places:
        files = tqdm(_files(place), desc="Reading answers", disable=None, leave=False)
        here = [each for file in files for each in _read(file, cache)]
        if not here:
            raise UserError(
                f"{place} holds no answers to conservationbench: give an --output_path of lmms-eval "
                "(evaluated with --log_samples) or a folder made by physprobe simulate"
            )
        found.update(
            {
                (source.path.resolve(), f"{source.model}/{source.task}"): (source, table)
                for source, table in here
            }
        )
    return [found[key] for key in sorted(found)]


def _files(place: Path) -> list[Path]:
    if not place.exists():
        raise UserError(f"{place} does not exist: give an --output_path of lmms-eval")
    if place.is_file():
        return [place]
    files = [*place.rglob(f"*{_RESULTS}"), *place.rglob("*.parquet")]
    return sorted(file for file in files if CACHE_FOLDER not in file.parts)


def _read(file: Path, cache: Path | None) -> Iterator[tuple[Source, pa.Table]]:
    return _from_parquet(file) if file.suffix == ".parquet" else _from_results(file, cache)


def _from_results(file: Path, cache: Path | None) -> Iterator[tuple[Source, pa.Table]]:
    run = load_run(file)
    saved = json.loads(file.read_text(encoding="utf-8"))
    ours = saved.get("physprobe", {}).get("conservation", {})
    for task in saved.get("configs", saved["results"]):
        if not any(name.partition(",")[0] == RECORD for name in saved["results"].get(task, {})):
            continue
        path = file.with_name(file.name.replace(_RESULTS, f"_samples_{task}.jsonl"))
        if not path.is_file():
            raise UserError(f"{path} is missing: evaluate with --log_samples")
        table = read_samples(path, cache)
        source = Source(
            path=path,
            model=run.model,
            task=task,
            task_version=str(saved["versions"].get(task, "")),
            dataset_version=str(ours.get("dataset", {}).get("version", "")),
            date=run.date,
            matching=run.matching,
            questions=len(table),
        )
        yield source, _with_origin(table, source)


def _with_origin(table: pa.Table, source: Source) -> pa.Table:
    columns = [_repeated(getattr(source, name), len(table)) for name in ORIGIN]
    return pa.table([*columns, *table.columns], schema=ANSWERS)


def _repeated(word: str, count: int) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.repeat(pa.scalar(0, pa.int32()), count), [word])


def _from_parquet(file: Path) -> Iterator[tuple[Source, pa.Table]]:
    try:
        metadata = pq.read_schema(file).metadata or {}
        if metadata.get(FORMAT_KEY) != FORMAT:
            return
        table = pq.read_table(file).cast(ANSWERS)
    except (OSError, pa.ArrowInvalid, ValueError) as error:
        raise UserError(f"{file} is no file of answers ({str(error).splitlines()[0]})") from error
    names = list(ORIGIN)
    for origin in table.select(names).group_by(names).aggregate([]).to_pylist():
        chosen = [pc.equal(table[name], origin[name]) for name in names]
        part = table.filter(pc.and_(pc.and_(chosen[0], chosen[1]), pc.and_(chosen[2], chosen[3])))
        yield Source(path=file, **origin, date="", matching="", questions=len(part)), part
