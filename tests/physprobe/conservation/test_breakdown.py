from __future__ import annotations

from dataclasses import asdict

import pytest

from physprobe.conservation.breakdown import FACTORS, break_down, factors, setting_of
from physprobe.conservation.metrics import AnswerRecord
from physprobe.errors import UserError

QUESTIONS = [
    {"domain": domain, "prompt_style": style, "frame_count": count, "extraction": "uniform"}
    for domain in ("number", "length")
    for style in ("direct", "cot")
    for count in (16, 3, 9)
]
RECORDS = [
    AnswerRecord(f"q{k}", "p", row["domain"], "conserving", "same", True, setting_of(row))
    for k, row in enumerate(QUESTIONS)
]


def test_factors_are_read_back_from_the_setting():
    assert tuple(factors(RECORDS[0])) == FACTORS
    for row, record in zip(QUESTIONS, RECORDS, strict=True):
        assert factors(record) == {name: str(level) for name, level in row.items()}


def test_every_record_is_in_one_part_and_levels_are_in_order():
    parts = break_down(RECORDS, ["frame_count", "domain"])
    assert list(parts) == [(count, domain) for count in ("3", "9", "16") for domain in ("length", "number")]
    assert sorted(r.question_id for part in parts.values() for r in part) == sorted(
        r.question_id for r in RECORDS
    )
    assert all(
        (factors(r)["frame_count"], r.domain) == levels for levels, part in parts.items() for r in part
    )


def test_no_factor_is_one_part():
    assert {key: len(part) for key, part in break_down(RECORDS, []).items()} == {(): len(RECORDS)}
    assert break_down([], ["domain"]) == {}


def test_unknown_factors_are_named():
    with pytest.raises(UserError, match="unknown factor 'color'; valid: domain, extraction"):
        break_down(RECORDS, ["domain", "color"])


def test_a_record_is_taken_from_a_longer_one():
    assert AnswerRecord.taken_from({**asdict(RECORDS[0]), "letter": "A"}) == RECORDS[0]
