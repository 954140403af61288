"""Reads a CSV of people's answers; what is wrong in it is said with its line."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from physprobe.analysis.layout import LAYOUTS, layout_of
from physprobe.errors import UserError

COLUMNS = ("participant", "benchmark", "question_id", "answer")
BOX = "box"

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class PersonAnswer:
    """One answer of one person.

    Attributes:
        line: of the CSV, the header's is 1. participant: a code, not a name. benchmark, question_id: what was
            answered. answer: as written or chosen; "" for none. box: x_min, y_min, x_max, y_max as shares of
            width and height; None where none was drawn.
    """

    line: int
    participant: str
    benchmark: str
    question_id: str
    answer: str
    box: Box | None = None


@dataclass(frozen=True)
class People:
    """All answers of a CSV.

    Attributes:
        path: of the file. answers: in its order.
    """

    path: Path
    answers: tuple[PersonAnswer, ...]

    def to(self, benchmark: str) -> tuple[PersonAnswer, ...]:
        """Return the answers to one benchmark."""
        return tuple(answer for answer in self.answers if answer.benchmark == benchmark)


def read_people(path: Path) -> People:
    """Read a CSV of people's answers.

    Args:
        path: a CSV in UTF-8 with the columns of COLUMNS, and perhaps BOX; others are ignored.

    Raises:
        UserError: it can't be read, lacks a column, has no rows, or a row is wrong; names the line.
    """
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = csv.DictReader(file)
            _require(path, rows.fieldnames)
            answers = tuple(_answer(path, rows.line_num, row) for row in rows)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UserError(f"{path} can't be read as a CSV in UTF-8 ({error})") from error
    if not answers:
        raise UserError(f"{path} has a header and no answers")
    _refuse_twice(path, answers)
    return People(path, answers)


def _require(path: Path, names: object) -> None:
    there = list(names) if isinstance(names, list | tuple) else []
    missing = [name for name in COLUMNS if name not in there]
    if missing:
        raise UserError(f"{path} has no column {missing[0]!r}: it needs {', '.join(COLUMNS)}")


def _answer(path: Path, line: int, row: Mapping[str | None, str | None]) -> PersonAnswer:
    told = {name: (row.get(name) or "").strip() for name in (*COLUMNS, BOX)}
    for name in ("participant", "question_id"):
        if not told[name]:
            raise UserError(f"{path}, line {line}: {name} is empty")
    known = [name for name in LAYOUTS if layout_of(name).asked_of_people]
    if told["benchmark"] not in known:
        raise UserError(
            f"{path}, line {line}: benchmark {told['benchmark']!r} must be one of {', '.join(known)}"
        )
    box = told.pop(BOX)
    return PersonAnswer(line, **told, box=_box(path, line, box) if box else None)


def _box(path: Path, line: int, text: str) -> Box:
    try:
        numbers = [float(part) for part in text.replace(",", " ").split()]
    except ValueError:
        numbers = []
    if len(numbers) == 4 and all(math.isfinite(n) and 0 <= n <= 1 for n in numbers):
        x_min, y_min, x_max, y_max = numbers
        if x_min < x_max and y_min < y_max:
            return x_min, y_min, x_max, y_max
    raise UserError(
        f"{path}, line {line}: box {text!r} must be x_min y_min x_max y_max, as shares of width and height"
    )


def _refuse_twice(path: Path, answers: tuple[PersonAnswer, ...]) -> None:
    first: dict[tuple[str, str, str], int] = {}
    for answer in answers:
        key = (answer.participant, answer.benchmark, answer.question_id)
        if key in first:
            raise UserError(
                f"{path}, line {answer.line}: {answer.participant} already answered {answer.question_id} in "
                f"line {first[key]}"
            )
        first[key] = answer.line


def by_participant(answers: tuple[PersonAnswer, ...]) -> Iterator[tuple[str, list[PersonAnswer]]]:
    """Yield each participant with their answers, in the order in which they occur."""
    for name in dict.fromkeys(answer.participant for answer in answers):
        yield name, [answer for answer in answers if answer.participant == name]
