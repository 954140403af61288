"""Counts and lengths of time in messages."""

from __future__ import annotations

import pytest

from physprobe.text import duration, quantity


@pytest.mark.parametrize(
    ("count", "noun", "text"),
    [
        (1, "question", "1 question"),
        (0, "question", "0 questions"),
        (1200, "question", "1,200 questions"),
        (1, "scene family", "1 scene family"),
        (2, "scene family", "2 scene families"),
    ],
)
def test_a_noun_has_the_number_of_its_count(count: int, noun: str, text: str) -> None:
    assert quantity(count, noun) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 s"),
        (59.4, "59 s"),
        (59.6, "1 min 00 s"),
        (65, "1 min 05 s"),
        (3599.6, "1 h 00 min"),
        (90000, "25 h 00 min"),
    ],
)
def test_durations_are_easy_to_read(seconds: float, text: str) -> None:
    assert duration(seconds) == text
