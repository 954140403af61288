"""Reads selections files against the clips they speak of, and lists all that is wrong with them."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from builders.selections.line_checks import content_problems
from builders.selections.records import Selection
from physprobe.errors import UserError


@dataclass(frozen=True)
class ClipFacts:
    """What a selection is checked against: seed of the clips, and video_id -> number of frames."""

    seed: int
    num_frames: Mapping[str, int]


@dataclass(frozen=True)
class Line:
    """A line of a file; number counts from 1."""

    file: Path
    number: int
    text: str


class SelectionsError(UserError):
    """Selections files that can't be used; the message lists every problem with its file and line."""

    def __init__(self, problems: Sequence[tuple[Line, str]], files: int) -> None:
        """Word the message from (line, what is wrong with it); line 0 stands for the whole file."""
        self.problems = tuple(problems)
        told = [f"{line.file}, line {line.number}: {problem}" for line, problem in problems]
        where = "the selections file" if files == 1 else f"the {files} selections files"
        count = f"{len(told)} problem{'s' if len(told) > 1 else ''}"
        super().__init__("\n  ".join([f"{count} in {where}; nothing was written", *told]))


def read_selections(files: Sequence[Path], facts: ClipFacts) -> tuple[Selection, ...]:
    """Read and check selections files.

    Args:
        files: JSON Lines as in docs/selections.md; blank lines are skipped.
        facts: about the clips that may be chosen from.

    Returns:
        Every selection, in the order of the files.

    Raises:
        SelectionsError: anything is wrong; all of it is listed.
        UserError: a file can't be read, or was given twice.
    """
    if len({file.resolve() for file in files}) < len(files):
        raise UserError("a selections file is given twice; give each once")
    problems: list[tuple[Line, str]] = []
    found: list[tuple[Line, Selection]] = []
    for line in (line for file in files for line in _lines(file)):
        selection, wrong = parse_line(line.text, facts)
        problems += [(line, problem) for problem in wrong]
        if selection is not None:
            found.append((line, selection))
    problems += _contradictions(found)
    if problems:
        order = {file: rank for rank, file in enumerate(files)}
        problems.sort(key=lambda problem: (order[problem[0].file], problem[0].number))
        raise SelectionsError(problems, len(files))
    return tuple(selection for _, selection in found)


def parse_line(text: str, facts: ClipFacts) -> tuple[Selection | None, list[str]]:
    """Read one line; return its selection (None unless it is well-formed) and all that is wrong with it."""
    try:
        data = json.loads(text, object_pairs_hook=_no_repeats)
    except _RepeatedKey as error:
        return None, [f"field {error.args[0]!r} occurs twice"]
    except (ValueError, RecursionError):
        return None, ["not valid JSON"]
    if not isinstance(data, dict):
        return None, ["not a JSON object"]
    try:
        selection, errors = Selection.model_validate_json(text), []
    except ValidationError as error:
        selection, errors = None, [e for e in error.errors() if not _is_negative_index(e)]
    wrong = {str(error["loc"][0]) for error in errors}
    sound = {name: value for name, value in data.items() if name not in wrong}
    problems = [*map(_worded, errors), *content_problems(sound, facts.seed, facts.num_frames)]
    return selection, problems


class _RepeatedKey(ValueError):
    pass


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for name, value in pairs:
        if name in data:
            raise _RepeatedKey(name)
        data[name] = value
    return data


def _is_negative_index(error: Any) -> bool:
    """Tell whether the checks of content will say it better."""
    return error["loc"][0] == "frame_indices" and error["type"] == "greater_than_equal"


def _worded(error: Any) -> str:
    where = ".".join(map(str, error["loc"]))
    if error["type"] == "missing":
        return f"field {where!r} is missing"
    if error["type"] == "extra_forbidden":
        return f"there is no field {where!r}"
    if error["type"] == "string_pattern_mismatch":
        return f"{where} is blank"
    shown = textwrap.shorten(json.dumps(error["input"]), 60, placeholder="...")
    return f"{where} is {shown}: {error['msg'][0].lower()}{error['msg'][1:]}"


def _lines(file: Path) -> Iterable[Line]:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UserError(f"can't read {file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{file} is not UTF-8 text (byte {error.start})") from error
    lines = [Line(file, k, line) for k, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if not lines:
        raise UserError(f"{file} holds no selections")
    return lines


def _contradictions(found: Sequence[tuple[Line, Selection]]) -> list[tuple[Line, str]]:
    """Find lines that repeat or contradict an earlier one."""
    problems: list[tuple[Line, str]] = []
    first: dict[tuple[str, str, str, int], Line] = {}
    model: tuple[Line, str] | None = None
    for line, s in found:
        earlier = first.setdefault((s.extraction, s.selector, s.video_id, s.frame_count), line)
        if earlier is not line:
            problems.append(
                (line, f"{s.selector} chose {s.frame_count} frames of this clip on {_at(earlier)}")
            )
        if s.extraction == "model":
            model = model or (line, s.selector)
            if s.selector != model[1]:
                problems.append((line, f"model {s.selector}, but {_at(model[0])} is by {model[1]}: use one"))
    return problems


def _at(line: Line) -> str:
    return f"line {line.number} of {line.file.name} already"
