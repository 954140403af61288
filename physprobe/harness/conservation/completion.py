"""What is done with lmms-eval's results before they are saved: second readers, then scores by every factor.

All answers of a run that the templates left unread go to the judges in one batch (paper Appendix F). This
happens once lmms-eval has finished, so that no other process of the run waits for judges.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from physprobe.conservation.breakdown import FACTORS, break_down
from physprobe.conservation.metrics import AnswerRecord
from physprobe.errors import UserError
from physprobe.harness.carriers import Score
from physprobe.harness.conservation.marking import (
    DETAILS,
    JUDGES,
    SCORING,
    Reading,
    collected,
    estimates,
    settled,
)
from physprobe.harness.judges import judging_progress
from physprobe.harness.scoring import kept_readings, with_groups
from physprobe.harness.unreadable import unreadable
from physprobe.judging.hybrid import Answer, HybridMatch, HybridMatcher, HybridResult
from physprobe.statistics.estimates import as_json

CARRIER = "rate_unread"  # a metric whose readings are complete

Readings = dict[str, tuple[Reading, ...]]
Second = Mapping[tuple[str, str], HybridMatch]  # by task and question


def complete(results: dict[str, Any]) -> dict[str, Any]:
    """Have unread answers judged, put the outcome into scores and samples, and break the scores down.

    Args:
        results: as lmms-eval's ``simple_evaluate`` returns them; changed in place.

    Returns:
        For the results file: "matching" (who read the answers, how many remain unread; "incomplete" says what
        went wrong when judges could not be asked), and what :func:`summary` returns. Empty when no task of
        the benchmark was scored.
    """
    readings = kept_readings(results, CARRIER, Reading)
    if not readings:
        return {}
    second, matching = _second_stage(readings)
    readings = {task: tuple(_reread(task, r, second) for r in found) for task, found in readings.items()}
    if second:
        _rescore(results, with_groups(results, readings))
        _remark(results.get("samples") or {}, second)
    return {"matching": matching, **summary(results, readings)}


def summary(
    results: Mapping[str, Any], readings: Readings, unreadable_above: float | None = None
) -> dict[str, Any]:
    """Score answers by every factor, and say whether too many are unread.

    Args:
        results: with the groups. readings: by task, no groups. unreadable_above: default: the setting.

    Returns:
        "scores" (task or group -> "all" and each factor -> level -> score -> value, low, high, n) and
        "unreadable", see :func:`physprobe.harness.unreadable.unreadable`.
    """
    unread = [reading.record.relation is None for found in readings.values() for reading in found]
    everything = with_groups(results, readings)
    return {
        "scores": {task: breakdown(found) for task, found in everything.items()},
        "unreadable": unreadable(unread, unreadable_above),
    }


def breakdown(readings: Sequence[Reading]) -> dict[str, Any]:
    """Score some answers as a whole and by each factor, each score with its interval."""
    records = [reading.record for reading in readings]
    (everything,) = break_down(records, ()).values()
    by_factor = {
        factor: {level: _plain(part) for (level,), part in break_down(records, (factor,)).items()}
        for factor in FACTORS
    }
    return {"all": _plain(everything), **by_factor}


def _second_stage(readings: Readings) -> tuple[Second, dict[str, Any]]:
    """Ask about all unread answers at once; also return what the results file says about the matching."""
    answered = [(task, reading) for task, found in readings.items() for reading in found]
    read = [_template_match(*each) for each in answered if each[1].details is None]
    unread = [each for each in answered if each[1].details is not None]
    try:
        with judging_progress() as progress:
            judged = HybridMatcher.from_environment().match([_question(*each) for each in unread], progress)
    except UserError as error:  # the evaluation may have taken days: keep what the templates read
        left = [_template_match(*each) for each in unread]
        failure = f"{len(left)} of {len(answered)} answers remain unread: {error}"
        return {}, {**HybridResult((*read, *left), None).summary(), "incomplete": failure}
    keys = [(task, reading.record.question_id) for task, reading in unread]
    second = {key: match for key, match in zip(keys, judged.matches, strict=True) if match.panel is not None}
    everything = HybridResult((*read, *judged.matches), judged.panel)
    return second, {**everything.summary(), **_complaint(everything)}


def _template_match(task: str, reading: Reading) -> HybridMatch:
    return HybridMatch(_name(task, reading), reading.letter, reading.rule, reading.rule)


def _question(task: str, reading: Reading) -> Answer:
    assert reading.details is not None, "only unread answers are asked about"
    return Answer(_name(task, reading), reading.text, tuple(reading.details["options"]))


def _name(task: str, reading: Reading) -> str:
    return f"{task}/{reading.record.question_id}"


def _complaint(result: HybridResult) -> dict[str, str]:
    try:
        result.require_complete()
    except UserError as error:
        return {"incomplete": str(error)}
    return {}


def _reread(task: str, reading: Reading, second: Second) -> Reading:
    match = second.get((task, reading.record.question_id))
    if match is None or reading.details is None:
        return reading
    return Reading.of(settled(reading.details, match.letter, match.rule), reading.text)


def _rescore(results: Mapping[str, Any], readings: Readings) -> None:
    for table in (results["results"], results.get("groups", {})):
        for name, row in table.items():
            for metric, value in row.items():
                if isinstance(value, Score) and name in readings:
                    row[metric] = SCORING.score_of(value.metric, readings[name])


def _remark(samples: Mapping[str, Sequence[dict[str, Any]]], second: Second) -> None:
    """Bring the judges' verdicts into the records that the samples files hold."""
    for task, answered in samples.items():
        for sample in answered:
            details = sample.get(DETAILS)
            if isinstance(details, dict) and (task, details["question_id"]) in second:
                match = second[task, details["question_id"]]
                judged = {**settled(details, match.letter, match.rule), JUDGES: _verdicts(match)}
                sample.update(collected(judged, ""))


def _verdicts(match: HybridMatch) -> dict[str, str]:
    """Return what each judge said, or why it said nothing."""
    votes = match.panel.verdicts if match.panel else ()
    return {vote.judge: vote.verdict or vote.reason for vote in votes}


def _plain(records: Sequence[AnswerRecord]) -> dict[str, Any]:
    return as_json(estimates(tuple(records)))
