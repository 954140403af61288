"""Whether every clip is asked about in every way, and with the same frames in each prompt style."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from builders.conservation.rows import ASKED
from builders.conservation.schema import COMPUTED, QUESTIONS, STATIC
from physprobe.conservation.prompts import STATIC_QUESTIONS
from physprobe.conservation.vocabulary import PROMPT_STYLES

Row = Mapping[str, Any]

_Cell = tuple[str, int, str]  # prompt style, frame count, extraction


def missing_questions(questions: Sequence[Row], video_ids: Collection[str]) -> Iterator[str]:
    """Name what is not asked about a clip.

    Frames that are computed are there for every clip. Those that somebody chose are there for some, but then
    in every prompt style.
    """
    asked: dict[str, set[_Cell]] = defaultdict(set)
    for row in questions:
        asked[row["video_id"]].add((row["prompt_style"], row["frame_count"], row["extraction"]))
    there = {extraction for cells in asked.values() for *_, extraction in cells}
    for absent in set(COMPUTED) - there:
        yield f"{QUESTIONS.name}: no rows of extraction {absent}"
    computed = {(style, count, e) for style, count in ASKED for e in COMPUTED if e in there}
    for video_id in video_ids:
        chosen = {(count, e) for _, count, e in asked[video_id] if e not in COMPUTED}
        wanted = computed | {(style, count, e) for style in PROMPT_STYLES for count, e in chosen}
        for style, count, extraction in sorted(wanted - asked[video_id]):
            yield f"video {video_id}: no question for {style}, {count} frames, {extraction}"


def inconsistent_frames(questions: Sequence[Row]) -> Iterator[str]:
    """Name clips whose frames depend on the prompt style: a style would be compared on other frames."""
    shown: dict[tuple[str, str, int], set[tuple[int, ...]]] = defaultdict(set)
    for row in questions:
        key = (row["video_id"], row["extraction"], row["frame_count"])
        shown[key].add(tuple(row["frame_indices"]))
    for (video_id, extraction, count), choices in shown.items():
        if len(choices) > 1:
            yield f"video {video_id}: {count} frames by {extraction} differ between prompt styles"


def missing_static(static: Sequence[Row], domains: Mapping[str, str]) -> Iterator[str]:
    """Name clips that lack their static question. ``domains``: video_id -> domain."""
    asked = {row["video_id"] for row in static}
    for video_id, domain in domains.items():
        if domain in STATIC_QUESTIONS and video_id not in asked:
            yield f"video {video_id}: no question in {STATIC.name}"
