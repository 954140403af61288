"""What is done around an evaluation: say how videos are shown, then break the scores down."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from loguru import logger

from physprobe.harness.counting import counted
from physprobe.harness.quantiphy.layout import AS_VIDEO, VARIABLE, frames_setting
from physprobe.harness.quantiphy.marking import Reading, estimates
from physprobe.harness.quantiphy.sampling import adapter_sampling
from physprobe.harness.scoring import kept_readings, with_groups
from physprobe.harness.undefined import drop_undefined
from physprobe.harness.unreadable import threshold, unreadable
from physprobe.statistics.estimates import as_json

CARRIER = "rate_unread"  # a metric whose readings are complete
_FACTORS = {"video_source": lambda r: r.video_source, "category": lambda r: r.codes[0]}


def prepare() -> None:
    """Check how videos are to be shown, and say so when the model's adapter leaves frames out.

    Raises:
        UserError: PHYSPROBE_FRAMES or PHYSPROBE_UNREADABLE is wrong.
    """
    threshold()
    if frames_setting() != AS_VIDEO:
        return
    sampling = adapter_sampling()
    if sampling:
        told = ", ".join(f"{name}={value}" for name, value in sorted(sampling.items()))
        logger.warning(
            f"this model's adapter samples frames from the videos ({told}), where the paper shows all: raise "
            f"that in --model_args, or set {VARIABLE}=all to hand over every frame as an image"
        )


def complete(results: dict[str, Any]) -> dict[str, Any]:
    """Break the scores down, count how answers were read, and take scores over nothing out of the table.

    Args:
        results: as lmms-eval's ``simple_evaluate`` returns them; changed in place.

    Returns:
        For the results file: "video" (how videos were shown), and what :func:`summary` returns.
    """
    readings = kept_readings(results, CARRIER, Reading)
    if not readings:
        return {}
    drop_undefined(results, with_groups(results, readings))
    video = {"frames": frames_setting(), "adapter_sampling": adapter_sampling()}
    return {"video": video, **summary(results, readings)}


def summary(
    results: Mapping[str, Any],
    readings: Mapping[str, tuple[Reading, ...]],
    unreadable_above: float | None = None,
) -> dict[str, Any]:
    """Break scores down, count how answers were read, and say whether too many are unread.

    Args:
        results: with the groups. readings: by task, no groups. unreadable_above: default: the setting.

    Returns:
        For each task and group "scores" ("all" and each factor -> level -> score -> value, low, high, n) and
        "reading", see :func:`how_read`; and "unreadable".
    """
    unread = [bool(reading.reason) for found in readings.values() for reading in found]
    everything = with_groups(results, readings)
    return {
        "scores": {task: _breakdown(found) for task, found in everything.items()},
        "reading": {task: how_read(found) for task, found in everything.items()},
        "unreadable": unreadable(unread, unreadable_above),
    }


def how_read(readings: Sequence[Reading]) -> dict[str, Any]:
    """Count reasons of unread answers, rules that read the others, and flags, most frequent first."""
    return {
        "answers": len(readings),
        "unread": counted(reading.reason for reading in readings if reading.reason),
        "rules": counted(reading.rule for reading in readings if reading.rule),
        "flags": counted(chain.from_iterable(reading.flags for reading in readings)),
    }


def _breakdown(readings: Sequence[Reading]) -> dict[str, Any]:
    by_factor = {}
    for factor, level_of in _FACTORS.items():
        levels = sorted({level_of(reading) for reading in readings})
        by_factor[factor] = {
            level: _plain(r for r in readings if level_of(r) == level) for level in levels if level
        }
    return {"all": _plain(readings), **by_factor}


def _plain(readings: Iterable[Reading]) -> dict[str, Any]:
    return as_json(estimates(tuple(readings)))
