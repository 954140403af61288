"""Scores people's answers by the questions that models were asked, and by the readers of their tasks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pyarrow as pa

from physprobe.analysis.conversion import to_columns
from physprobe.analysis.layout import PEOPLE, Layout
from physprobe.analysis.people.forms import as_told
from physprobe.analysis.people.table import Box, People, PersonAnswer, by_participant
from physprobe.analysis.sources import Source, with_origin
from physprobe.errors import UserError

Found = tuple[Source, pa.Table]
Record = dict[str, Any]


def people_answers(layout: Layout, people: People, sources: Sequence[Source]) -> list[Found]:
    """Make people's answers comparable with those of models.

    Args:
        layout: of the benchmark. people: their answers, perhaps also to others.
        sources: of models' answers to the same questions; their samples files say what was asked and what is
            right.

    Returns:
        For each participant and task a source, whose model is "people", and its columns.

    Raises:
        UserError: a question is not among those that models were asked; names the line.
    """
    answers = people.to(layout.name)
    asked = _asked(layout, people, sources, {answer.question_id for answer in answers})
    read = _reader(layout)
    made = []
    for participant, given in by_participant(answers):
        for task in dict.fromkeys(asked[answer.question_id][0].task for answer in given):
            here = [answer for answer in given if asked[answer.question_id][0].task == task]
            records = [read(asked[answer.question_id][1], answer) for answer in here]
            origin = asked[here[0].question_id][0]
            made.append(_source(layout, people.path, participant, origin, records))
    return made


def true_boxes(layout: Layout, people: People, sources: Sequence[Source]) -> dict[str, Box]:
    """Return the true boxes of the questions for which people drew one, where there are such.

    Raises:
        UserError: as :func:`people_answers`.
    """
    drawn = {answer.question_id for answer in people.to(layout.name) if answer.box}
    records = {name: record for name, (_, record) in _asked(layout, people, sources, drawn).items()}
    return {name: tuple(record["box"]) for name, record in records.items() if record.get("box")}


def _asked(
    layout: Layout, people: People, sources: Sequence[Source], wanted: set[str]
) -> dict[str, tuple[Source, Record]]:
    """Find the records of questions, in the first of the tasks that people can be asked."""
    asked: dict[str, tuple[Source, Record]] = {}
    saved = [source for source in sources if source.path.suffix == ".jsonl"]
    for task in layout.asked_of_people:
        for source in (source for source in saved if source.task == task):
            if missing := wanted - set(asked):
                chosen = {name: (source, record) for name, record in _records(layout, source, missing)}
                asked |= chosen
    for answer in people.to(layout.name):
        if answer.question_id in wanted and answer.question_id not in asked:
            raise UserError(
                f"{people.path}, line {answer.line}: question {answer.question_id!r} is in no samples file "
                f"of {', '.join(layout.asked_of_people)} among these results"
            )
    return asked


def _records(layout: Layout, source: Source, wanted: set[str]) -> Iterator[tuple[str, Record]]:
    with source.path.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)[layout.record]
            if record["question_id"] in wanted:
                yield record["question_id"], record


def _reader(layout: Layout) -> Callable[[Mapping[str, Any], PersonAnswer], Record]:
    read_anew = import_module(f"physprobe.harness.{layout.name}.marking").read_anew

    def read(record: Mapping[str, Any], answer: PersonAnswer) -> Record:
        details: Record = read_anew(record, as_told(answer))
        return details

    return read


def _source(layout: Layout, path: Path, participant: str, origin: Source, records: Sequence[Record]) -> Found:
    columns = to_columns(pa.array(records, layout.read), layout, str(path))
    source = Source(
        path=path,
        model=PEOPLE,
        task=origin.task,
        task_version=origin.task_version,
        dataset_version=origin.dataset_version,
        date="",
        matching="",
        questions=len(records),
        participant=participant,
    )
    return source, with_origin(columns, source, layout)
