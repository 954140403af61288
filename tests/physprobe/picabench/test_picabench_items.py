from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from physprobe.errors import UserError
from physprobe.picabench.items import pixel_box, questions_of, scaled_size
from physprobe.picabench.metrics import Item, picabench_scores
from physprobe.picabench.reading import read_reply
from tests.support.picabench_data import HEIGHT, RECORDS, WIDTH, pair

SIZE = (WIDTH, HEIGHT)
GOOD = '{"answer": "Yes", "box": [0.1, 0.2, 0.3, 0.4], "explanation": "It does."}'


def box(x: Any, y: Any, width: Any, height: Any) -> dict[str, Any]:
    return {"x": x, "y": y, "width": width, "height": height}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (box(20, 10, 40, 20), (0.25, 0.25, 0.75, 0.75)),
        (box(0, 0, 80, 40), (0.0, 0.0, 1.0, 1.0)),
        (box(-0.5, 0, 80.9, 40.5), (0.0, 0.0, 1.0, 1.0)),
        (box(0, 0, 82, 40), "out_of_range"),
        (box(-2, 0, 10, 10), "out_of_range"),
        (box(90, 10, 5, 5), "out_of_range"),
        (box(10, 10, 0, 5), "no_extent"),
        (box(10, 10, 5, -5), "no_extent"),
        (box(math.nan, 10, 5, 5), "not_finite"),
        (box(10, math.inf, 5, 5), "not_finite"),
        (box("10", 10, 5, 5), "malformed_box"),
        ({"x": 1, "y": 2}, "malformed_box"),
        ([1, 2, 3, 4], "malformed_box"),
        (None, "missing_box"),
    ],
)
def test_pixels_become_fractions_of_the_edited_image(value: Any, expected: Any) -> None:
    read = pixel_box(value, SIZE)
    if isinstance(expected, str):
        assert (read.box, read.reason) == (None, expected)
    else:
        assert read.box == pytest.approx(expected)


@given(st.integers(1, 3000), st.integers(1, 3000), st.lists(st.floats(), min_size=4, max_size=4))
def test_a_box_is_inside_or_none(width: int, height: int, numbers: list[float]) -> None:
    read = pixel_box(box(*numbers), (width, height))
    assert (read.box is None) == bool(read.reason)
    if read.box:
        assert 0 <= read.box[0] < read.box[2] <= 1
        assert 0 <= read.box[1] < read.box[3] <= 1


def test_the_canvas_of_the_public_evaluator() -> None:
    assert scaled_size((1536, 1024), 1024) == (1024, 682)
    assert scaled_size((512, 256), 1024) == (1024, 512)
    assert scaled_size((512, 256), None) == (512, 256)
    assert scaled_size((4000, 1), 1024) == (1024, 1)


def test_questions_of_a_record() -> None:
    first, second = questions_of(RECORDS[0], "7", SIZE)
    assert (first.question_id, first.image_id, first.truth, second.truth) == ("7_0", "7", False, True)
    assert first.factors == {
        "physics_category": "Optics", "physics_law": "Light_Propagation", "difficulty": "superficial",
        "edit_operation": "remove",
    }  # fmt: skip
    third, fourth = questions_of(RECORDS[1], "8", SIZE)
    assert third.box == (0.5, 0.5, 1.0, 1.0)
    assert (fourth.box, fourth.box_problem) == (None, "out_of_range")


def test_questions_may_be_grouped_by_kind() -> None:
    pairs = {
        "PhysEdit QA": [pair("Is it?", "yes.", 0, 0, 8, 4)],
        "Other": [pair("Is it not?", "N", 0, 0, 8, 4)],
    }
    assert [q.truth for q in questions_of({"annotated_qa_pairs": pairs}, "1", SIZE)] == [True, False]
    assert not [*questions_of({"annotated_qa_pairs": None}, "1", SIZE)]


@pytest.mark.parametrize("wrong", [pair("Is it?", "Maybe", 0, 0, 8, 4), pair(" ", "Yes", 0, 0, 8, 4)])
def test_a_question_without_text_or_answer_is_named(wrong: dict[str, Any]) -> None:
    with pytest.raises(UserError, match="record 5: question 1 has the text"):
        [*questions_of({"annotated_qa_pairs": [wrong]}, "5", SIZE)]


@pytest.mark.parametrize(
    ("answer", "yes", "reasons"),
    [
        (GOOD, True, ()),
        (f"```json\n{GOOD}\n```", True, ()),
        (GOOD.replace('"Yes"', "'no.'"), False, ()),
        (GOOD.replace('"Yes"', "true"), True, ()),
        (GOOD.replace('"Yes"', '"NO"'), False, ()),
        (GOOD.replace('"Yes"', '"perhaps"'), None, ("malformed_answer",)),
        (GOOD.replace('"Yes"', "null"), None, ("missing_answer",)),
        (GOOD.replace("0.3", "30"), True, ("out_of_range",)),
        ('{"answer": "No"}', False, ("missing_box", "missing_explanation")),
        ("Yes, it does.", True, ("no_object",)),
        ("**No**", False, ("no_object",)),
        ("no", False, ("no_object",)),
        ("Yes or no? Hard to tell.", None, ("no_object",)),
        ("Nothing is there.", None, ("no_object",)),
        ("No idea.", None, ("no_object",)),
        ("No clue, sorry", None, ("no_object",)),
        ("No shadow can be seen.", None, ("no_object",)),
        ("Yes and no.", None, ("no_object",)),
        ("No", False, ("no_object",)),
        ("__no__", False, ("no_object",)),
        ("No it doesn't.", False, ("no_object",)),
        ("NO - the shadow is missing", False, ("no_object",)),
        ("Yes the light comes from there", True, ("no_object",)),
        ("I think yes.", None, ("no_object",)),
        ("", None, ("empty",)),
        (f"{GOOD} {GOOD.replace('Yes', 'No')}", None, ("several_answers",)),
    ],
)
def test_replies(answer: str, yes: bool | None, reasons: tuple[str, ...]) -> None:
    read = read_reply(answer)
    assert (read.yes, read.reasons) == (yes, reasons)


@given(st.text(max_size=80))
def test_no_reply_raises(answer: str) -> None:
    read = read_reply(answer)
    assert read.yes is not None or read.reasons


def test_scores_by_hand() -> None:
    items = [
        Item("a", True, 0.6, False), Item("a", False, 0.8, False), Item("b", True, math.nan, False),
        Item("c", False, 0.0, True),
    ]  # fmt: skip
    found = picabench_scores(items)
    assert {name: (e.value, e.n) for name, e in found.items()} == {
        "accuracy_qa": (0.5, 4), "iou_mean": (pytest.approx(1.4 / 3), 3), "rate_invalid": (0.25, 4),
        "iou_above_50": (pytest.approx(2 / 3), 3), "iou_above_75": (pytest.approx(1 / 3), 3),
    }  # fmt: skip
    assert all(e.low <= e.value <= e.high for e in found.values())
    assert math.isnan(picabench_scores([])["accuracy_qa"].value)
