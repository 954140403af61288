"""What must hold in conservationbench beyond the schema."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from builders.conservation.balance import balance_lines, balance_problems
from builders.conservation.schema import QUESTIONS, VIDEOS, question_id
from physprobe.conservation.frames import uniform_indices
from physprobe.conservation.prompts import option_text, question_text
from physprobe.conservation.vocabulary import (
    CONDITIONS,
    DOMAINS,
    EXTRACTIONS,
    FRAME_COUNTS,
    LETTERS,
    PROMPT_STYLES,
    RELATIONS,
    TRANSFORMATION,
)
from physprobe.errors import UserError
from physprobe.video import inspect_video

Row = Mapping[str, Any]

_UNITS = {"number": "count", "length": "m", "volume": "m^3", "size": "m^3"}

# Lengths come out of a few floating-point operations on metres.
_RELATIVE = 1e-9

_QUESTION_VALUES: dict[str, Sequence[object]] = {
    "domain": DOMAINS,
    "condition": CONDITIONS,
    "prompt_style": PROMPT_STYLES,
    "frame_count": FRAME_COUNTS,
    "extraction": EXTRACTIONS,
    "answer": LETTERS,
    "answer_relation": RELATIONS,
}
_VIDEO_VALUES: dict[str, Sequence[object]] = {"domain": DOMAINS, "condition": CONDITIONS}


@dataclass(frozen=True)
class _Video:
    """What questions need to know of a clip; ``relation`` is "" when its quantities make no sense."""

    pair_id: str
    domain: str
    condition: str
    num_frames: int
    moved_position: str
    relation: str


class ConservationChecker:
    """Checks rows one by one, then references, twins and balance."""

    def __init__(self, complete: bool) -> None:
        """Start checking; a dataset that is not ``complete`` can't always be balanced to within one."""
        self._tolerance = 1 if complete else 2
        self._videos: dict[str, _Video] = {}
        self._questions: list[Row] = []
        self._frames = 0
        self._seeds: set[int] = set()

    def visit(self, config: str, row: Row) -> Iterator[str]:
        """Take in a row that fits the schema and holds no nulls; yield what is wrong with it."""
        visitors: dict[str, Callable[[Row], Iterator[str]]] = {
            QUESTIONS.name: self._visit_question,
            VIDEOS.name: self._visit_video,
        }
        return visitors[config](row)

    def finish(self) -> Iterator[str]:
        """Yield what is wrong across rows and configs."""
        for row in self._questions if self._videos else ():  # no clips at all was told already
            video = self._videos.get(row["video_id"])
            if video is None:
                yield f"question {row['question_id']}: its video {row['video_id']} is not in {VIDEOS.name}"
                continue
            for problem in _question_against_video(row, video):
                yield f"question {row['question_id']}: {problem}"
        yield from self._missing_twins()
        yield from self._missing_questions()
        if len(self._seeds) > 1:
            yield f"{VIDEOS.name}: clips of different seeds: {sorted(self._seeds)}"
        yield from balance_problems(self._questions, self._tolerance)

    def summary(self) -> list[str]:
        """Say in a few lines what was looked at."""
        lines = [f"{len(self._videos)} clips, {self._frames} frames decoded"]
        for line in balance_lines(self._questions):
            letters = ", ".join(f"{letter} {_range(counts)}" for letter, counts in line.letters.items())
            lines.append(
                f"{line.domain} {line.condition}: {line.cells} cells of {_range(line.questions)} questions; "
                f"each option order {_range(line.orders)} times; right letters {letters}"
            )
        return lines

    def _visit_video(self, row: Row) -> Iterator[str]:
        problems = [*_foreign_values(row, _VIDEO_VALUES)]
        relation, wrong = _relation(row)
        problems += wrong
        parameters = _parameters(row)
        if parameters is None:
            problems.append("parameters are not a JSON object")
        if row["video_id"] != f"{row['pair_id']}_{row['condition']}":
            problems.append(f"its id is not pair_id {row['pair_id']} + _ + condition {row['condition']}")
        if row["video"]["path"] != f"{row['video_id']}.mp4":
            problems.append(f"video.path is {row['video']['path']!r}")
        problems += self._media_problems(row)
        self._seeds.add(row["seed"])
        self._videos[row["video_id"]] = _Video(
            row["pair_id"],
            row["domain"],
            row["condition"],
            row["num_frames"],
            str((parameters or {}).get("moved_position", "")),
            relation,
        )
        return (f"video {row['video_id']}: {problem}" for problem in problems)

    def _media_problems(self, row: Row) -> Iterator[str]:
        try:
            info = inspect_video(row["video"]["bytes"])
        except UserError as error:
            yield f"{row['video']['path']}: {error}"
            return
        self._frames += info.num_frames
        if info.num_frames != row["num_frames"]:
            yield f"the file has {info.num_frames} frames, num_frames is {row['num_frames']}"
        if info.fps != row["fps"]:
            yield f"the file runs at {info.fps} frames per second, fps is {row['fps']}"

    def _visit_question(self, row: Row) -> Iterator[str]:
        self._questions.append(row)
        where = f"question {row['question_id']}"
        foreign = [*_foreign_values(row, _QUESTION_VALUES)]
        for problem in foreign or _question_problems(row):
            yield f"{where}: {problem}"

    def _missing_twins(self) -> Iterator[str]:
        conditions: dict[str, set[str]] = defaultdict(set)
        for video in self._videos.values():
            conditions[video.pair_id].add(video.condition)
        for pair_id, found in conditions.items():
            for condition in CONDITIONS:
                if condition not in found:
                    yield f"pair {pair_id}: its {condition} clip is missing"

    def _missing_questions(self) -> Iterator[str]:
        asked: dict[str, Counter[tuple[str, int, str]]] = defaultdict(Counter)
        for row in self._questions:
            asked[row["video_id"]][row["prompt_style"], row["frame_count"], row["extraction"]] += 1
        wanted = {cell for cells in asked.values() for cell in cells}
        for video_id in self._videos:
            for style, count, extraction in sorted(wanted - asked[video_id].keys()):
                yield f"video {video_id}: no question for {style}, {count} frames, {extraction}"


def _foreign_values(row: Row, allowed: Mapping[str, Sequence[object]]) -> Iterator[str]:
    for name, values in allowed.items():
        if row[name] not in values:
            yield f"{name} is {row[name]!r}, not one of {', '.join(map(str, values))}"


def _question_problems(row: Row) -> Iterator[str]:
    expected_id = question_id(row["video_id"], row["prompt_style"], row["frame_count"], row["extraction"])
    if row["question_id"] != expected_id:
        yield f"its id should be {expected_id}"
    if row["transformation"] != TRANSFORMATION[row["domain"]]:
        yield f"transformation is {row['transformation']!r} for {row['domain']}"
    if (row["condition"] == "conserving") != (row["answer_relation"] == "same"):
        yield f"answer_relation is {row['answer_relation']} in a {row['condition']} clip"
    options = row["options"]
    if len(options) != len(LETTERS) or len(set(options)) != len(LETTERS):
        yield f"options are not {len(LETTERS)} different texts: {options}"
    elif row["question"] != _worded(row):
        yield "the question's text is not what this version asks with these options"
    indices = row["frame_indices"]
    if len(indices) != row["frame_count"]:
        yield f"frame_indices has {len(indices)} entries, frame_count is {row['frame_count']}"
    if any(later <= earlier for earlier, later in pairwise(indices)):
        yield f"frame_indices are not increasing: {indices}"


def _worded(row: Row) -> str:
    try:
        return question_text(row["domain"], row["prompt_style"], row["options"])
    except UserError:  # a domain without wording
        return ""


def _question_against_video(row: Row, video: _Video) -> Iterator[str]:
    for name in ("pair_id", "domain", "condition"):
        if row[name] != getattr(video, name):
            yield f"{name} is {row[name]}, its video's is {getattr(video, name)}"
    if video.relation and row["answer_relation"] != video.relation:
        yield f"answer_relation is {row['answer_relation']}, but the quantities say {video.relation}"
    yield from _frame_problems(row, video.num_frames)
    yield from _answer_problems(row, video.moved_position)


def _frame_problems(row: Row, num_frames: int) -> Iterator[str]:
    indices = row["frame_indices"]
    if not indices or (indices[0], indices[-1]) != (0, num_frames - 1):
        yield f"frame_indices must run from 0 to {num_frames - 1}: {indices}"
    elif row["extraction"] == "uniform" and not _is_uniform(indices, num_frames):
        yield f"frame_indices are not uniform: {indices}"


def _is_uniform(indices: Sequence[int], num_frames: int) -> bool:
    return 2 <= len(indices) <= num_frames and tuple(indices) == uniform_indices(num_frames, len(indices))


def _answer_problems(row: Row, moved_position: str) -> Iterator[str]:
    try:
        claims = [option_text(row["domain"], relation, moved_position) for relation in RELATIONS]
        right = option_text(row["domain"], row["answer_relation"], moved_position)
    except UserError as error:
        yield f"its options can't be worded: {error}"
        return
    if sorted(row["options"]) != sorted(claims):
        yield f"options are {row['options']}, not {claims} in some order"
    elif row["answer"] in LETTERS:
        chosen = row["options"][LETTERS.index(row["answer"])]
        if chosen != right:
            yield f"answer {row['answer']} is {chosen!r}, true is {right!r}"


def _relation(row: Row) -> tuple[str, list[str]]:
    """Read the final relation from the quantities; also return what is wrong with them."""
    quantities = row["quantities"]
    moved, reference = np.array(quantities["moved"]), np.array(quantities["reference"])
    if not len(moved) == len(reference) == row["num_frames"] > 0:
        return "", [
            f"quantities have {len(moved)} and {len(reference)} frames, num_frames is {row['num_frames']}"
        ]
    wrong = []
    if quantities["unit"] != _UNITS.get(row["domain"], quantities["unit"]):
        wrong.append(f"quantities are in {quantities['unit']!r}, not in {_UNITS[row['domain']]!r}")
    if not _same(reference, reference[0]):
        wrong.append("the reference quantity changes")
    if not _same(moved[0], reference[0]):
        wrong.append(f"the objects start unequal: {moved[0]} and {reference[0]}")
    if _same(moved[-1], reference[-1]):
        relation = "same"
    else:
        relation = "moved_more" if moved[-1] > reference[-1] else "moved_less"
    if row["condition"] == "conserving" and not _same(moved, moved[0]):
        wrong.append("the moved quantity changes in a conserving clip")
    if row["condition"] == "nonconserving" and relation == "same":
        wrong.append("the final quantities are equal in a nonconserving clip")
    return relation, wrong


def _same(one: Any, other: Any) -> bool:
    return bool(np.isclose(one, other, rtol=_RELATIVE, atol=0).all())


def _parameters(row: Row) -> dict[str, Any] | None:
    try:
        parameters = json.loads(row["parameters"])
    except (ValueError, RecursionError):
        return None
    return parameters if isinstance(parameters, dict) else None


def _range(counts: tuple[int, int]) -> str:
    return str(counts[0]) if counts[0] == counts[1] else f"{counts[0]}-{counts[1]}"
