"""Counts and lengths of time in messages for people."""

from __future__ import annotations


def quantity(count: int, noun: str) -> str:
    """Write a count with its noun in the right number: "1 question", "1,200 questions", "0 families".

    Args:
        count: how many. noun: in the singular.
    """
    if count == 1:
        return f"1 {noun}"
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count:,} {plural}"


def duration(seconds: float) -> str:
    """Write a length of time: "7 s", "12 min 05 s", "3 h 07 min"."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"
