"""What must hold in a row of ``questions``, alone and beside the annotations of its clip."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from builders.quantiphy.schema import SEGMENTED
from builders.quantiphy.truth import Track, truth
from physprobe.errors import UserError
from physprobe.quantiphy.codes import BACKGROUNDS, CATEGORIES
from physprobe.quantiphy.geometry.asked import (
    GRAVITY,
    Wanted,
    read_distances,
    read_given,
    read_question,
)
from physprobe.quantiphy.priors import read_prior
from physprobe.quantiphy.questions import asked_of, kind_of
from physprobe.quantiphy.units import SI_UNITS, asked_unit, convert

Row = Mapping[str, Any]

_DIGITS = 4  # significant ones of answers
_ANSWER, _PRIOR, _DEPTH = 6e-4, 6e-5, 6e-5  # relative rounding; depth has 4 decimals besides
_TYPE = re.compile(r"[SVA][23][SM][XSC]")


def question_problems(row: Row) -> Iterator[str]:
    """Yield what is wrong with a row by itself."""
    is_segmented = row["video_id"].endswith(SEGMENTED)
    if not row["question_id"].startswith(row["video_id"] + "_q"):
        yield f"its id doesn't start with its video_id {row['video_id']}"
    if row["video_source"] != ("segmentation" if is_segmented else "simulation"):
        yield f"video_source is {row['video_source']!r}"
    yield from _code_problems(row, is_segmented)
    answer = row["ground_truth_posterior"]
    if not (math.isfinite(answer) and answer > 0):
        yield f"the answer is {answer}"
    elif float(f"{answer:.{_DIGITS}g}") != answer:
        yield f"the answer {answer!r} has more than {_DIGITS} significant digits"
    asked = asked_of(row["question"])
    try:
        if not asked.stated or asked_unit(asked.unit).name != asked_unit(row["unit"]).name:
            yield f"the question doesn't ask for {row['unit']}"
    except UserError as error:
        yield str(error)
    reading = read_prior(row["prior"])
    if reading.reason or len(reading.priors) != 1:
        yield f"the prior {row['prior']!r} is not readable: {reading.reason or 'not one quantity'}"


def answer_problems(row: Row, tracks: Mapping[str, Track]) -> Iterator[str]:
    """Yield where answer, prior or depth info are not what the clip's annotations say.

    Args:
        row: of a question. tracks: of its clip, by the object's name.
    """
    try:
        wanted, (given, value) = read_question(row["question"]), read_given(row["prior"])
        distances = read_distances(row["depth_info"], tracks)
    except UserError as error:
        yield str(error)
        return
    try:
        asked = asked_unit(row["unit"])
        si = asked_unit(SI_UNITS[kind_of(row["unit"])])
        if not _close(convert(row["ground_truth_posterior"], asked, si), truth(tracks, wanted), _ANSWER):
            yield f"the answer is not {truth(tracks, wanted):.6g} {si.name}, as the annotations say"
        if not _close(value, truth(tracks, given), _PRIOR):
            yield f"the prior is not {truth(tracks, given):.6g}, as the annotations say"
        yield from _depth_problems(distances, tracks)
    except (ValueError, UserError) as error:
        yield str(error)
    yield from _depth_needed(row, wanted, given, distances)


def _code_problems(row: Row, is_segmented: bool) -> Iterator[str]:
    video_type, inference = row["video_type"], row["inference_type"]
    if not _TYPE.fullmatch(video_type) or (is_segmented and video_type[3] != BACKGROUNDS[-1]):
        yield f"video_type is {video_type!r}"
        return
    if inference not in ("SS", "SD", "DS", "DD") or (inference[0] == "S") != (video_type[0] == "S"):
        yield f"inference_type is {inference!r} on a video of type {video_type}"
    if row["category"] not in CATEGORIES or row["category"] != inference[:1] + video_type[1]:
        yield f"category is {row['category']!r}, its codes say {inference[:1] + video_type[1]}"
    if row["prior"] and not read_prior(row["prior"]).reason:
        kinds = {"S": "size", "V": "velocity", "A": "acceleration"}
        if read_prior(row["prior"]).priors[0].kind != kinds[video_type[0]]:
            yield f"the prior is no {kinds[video_type[0]]}, as video_type {video_type} says"


def _depth_problems(
    distances: Mapping[str, Mapping[float | None, float]], tracks: Mapping[str, Track]
) -> Iterator[str]:
    for name, known in distances.items():
        track = tracks[name]
        for time, told in known.items():
            right = float(track.distance[0] if time is None else track.at(track.distance, time))
            if not _close(told, right, _DEPTH) and abs(told - right) > 1e-4:
                yield f"depth info tells {told} m for the {name}, the annotations {right:.6g} m"


def _depth_needed(
    row: Row, wanted: Wanted, given: Wanted, distances: Mapping[str, Mapping[float | None, float]]
) -> Iterator[str]:
    is_3d = row["video_type"][1:2] == "3"
    if not is_3d and row["depth_info"]:
        yield "it has depth info in 2D"
    if is_3d:
        for name in {*wanted.things, *given.things} - distances.keys():
            yield f"depth info lacks the {name}"
        if not given.things and not distances:
            yield f"depth info lacks the thing of the prior of {GRAVITY}"


def _close(value: float, right: float, relative: float) -> bool:
    return abs(value - right) <= relative * abs(right)
