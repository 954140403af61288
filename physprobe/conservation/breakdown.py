"""Scores by design factor: domain, prompt style, frame count, way to pick the frames."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from physprobe.conservation.metrics import AnswerRecord
from physprobe.errors import unknown_name

# What tells two questions on one clip apart, in the order of AnswerRecord.setting.
SETTING: tuple[str, ...] = ("prompt_style", "frame_count", "extraction")
FACTORS: tuple[str, ...] = ("domain", *SETTING)


def setting_of(row: Mapping[str, Any]) -> str:
    """Write a question's setting as one string: "direct/7/uniform"."""
    return "/".join(str(row[name]) for name in SETTING)


def factors(record: AnswerRecord) -> dict[str, str]:
    """Return the level of each factor, by name; the setting must come from :func:`setting_of`."""
    return {"domain": record.domain, **dict(zip(SETTING, record.setting.split("/"), strict=True))}


def break_down(
    records: Iterable[AnswerRecord], by: Sequence[str]
) -> dict[tuple[str, ...], list[AnswerRecord]]:
    """Part answers by the levels of some factors.

    Args:
        records: in any order. by: names of factors.

    Returns:
        Levels, in the order of ``by``, -> records by question id. Levels are sorted: numbers by value.

    Raises:
        UserError: an unknown factor; lists those there are.
    """
    for name in by:
        if name not in FACTORS:
            raise unknown_name("factor", name, FACTORS)
    parts: dict[tuple[str, ...], list[AnswerRecord]] = defaultdict(list)
    for record in sorted(records, key=lambda record: record.question_id):
        levels = factors(record)
        parts[tuple(levels[name] for name in by)].append(record)
    return {key: parts[key] for key in sorted(parts, key=lambda key: [_natural(level) for level in key])}


def _natural(level: str) -> tuple[int, str]:
    return (int(level), "") if level.isdigit() else (0, level)
