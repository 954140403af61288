"""Every answer, again from the record by other means; and what makes questions fair."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from generation.quantiphy.evidence import Evidence
from generation.quantiphy.priors import GIVEN_BIAS, across
from generation.quantiphy.questions import Question, write_questions
from generation.quantiphy.records import EntityState, Happening
from generation.quantiphy.targets import ASKED_BIAS
from generation.quantiphy.wording import distance_name
from tests.support.trivial_worlds import record

IDS = (
    "S2SX_000",
    "S2MC_001",
    "V2MS_003",
    "A2SS_002",
    "S3SX_000",
    "S3MC_002",
    "V3MX_001",
    "A3SS_001",
)
SCALES = {"m": 1, "cm": 100, "mm": 1000, "m/s": 1, "cm/s": 100, "m/s^2": 1, "cm/s^2": 100}


def _all() -> list[tuple[Happening, Question]]:
    return [(record(name), question) for name in IDS for question in write_questions(record(name))]


def _states(clip: Happening, question: Question) -> list[list[EntityState]]:
    """States of the named things at the named times; the times found in the text."""
    names = sorted((e.name, k) for k, e in enumerate(clip.entities))
    text = question.question
    order = sorted((text.index(name), k) for name, k in names if re.search(rf"\b{name}\b", text))
    frames = [round(float(t) * clip.fps, 6) for t in re.findall(r"([\d.]+) s\b", text)]
    assert all(frame.is_integer() for frame in frames)
    return [[clip.frames[int(frame)].entities[k] for frame in frames] for _, k in order]


def _gap(one: EntityState, other: EntityState, field: str = "position") -> float:
    return math.dist(getattr(one, field), getattr(other, field))


def _again(clip: Happening, question: Question) -> float:
    """Answer in SI from what the text says."""
    text = question.question
    states = _states(clip, question)
    times = [float(t) for t in re.findall(r"([\d.]+) s\b", text)]
    if "distance between" in text or "how far" in text:
        return _gap(states[0][0], states[1][0])
    if "displacement" in text:
        return _gap(*states[0])
    if "average acceleration" in text:
        return _gap(*states[0], "velocity") / (times[1] - times[0])
    if "average" in text:
        return _gap(*states[0]) / (times[1] - times[0])
    if "horizontal" in text:
        return math.hypot(*states[0][0].velocity[:2])
    if "acceleration" in text:
        return math.hypot(*states[0][0].acceleration)
    if "speed" in text or "velocity" in text:
        return math.hypot(*states[0][0].velocity)
    found = re.fullmatch(r"What is the (.+) of the (.+) in \w+\?", text)
    assert found
    (info,) = (e for e in clip.entities if e.name == found[2])
    return info.measures[found[1]]


def test_every_answer_follows_from_the_record() -> None:
    asked = _all()
    assert len({question.quantity for _, question in asked}) >= 7
    for clip, question in asked:
        expected = _again(clip, question) * SCALES[question.unit]
        assert question.ground_truth_posterior == pytest.approx(expected, rel=6e-4), question.question
        assert question.value == pytest.approx(_again(clip, question), rel=1e-12)


def test_average_speed_is_way_over_time() -> None:
    """Along a straight way without turning back, the summed steps between frames are the displacement."""
    for clip, question in _all():
        if question.quantity == "average_speed":
            first, last = (round(t * clip.fps) for t in question.times)
            k = [e.entity_id for e in clip.entities].index(question.entities[0])
            places = np.array([frame.entities[k].position for frame in clip.frames[first : last + 1]])
            way = np.linalg.norm(np.diff(places, axis=0), axis=1).sum()
            assert question.value == pytest.approx(way / (last - first) * clip.fps, rel=1e-9)


def test_questions_name_unit_time_and_instantaneous_or_average() -> None:
    for _, question in _all():
        unit = {"m": "meters"}.get(question.unit, question.unit)
        assert re.search(rf"in {re.escape(unit)}\?$", question.question), question.question
        if question.inference_type[1] == "D":
            assert ("instantaneous" in question.question) != ("average" in question.question)
        assert len(re.findall(r"[\d.]+ s\b", question.question)) == len(question.times)
        assert bool(question.times) == (question.quantity != "size")


def test_codes_and_counts_are_as_planned() -> None:
    for name in IDS:
        clip, questions = record(name), write_questions(record(name))
        first = "S" if name[0] == "S" else "D"
        codes = [question.inference_type for question in questions]
        assert codes == [first + "S"] * clip.static_questions + [first + "D"] * clip.dynamic_questions
        assert {question.category for question in questions} == {first + name[1]}
        assert len({question.question_id for question in questions}) == len(questions)
        assert len({question.question for question in questions}) == len(questions)


def test_answers_are_not_near_zero_and_have_enough_digits() -> None:
    for clip, question in _all():
        assert question.ground_truth_posterior > 0
        assert float(f"{question.ground_truth_posterior:.4g}") == question.ground_truth_posterior
        if question.quantity in ("speed", "acceleration"):
            k = [e.entity_id for e in clip.entities].index(question.entities[0])
            field = "velocity" if question.quantity == "speed" else question.quantity
            fastest = max(math.hypot(*getattr(frame.entities[k], field)) for frame in clip.frames)
            if not clip.entities[k].events:  # contacts push far harder
                assert question.value >= 0.2 * fastest


def test_the_prior_is_true_of_the_record_and_not_asked() -> None:
    for clip, question in _all():
        told = float(re.findall(r"= ([\d.]+) ", question.prior)[0]) / SCALES[question.prior_unit]
        assert question.prior.endswith(f" {question.prior_unit}")
        k = [e.entity_id for e in clip.entities].index(question.prior_entity)
        if question.prior_quantity == "size":
            assert clip.entities[k].measures[question.prior_measure] == pytest.approx(told, rel=1e-4)
            assert question.prior_measure in question.prior
            assert (question.entities, question.measure) != ((question.prior_entity,), question.prior_measure)
        else:
            field = "velocity" if question.prior_quantity == "speed" else "acceleration"
            frames = clip.frames
            if question.prior_time is not None:
                frames = (frames[round(question.prior_time * clip.fps)],)
                assert f" at {question.prior_time:g}" in question.prior.replace(".0 s", " s")
            sizes = [math.hypot(*getattr(frame.entities[k], field)) for frame in frames]
            assert np.median(sizes) == pytest.approx(told, rel=1e-4)
        assert "gravity" in question.prior or clip.entities[k].name in question.prior


def test_depth_information_holds_and_covers_prior_and_target() -> None:
    for clip, question in _all():
        if question.category[1] == "2":
            assert question.depth_info == ""
            continue
        lines = question.depth_info.splitlines()
        assert len(set(lines)) == len(lines)
        told: dict[str, int] = {}
        for line in lines:
            found = re.fullmatch(r"(?:t=([\d.]+)s, )?distance_(\w+)_camera = ([\d.]+) m", line)
            assert found, line
            name = found[2].replace("_", " ")
            (k,) = (k for k, e in enumerate(clip.entities) if e.name == name)
            frame = round(float(found[1] or 0) * clip.fps)
            assert float(found[3]) == pytest.approx(clip.frames[frame].entities[k].distance, abs=6e-5)
            told[clip.entities[k].entity_id] = told.get(clip.entities[k].entity_id, 0) + 1
            if not found[1]:
                assert len({f.entities[k].position for f in clip.frames}) == 1
        assert set(told) == {question.prior_entity, *question.entities}


def _told_frames(clip: Happening, question: Question, entity: int) -> set[int]:
    name = distance_name(clip.entities[entity].name)
    times = re.findall(rf"^t=([\d.]+)s, {name} ", question.depth_info, re.MULTILINE)
    return {round(float(time) * clip.fps) for time in times}


def test_the_size_of_a_moving_thing_shows_where_its_distance_is_told() -> None:
    checked = 0
    for clip, question in _all():
        evidence = Evidence(clip)
        sizes = [(question.entities[0], question.measure, ASKED_BIAS)] if question.quantity == "size" else []
        if question.prior_quantity == "size":
            sizes.append((question.prior_entity, question.prior_measure, GIVEN_BIAS))
        for entity_id, measure, bias in sizes:
            k = [e.entity_id for e in clip.entities].index(entity_id)
            if evidence.is_3d and evidence.moves(k):
                readable = set(evidence.size_frames(k, measure, bias[True]))
                assert readable & _told_frames(clip, question, k)
                checked += 1
    assert checked


def test_distances_are_told_around_where_a_speed_is_given() -> None:
    checked = 0
    for clip, question in _all():
        if question.category[1] == "3" and question.prior_quantity != "size":
            k = [e.entity_id for e in clip.entities].index(question.prior_entity)
            told = _told_frames(clip, question, k)
            middles = [m for m in told if {m - 6, m - 3, m + 3, m + 6} <= told]
            evidence, quantity = Evidence(clip), question.prior_quantity
            assert max(across(evidence, k, m, quantity) for m in middles) > 0.4
            checked += 1
    assert checked


def test_what_is_named_shows_at_the_named_times() -> None:
    for clip, question in _all():
        order = [e.entity_id for e in clip.entities]
        for time in question.times:
            frame = clip.frames[round(time * clip.fps)]
            for entity in question.entities:
                state = frame.entities[order.index(entity)]
                assert state.visibility > 0.9
                assert min(state.box) > 0
                assert max(state.box) < 1


def _hidden(clip: Happening, entity: int, frames: range) -> Happening:
    """The same clip with a thing hidden in some frames."""
    changed = []
    for frame in clip.frames:
        states = list(frame.entities)
        if frame.index in frames:
            states[entity] = states[entity].model_copy(update={"visibility": 0.4})
        changed.append(frame.model_copy(update={"entities": tuple(states)}))
    return clip.model_copy(update={"frames": tuple(changed)})


def test_nothing_is_asked_about_what_is_hidden() -> None:
    clip = record("S2MC_001")
    questions = write_questions(clip)
    for k in range(len(clip.entities)):
        if clip.entities[k].entity_id == questions[0].prior_entity:
            continue
        late = write_questions(_hidden(clip, k, range(12, clip.num_frames)))
        asked = [q for q in late if clip.entities[k].entity_id in q.entities]
        assert all(time * clip.fps < 12 for question in asked for time in question.times)
        never = write_questions(_hidden(clip, k, range(clip.num_frames)))
        assert all(clip.entities[k].entity_id not in (*q.entities, q.prior_entity) for q in never)


def test_without_anything_to_give_it_refuses() -> None:
    clip = record("S2SX_000")
    with pytest.raises(ValueError, match="S2SX_000"):
        write_questions(_hidden(clip, 0, range(clip.num_frames)))


def test_questions_repeat_and_depend_on_the_seed() -> None:
    clip = record("S2MC_001")
    assert write_questions(clip) == write_questions(clip)
    assert write_questions(clip) != write_questions(clip.model_copy(update={"seed": 5}))


def test_velocities_are_not_asked_near_jumps() -> None:
    clip = record("A2SS_002")
    events = tuple(k / clip.fps for k in range(clip.num_frames) if k % 12 < 6)
    bumpy = clip.model_copy(
        update={"entities": tuple(e.model_copy(update={"events": events}) for e in clip.entities)}
    )
    for question in write_questions(bumpy):
        if question.quantity in ("speed", "acceleration", "horizontal_speed", "average_acceleration"):
            assert min(abs(t - event) for t in question.times for event in events) >= 0.1
