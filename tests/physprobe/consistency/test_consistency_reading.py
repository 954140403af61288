from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from physprobe.consistency.reading import read_diagnosis
from physprobe.consistency.vocabulary import LABELS
from tests.physprobe.consistency.diagnosis_table import TABLE

texts = st.text(max_size=60)
scalars = st.none() | st.booleans() | st.integers() | st.floats() | texts | st.sampled_from(LABELS)
values = st.recursive(scalars, lambda v: st.lists(v, max_size=5) | st.dictionaries(texts, v, max_size=4))
keys = st.sampled_from(["consistent", "category", "box", "explanation", "bbox", "Region", "verdict"])


def test_the_table_holds_at_least_a_hundred_answers() -> None:
    assert len({answer for answer, _ in TABLE}) == len(TABLE) >= 100


@pytest.mark.parametrize(("answer", "expected"), TABLE)
def test_answer(answer: str, expected: tuple[Any, ...]) -> None:
    read = read_diagnosis(answer)
    consistent, category, box, reasons = expected
    assert (read.consistent, read.category, read.reasons) == (consistent, category, reasons)
    assert read.box == pytest.approx(box) if box else read.box is None
    assert read.valid == (not reasons)


def test_explanations_are_kept_as_they_are() -> None:
    told = 'The cube\'s shadow, at "left", is {missing}.\nSo it floats.'
    for answer in (json.dumps({"consistent": False, "explanation": told}), f"{{explanation: {told!r}}}"):
        assert read_diagnosis(answer).explanation == told


@given(
    st.text(
        alphabet=st.sampled_from(list("{}[]()\"'“”`:,\\ \n.0123456789eE-%truefalsNoboxcy_")), max_size=200
    )
)
def test_nothing_raises_on_brackets_and_quotes(answer: str) -> None:
    for text in (answer, "{" + answer):
        read = read_diagnosis(text)
        assert read.valid == (not read.reasons)


@given(st.dictionaries(keys, values, max_size=7), st.sampled_from([json.dumps, repr, str]))
def test_nothing_raises_on_objects_of_any_kind(fields: dict[str, Any], write: Any) -> None:
    read = read_diagnosis(write(fields))
    assert read.box is None or 0 <= read.box[0] < read.box[2] <= 1
    assert read.box is None or 0 <= read.box[1] < read.box[3] <= 1
    assert read.category is None or read.category in LABELS
    assert read.valid or read.reasons


corner = st.floats(0, 1).map(lambda x: round(x, 4))


@given(
    st.tuples(corner, corner, corner, corner),
    st.sampled_from(LABELS[1:]),
    st.text(min_size=1).filter(str.strip),
)
def test_what_is_asked_for_is_read_back(corners: tuple[float, ...], label: str, told: str) -> None:
    x, y = sorted(corners[::2]), sorted(corners[1::2])
    if x[0] == x[1] or y[0] == y[1]:
        return
    box = (x[0], y[0], x[1], y[1])
    fields = {"consistent": False, "category": label, "box": box, "explanation": told}
    for answer in (json.dumps(fields), f"```json\n{json.dumps(fields, indent=2)}\n```"):
        read = read_diagnosis(answer)
        if "<think" in told.casefold() or "</think" in told.casefold():
            continue
        assert (read.consistent, read.category, read.box, read.reasons) == (False, label, box, ())
        assert read.explanation == told.strip()


def test_long_and_deep_answers_take_no_time() -> None:
    for answer in (
        "{" * 100_000,
        "[" * 100_000,
        '{"a":' * 20_000,
        "{'box': '" * 20_000,
        '{"box": "' + '"x' * 50_000,
    ):
        assert read_diagnosis(answer).category is None
