"""What is done around an evaluation: check the questions, then break the scores down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from physprobe.harness.counting import counted
from physprobe.harness.picabench.files import find_questions
from physprobe.harness.picabench.marking import Reading, estimates
from physprobe.harness.scoring import kept_readings, with_groups
from physprobe.harness.undefined import drop_undefined
from physprobe.harness.unreadable import threshold, unreadable
from physprobe.picabench.items import FACTORS
from physprobe.statistics.estimates import as_json

CARRIER = "rate_invalid"  # a metric whose readings are complete


def prepare() -> None:
    """Check what is asked for.

    Raises:
        UserError: PHYSPROBE_UNREADABLE is wrong.
    """
    threshold()


def complete(results: dict[str, Any]) -> dict[str, Any]:
    """Break the scores down, and say what could not be asked or scored.

    Args:
        results: as lmms-eval's ``simple_evaluate`` returns them; changed in place.

    Returns:
        For the results file: "questions" (records without an edited image, and questions whose box is none by
        reason), and what :func:`summary` returns. Empty when the task was not scored.
    """
    readings = kept_readings(results, CARRIER, Reading)
    if not readings:
        return {}
    drop_undefined(results, readings)
    found = find_questions()
    told = {"without_image": found.without_image, "without_box": dict(found.without_box)}
    return {"questions": told, **summary(results, readings)}


def summary(
    results: Mapping[str, Any],
    readings: Mapping[str, tuple[Reading, ...]],
    unreadable_above: float | None = None,
) -> dict[str, Any]:
    """Break scores down, count why answers are invalid, and say whether too many are unread.

    Returns:
        For each task "scores" ("all" and each factor -> level -> score -> value, low, high, n) and "invalid"
        (reason -> how many answers); and "unreadable".
    """
    everything = with_groups(results, readings)
    unread = [reading.unread for found in readings.values() for reading in found]
    return {
        "scores": {task: _breakdown(found) for task, found in everything.items()},
        "invalid": {task: _reasons(found) for task, found in everything.items()},
        "unreadable": unreadable(unread, unreadable_above),
    }


def _breakdown(readings: Sequence[Reading]) -> dict[str, Any]:
    by_factor = {}
    for factor in FACTORS:
        levels = sorted({dict(reading.factors)[factor] for reading in readings} - {""})
        by_factor[factor] = {
            level: _plain([reading for reading in readings if (factor, level) in reading.factors])
            for level in levels
        }
    return {"all": _plain(readings), **by_factor}


def _plain(readings: Sequence[Reading]) -> dict[str, Any]:
    return as_json(estimates(tuple(reading.item for reading in readings)))


def _reasons(readings: Sequence[Reading]) -> dict[str, int]:
    return counted(reason for reading in readings for reason in reading.reasons)
