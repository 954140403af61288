"""Questions with their answers, written from a clip's record alone.

One quantity of the clip is given (the prior). Questions ask for others, name unit, time, and whether a value
is instantaneous or an average, and only ask what the pictures show well enough. In 3D, distances from the
camera come with each question (depth info).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

import numpy as np

from generation.core.records import StrictModel
from generation.core.seeds import item_rng
from generation.quantiphy import wording
from generation.quantiphy.design import Prior, category
from generation.quantiphy.evidence import GRID, Evidence
from generation.quantiphy.priors import GIVEN_BIAS, Given, priors
from generation.quantiphy.records import Happening
from generation.quantiphy.targets import ASKED_BIAS, Quantity, Target, targets

# How often each quantity is asked where all can be, close to the official questions.
_WEIGHTS: dict[Quantity, float] = {
    "size": 5.0,
    "distance": 1.0,
    "displacement": 0.8,
    "speed": 3.0,
    "horizontal_speed": 0.5,
    "average_speed": 1.0,
    "average_velocity": 0.5,
    "acceleration": 1.5,
    "average_acceleration": 0.3,
}
# Each further question of a kind about the same things is that much less wanted.
_REPEATED = 0.45
_DEPTH_STEP = 0.5  # s between the distances of a moving thing that are always told
_MOMENTS = (-2 * GRID, -GRID, 0, GRID, 2 * GRID)

TEMPLATES: dict[Quantity, tuple[str, ...]] = {
    "size": ("What is the {measure} of the {a} in {unit}?",),
    "distance": (
        "What is the distance between the centers of the {a} and the {b} at {start} s in {unit}?",
        "At {start} s, how far is the center of the {a} from the center of the {b} in {unit}?",
    ),
    "displacement": (
        "What is the displacement of the {a} between {start} s and {end} s in {unit}?",
        "What is the displacement of the {a} from {start} s to {end} s, in {unit}?",
    ),
    "speed": (
        "What is the instantaneous speed of the {a} at {start} s in {unit}?",
        "What is the magnitude of the instantaneous velocity of the {a} at {start} s in {unit}?",
    ),
    "horizontal_speed": (
        "What is the horizontal component of the instantaneous velocity of the {a} at {start} s in {unit}?",
    ),
    "average_speed": ("What is the average speed of the {a} from {start} s to {end} s in {unit}?",),
    "average_velocity": (
        "What is the magnitude of the average velocity of the {a} from {start} s to {end} s in {unit}?",
    ),
    "acceleration": (
        "What is the magnitude of the instantaneous acceleration of the {a} at {start} s in {unit}?",
    ),
    "average_acceleration": (
        "What is the magnitude of the average acceleration of the {a} from {start} s to {end} s in {unit}?",
    ),
}


class Question(StrictModel):
    """A row of the dataset, and what it was written from.

    Attributes:
        question_id: video_id and a number. video_id, video_source, video_type, fps, inference_type, question,
            prior, depth_info, ground_truth_posterior: as the official columns; the truth in ``unit``.
        category: S2, D2, S3 or D3.
        quantity: what is asked. entities: ids of its things. measure: word of a size, else "".
        times: s, none, one or two. value: SI.
        prior_quantity: "size", "speed" or "acceleration". prior_entity: id. prior_measure: as ``measure``.
        prior_time: s, None if it holds throughout. prior_value: SI, as told. prior_unit: in which it is told.
    """

    question_id: str
    video_id: str
    video_source: str = "simulation"
    video_type: str
    fps: int
    inference_type: str
    category: str
    question: str
    prior: str
    depth_info: str
    ground_truth_posterior: float
    unit: str
    quantity: Quantity
    entities: tuple[str, ...]
    measure: str
    times: tuple[float, ...]
    value: float
    prior_quantity: str
    prior_entity: str
    prior_measure: str
    prior_time: float | None
    prior_value: float
    prior_unit: str


def write_questions(clip: Happening) -> tuple[Question, ...]:
    """Write a clip's questions: as many as planned, or all that can be asked if these are fewer.

    Raises:
        ValueError: nothing can be given.
    """
    rng = item_rng(clip.seed, "quantiphy", clip.video_id, "questions")
    evidence = Evidence(clip)
    possible = priors(evidence, cast(Prior, clip.video_type[0]))
    if not possible:
        raise ValueError(f"{clip.video_id}: no prior of type {clip.video_type[0]} can be measured")
    given = possible[int(rng.integers(len(possible)))]
    unit = wording.draw_unit(rng, given.dimension, given.value)
    askable = [target for target in targets(evidence) if not _is_told(target, given)]
    static = _chosen(rng, [t for t in askable if t.is_static], clip.static_questions)
    dynamic = _chosen(rng, [t for t in askable if not t.is_static], clip.dynamic_questions)
    return tuple(
        _question(rng, evidence, given, unit, target, number)
        for number, target in enumerate((*static, *dynamic))
    )


def _is_told(target: Target, given: Given) -> bool:
    """Whether a target is nothing but the prior, or has its value at another instant."""
    if target.entities != (given.entity,):
        return False
    if target.quantity == "size":
        return target.measure == given.measure
    is_same = given.quantity == target.quantity.replace("average_", "").replace("velocity", "speed")
    return is_same and abs(target.value - given.value) < 0.02 * given.value


def _chosen(rng: np.random.Generator, candidates: list[Target], count: int) -> list[Target]:
    """Choose some targets: usual quantities first, few of a kind, no value twice of the same things."""
    chosen: list[Target] = []
    repeats: dict[tuple[Quantity, tuple[int, ...]], int] = {}
    open_ones = [candidates[k] for k in rng.permutation(len(candidates))]
    luck = rng.random(len(open_ones)).tolist()
    while open_ones and len(chosen) < count:
        ranks = [
            _WEIGHTS[t.quantity] * chance * _REPEATED ** repeats.get((t.quantity, t.entities), 0)
            for t, chance in zip(open_ones, luck, strict=True)
        ]
        best = ranks.index(max(ranks))
        taken = open_ones[best]
        chosen.append(taken)
        key = taken.quantity, taken.entities
        repeats[key] = repeats.get(key, 0) + (taken.quantity != "size")
        left = [k for k, t in enumerate(open_ones) if not _is_alike(t, taken)]
        open_ones, luck = [open_ones[k] for k in left], [luck[k] for k in left]
    return chosen


def _is_alike(one: Target, other: Target) -> bool:
    """Whether two targets are the same, or a number that answers one nearly answers the other."""
    if one.entities != other.entities or one.dimension != other.dimension or one.measure != other.measure:
        return False
    return one.frames == other.frames or abs(one.value - other.value) < 0.03 * other.value


def _question(
    rng: np.random.Generator, clip: Evidence, given: Given, given_unit: str, target: Target, number: int
) -> Question:
    record, infos = clip.clip, clip.entities
    unit = wording.draw_unit(rng, target.dimension, target.value)
    templates = TEMPLATES[target.quantity]
    moments = [wording.moment(clip.time(frame)) for frame in target.frames]
    text = templates[int(rng.integers(len(templates)))].format(
        measure=target.measure,
        a=infos[target.entities[0]].name,
        b=infos[target.entities[-1]].name,
        start=moments[0] if moments else "",
        end=moments[-1] if moments else "",
        unit=wording.in_words(unit),
    )
    code = ("S" if record.video_type[0] == "S" else "D") + ("S" if target.is_static else "D")
    return Question(
        question_id=f"{record.video_id}_q{number:02d}",
        video_id=record.video_id,
        video_type=record.video_type,
        fps=record.fps,
        inference_type=code,
        category=category(record.video_type),
        question=text,
        prior=given.text(clip, given_unit),
        depth_info=depth_info(clip, given, target) if clip.is_3d else "",
        ground_truth_posterior=wording.answer(target.value, unit),
        unit=unit,
        quantity=target.quantity,
        entities=tuple(infos[e].entity_id for e in target.entities),
        measure=target.measure,
        times=tuple(clip.time(frame) for frame in target.frames),
        value=target.value,
        prior_quantity=given.quantity,
        prior_entity=infos[given.entity].entity_id,
        prior_measure=given.measure,
        prior_time=None if given.frame is None else clip.time(given.frame),
        prior_value=float(wording.number(given.value, given_unit)) * wording.FACTORS[given_unit],
        prior_unit=given_unit,
    )


def depth_info(clip: Evidence, given: Given, target: Target) -> str:
    """Return one line a distance from the camera, of the things of prior and target, in the official style.

    A thing that rests has one; of others the distance is told every half second, and around the instants that
    prior and target name; for a size, where it is seen unforeshortened.
    """
    named = {given.entity: [] if given.best is None else [given.best]}
    for entity in target.entities:
        named.setdefault(entity, []).extend(target.frames)
    read = {given.entity: _size_frames(clip, given.entity, given.measure, GIVEN_BIAS)}
    read.setdefault(target.entities[0], []).extend(
        _size_frames(clip, target.entities[0], target.measure, ASKED_BIAS)
    )
    lines: list[str] = []
    for entity, frames in named.items():
        name = wording.distance_name(clip.entities[entity].name)
        if not clip.moves(entity):
            lines.append(f"{name} = {wording.distance(clip.distance[entity, 0])} m")
            continue
        for frame in sorted({*_told_frames(clip, frames), *read.get(entity, ())}):
            time = wording.moment(clip.time(frame))
            lines.append(f"t={time}s, {name} = {wording.distance(clip.distance[entity, frame])} m")
    return "\n".join(lines)


def _size_frames(clip: Evidence, entity: int, measure: str, bias: dict[bool, float]) -> list[int]:
    """Return one of the frames in which a size can be read; none if no size is meant."""
    if not measure:
        return []
    good = [k for k in clip.size_frames(entity, measure, bias[clip.is_3d]) if k % GRID == 0]
    return good[len(good) // 2 : len(good) // 2 + 1]


def _told_frames(clip: Evidence, named: Iterable[int]) -> list[int]:
    step = GRID * round(_DEPTH_STEP * clip.clip.fps / GRID)
    around = {frame + shift for frame in named for shift in _MOMENTS}
    return sorted((set(range(0, clip.clip.num_frames, step)) | around) & set(range(clip.clip.num_frames)))
