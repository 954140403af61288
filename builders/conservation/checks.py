"""What must hold in conservationbench beyond the schema."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any

from builders.conservation.balance import QUESTION_CELL, STATIC_CELL, balance_lines, balance_problems
from builders.conservation.clip_checks import ClipCheck, check_clip
from builders.conservation.completeness import inconsistent_frames, missing_questions, missing_static
from builders.conservation.design_checks import coverage, design_lines, design_problems
from builders.conservation.question_checks import (
    image_sha256,
    question_clip_problems,
    question_problems,
    static_clip_problems,
    static_problems,
)
from builders.conservation.schema import QUESTIONS, STATIC, VIDEOS
from builders.conservation.twin_checks import twin_problems
from builders.folder import Manifest
from physprobe.conservation.vocabulary import CONDITIONS
from physprobe.errors import UserError

Row = Mapping[str, Any]


class ConservationChecker:
    """Checks rows one by one, then references, twins, designs and balance."""

    def __init__(self, manifest: Manifest | None) -> None:
        """Start checking a dataset with this manifest; None if it can't be read."""
        self._manifest = manifest
        self._clips: dict[str, ClipCheck] = {}
        self._questions: list[Row] = []
        self._static: list[Row] = []
        self._images: dict[str, str] = {}  # question_id of a static row -> hash of its pixels

    def visit(self, config: str, split: str, row: Row) -> Iterator[str]:
        """Take in a row that fits the schema and holds no nulls; yield what is wrong with it."""
        visitors: dict[str, Callable[[Row], Iterator[str]]] = {
            QUESTIONS.name: self._visit_question,
            VIDEOS.name: self._visit_video,
            STATIC.name: self._visit_static,
        }
        return visitors[config](row)

    def finish(self) -> Iterator[str]:
        """Yield what is wrong across rows and configs."""
        if self._clips:  # no clips at all was told already
            yield from self._reference_problems()
        yield from self._pair_problems()
        yield from design_problems(self._pairs(), self._manifest)
        domains = {video_id: clip.row["domain"] for video_id, clip in self._clips.items()}
        yield from missing_questions(self._questions, domains)
        yield from inconsistent_frames(self._questions)
        yield from missing_static(self._static, domains)
        seeds = {clip.row["seed"] for clip in self._clips.values()}
        if len(seeds) > 1:
            yield f"{VIDEOS.name}: clips of different seeds: {sorted(seeds)}"
        exact = self._manifest is None or self._manifest.complete
        yield from balance_problems(self._questions, QUESTION_CELL, exact)
        for problem in balance_problems(self._static, STATIC_CELL, exact):
            yield f"{STATIC.name} {problem}"

    def summary(self) -> list[str]:
        """Say in a few lines what was looked at."""
        frames = sum(clip.frames for clip in self._clips.values())
        lines = [
            f"{len(self._clips)} clips, {frames} frames decoded; {len(self._static)} static questions",
            *design_lines(self._pairs()),
        ]
        for line in balance_lines(self._questions, self._static):
            letters = ", ".join(f"{letter} {_range(counts)}" for letter, counts in line.letters.items())
            lines.append(
                f"{line.shown} {line.domain} {line.condition}: {line.cells} cells of "
                f"{_range(line.questions)} questions; each option order {_range(line.orders)} times; "
                f"right letters {letters}"
            )
        return lines

    def coverage(self) -> str:
        """Say how many of the preset's pairs are there."""
        return coverage(self._pairs(), self._manifest)

    def _visit_video(self, row: Row) -> Iterator[str]:
        clip = check_clip(row)
        self._clips[row["video_id"]] = clip
        return (f"video {row['video_id']}: {problem}" for problem in clip.problems)

    def _visit_question(self, row: Row) -> Iterator[str]:
        self._questions.append(row)
        return (f"question {row['question_id']}: {problem}" for problem in question_problems(row))

    def _visit_static(self, row: Row) -> Iterator[str]:
        self._static.append({name: value for name, value in row.items() if name != "image"})
        problems = [*static_problems(row)]
        try:
            self._images[row["question_id"]] = image_sha256(row["image"]["bytes"])
        except UserError as error:
            problems.append(str(error))
        return (f"question {row['question_id']}: {problem}" for problem in problems)

    def _reference_problems(self) -> Iterator[str]:
        for row in chain(self._questions, self._static):
            where = f"question {row['question_id']}"
            clip = self._clips.get(row["video_id"])
            if clip is None:
                yield f"{where}: its video {row['video_id']} is not in {VIDEOS.name}"
                continue
            found = (
                question_clip_problems(row, clip)
                if "frame_indices" in row
                else static_clip_problems(row, self._images.get(row["question_id"], ""), clip)
            )
            yield from (f"{where}: {problem}" for problem in found)

    def _pair_problems(self) -> Iterator[str]:
        pairs: dict[str, dict[str, ClipCheck]] = defaultdict(dict)
        for clip in self._clips.values():
            pairs[clip.row["pair_id"]][clip.row["condition"]] = clip
        for pair_id, twins in pairs.items():
            missing = [condition for condition in CONDITIONS if condition not in twins]
            yield from (f"pair {pair_id}: its {condition} clip is missing" for condition in missing)
            if not missing:
                found = twin_problems(*(twins[condition] for condition in CONDITIONS))
                yield from (f"pair {pair_id}: {problem}" for problem in found)

    def _pairs(self) -> dict[str, ClipCheck]:
        return {clip.row["pair_id"]: clip for clip in self._clips.values()}


def _range(counts: tuple[int, int]) -> str:
    return str(counts[0]) if counts[0] == counts[1] else f"{counts[0]}-{counts[1]}"
