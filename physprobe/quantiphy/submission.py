"""From the samples that lmms-eval keeps to a prediction CSV, or to a filled submission template."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from physprobe.errors import UserError
from physprobe.quantiphy.answers import PREDICTION_COLUMN, TRUTH_COLUMN
from physprobe.quantiphy.csv_bytes import CsvBytes, scan
from physprobe.quantiphy.questions import asked_of
from physprobe.quantiphy.reading import read_answer

# In a line of our samples files: the metric under which the record of the question is kept.
RECORD = "mra_macro"

# Columns of a prediction file -> where the record has them.
_COLUMNS: Mapping[str, str] = {
    "id": "question_id",
    **{
        name: name for name in ("video_id", "video_source", "video_type", "fps", "inference_type", "question")
    },
    "ground_truth_prior": "prior",
    "depth_info": "depth_info",
    TRUTH_COLUMN: "truth",
    PREDICTION_COLUMN: "prediction",
}
_SHOWN = 20


@dataclass(frozen=True)
class Submission:
    """A file to be submitted.

    Attributes:
        content: its bytes. filled: rows with a prediction. unread: why answers were not read -> ids.
        missing: ids of the template that no sample answers.
    """

    content: bytes
    filled: int
    unread: Mapping[str, Sequence[str]]
    missing: Sequence[str]

    def complaints(self) -> list[str]:
        """Say in one line each what is left blank and why."""
        lines = [
            f"{len(ids)} left blank, unread ({reason}): {_listed(ids)}" for reason, ids in self.unread.items()
        ]
        if self.missing:
            lines.append(f"{len(self.missing)} left blank, no answer in the samples: {_listed(self.missing)}")
        return lines


def sample_files(places: Iterable[Path]) -> list[Path]:
    """Return the samples files in folders and files that a user named.

    Raises:
        UserError: a place does not exist or holds none.
    """
    files: list[Path] = []
    for place in places:
        found = sorted(place.rglob("*_samples_quantiphy*.jsonl")) if place.is_dir() else [place]
        if not place.exists() or not found:
            raise UserError(
                f"{place} holds no samples file (*_samples_quantiphy*.jsonl): run with --log_samples"
            )
        files += found
    return files


def prediction_csv(files: Sequence[Path]) -> Submission:
    """Write the answers of our tasks as a prediction file with the official columns, ordered as sampled.

    Raises:
        UserError: a file is no samples file of a quantiphy task of physprobe, or answers a question twice.
    """
    records = []
    for path, sample in _samples(files):
        record = sample.get(RECORD)
        if not isinstance(record, dict):
            raise UserError(f"{path} was not made by a quantiphy task of physprobe: give its --template")
        records.append(record)
    _refuse_twice(record["question_id"] for record in records)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for record in records:
        writer.writerow([_cell(record.get(key)) for key in _COLUMNS.values()])
    unread = _by_reason((record["question_id"], record["reason"]) for record in records)
    filled = sum(record["prediction"] is not None for record in records)
    return Submission(text.getvalue().encode(), filled, unread, ())


def filled_template(files: Sequence[Path], template: Path) -> Submission:
    """Fill ``parsed_value`` of a submission template, and leave every other byte of it as it is.

    Answers of our tasks are matched by id, and their video and question compared; those of other tasks are
    taken in the order of the template's rows (``doc_id``), and their prompt must hold the row's question.

    Raises:
        UserError: files that can't be read, ids or questions that do not fit, a template that is filled.
    """
    rows = _Template.read(template)
    answers: dict[str, tuple[float | None, str]] = {}
    for path, sample in _samples(files):
        record = sample.get(RECORD)
        if isinstance(record, dict):
            row, answer = rows.row_of(record), (record["prediction"], record["reason"])
        else:
            row = rows.row_at(sample, path)
            answer = _read(sample, rows.question(row))
        name = rows.ids[row]
        if name in answers:
            raise UserError(f"question {name} is answered twice in the samples: give one run")
        answers[name] = answer
    known = {rows.records[name]: repr(value) for name, (value, _) in answers.items() if value is not None}
    content = rows.table.with_fields(rows.columns[PREDICTION_COLUMN], known)
    unread = _by_reason((name, reason) for name, (_, reason) in answers.items())
    return Submission(content, len(known), unread, [name for name in rows.ids if name not in answers])


@dataclass(frozen=True)
class _Template:
    """A submission template: its fields, its columns by name, its ids in order, and each id's record."""

    path: Path
    table: CsvBytes
    columns: Mapping[str, int]
    ids: Sequence[str]
    records: Mapping[str, int]

    @classmethod
    def read(cls, path: Path) -> _Template:
        try:
            table = scan(path.read_bytes(), str(path))
        except OSError as error:
            raise UserError(f"cannot read {path}: {error.strerror or error}") from error
        if len(table.records) < 2:
            raise UserError(f"{path} has no rows: give the challenge's submission template")
        header = [table.field(0, k) for k in range(len(table.records[0]))]
        columns = {name: k for k, name in reversed(list(enumerate(header)))}
        columns.setdefault("id", 0 if header[0] in ("", "Unnamed: 0") else -1)
        missing = [n for n in ("id", "video_id", "question", PREDICTION_COLUMN) if columns.get(n, -1) < 0]
        if missing:
            raise UserError(f"{path} has no column {missing[0]!r}: give the challenge's submission template")
        ids = [table.field(k, columns["id"]).strip() for k in range(1, len(table.records))]
        _refuse_twice(ids)
        made = cls(path, table, columns, ids, {name: k for k, name in enumerate(ids, 1)})
        made._check_blank()
        return made

    def _check_blank(self) -> None:
        column = self.columns[PREDICTION_COLUMN]
        for name, record in self.records.items():
            if len(self.table.records[record]) != len(self.table.records[0]):
                raise UserError(f"{self.path}: the row of id {name} has more or fewer fields than the header")
            if self.table.field(record, column).strip():
                raise UserError(
                    f"{self.path}: {PREDICTION_COLUMN} of id {name} is filled: give a blank template"
                )

    def _text(self, row: int, column: str) -> str:
        return self.table.field(row + 1, self.columns[column])

    def question(self, row: int) -> str:
        return self._text(row, "question")

    def row_of(self, record: Mapping[str, Any]) -> int:
        """Find the row of an answer by id, and check that it is the same question."""
        name = str(record["question_id"])
        if name not in self.records:
            raise UserError(
                f"id {name} of the samples is not in {self.path}: is it the template of this data set?"
            )
        row = self.records[name] - 1
        for column in ("video_id", "question"):
            if not _same(self._text(row, column), str(record[column])):
                raise UserError(
                    f"id {name} is another question in {self.path} than in the samples: its ids were "
                    f"changed; {column} {self._text(row, column)!r}, not {str(record[column])!r}"
                )
        return row

    def row_at(self, sample: Mapping[str, Any], path: Path) -> int:
        """Find the row of another task's answer by number, and check that its prompt holds the question."""
        row, prompt = sample.get("doc_id"), json.dumps(sample.get("input", sample.get("arguments", "")))
        if not isinstance(row, int) or not 0 <= row < len(self.ids):
            raise UserError(f"{path}: doc_id {row!r} is no row of {self.path}, which has {len(self.ids)}")
        if not _same(json.dumps(self.question(row))[1:-1], prompt, inside=True):
            raise UserError(
                f"{path}: the prompt of doc_id {row} does not hold the question of id {self.ids[row]} in "
                f"{self.path}: its rows are in another order"
            )
        return row


def _same(first: str, second: str, inside: bool = False) -> bool:
    first, second = " ".join(first.split()), " ".join(second.split())
    return first in second if inside else first == second


def _samples(files: Sequence[Path]) -> Iterator[tuple[Path, dict[str, Any]]]:
    for path in files:
        try:
            with path.open(encoding="utf-8") as lines:
                for line in filter(str.strip, lines):
                    sample = json.loads(line)
                    if not isinstance(sample, dict):
                        raise ValueError("a line is no JSON object")
                    yield path, sample
        except OSError as error:
            raise UserError(f"cannot read {path}: {error.strerror or error}") from error
        except ValueError as error:
            raise UserError(f"{path} is no samples file of lmms-eval: {error}") from error


def _read(sample: Mapping[str, Any], question: str) -> tuple[float | None, str]:
    answer = sample.get("filtered_resps", sample.get("resps", ""))
    while isinstance(answer, list):
        answer = answer[0] if answer else ""
    reading = read_answer(str(answer), asked_of(question).unit)
    return reading.value, reading.reason


def _refuse_twice(ids: Iterable[str]) -> None:
    twice = [name for name, count in Counter(ids).items() if count > 1]
    if twice:
        raise UserError(
            f"id {twice[0]!r} occurs more than once: give one run, and a template as it was issued"
        )


def _by_reason(read: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    reasons: dict[str, list[str]] = {}
    for name, reason in read:
        if reason:
            reasons.setdefault(reason, []).append(name)
    return reasons


def _cell(value: Any) -> str:
    return "" if value is None else repr(value) if isinstance(value, float) else str(value)


def _listed(ids: Sequence[str]) -> str:
    return ", ".join(ids[:_SHOWN]) + (", ..." if len(ids) > _SHOWN else "")
