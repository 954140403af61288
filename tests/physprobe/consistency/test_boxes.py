from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from physprobe.consistency.boxes import area, check_box, iou, read_box

QUARTER = (0.0, 0.0, 0.5, 0.5)
side = st.tuples(st.floats(0, 1), st.floats(0, 1)).map(sorted).filter(lambda pair: pair[1] - pair[0] > 1e-6)
boxes = st.tuples(side, side).map(lambda p: (p[0][0], p[1][0], p[0][1], p[1][1]))


@pytest.mark.parametrize(
    ("value", "convention", "size", "expected"),
    [
        ([100, 200, 300, 400], "thousandths", None, (0.1, 0.2, 0.3, 0.4)),
        ([0, 0, 1000, 1000], "thousandths", None, (0.0, 0.0, 1.0, 1.0)),
        ([50, 25, 150, 75], "pixels", (200, 100), (0.25, 0.25, 0.75, 0.75)),
        ({"x": 50, "y": 25, "width": 100, "height": 50}, "pixels", (200, 100), (0.25, 0.25, 0.75, 0.75)),
        (["10%", "20%", "30%", "40%"], "pixels", (200, 100), (0.1, 0.2, 0.3, 0.4)),
        ([0.1, 0.2, 0.3, 0.4], "thousandths", None, "ambiguous_scale"),
        ([0, 0, 1, 1], "pixels", (500, 500), "ambiguous_scale"),
        ([100, 200, 300, 1400], "thousandths", None, "out_of_range"),
        ([100, 20, 300, 40], "pixels", (200, 100), "out_of_range"),
        ([100, 200, 300, 400], "fractions", None, "out_of_range"),
        ([100, 200, 300, 400], "fractions", (500, 500), "out_of_range"),
    ],
)
def test_the_scale_is_that_of_the_prompt(value: Any, convention: Any, size: Any, expected: Any) -> None:
    read = read_box(value, convention, size)
    if isinstance(expected, str):
        assert (read.box, read.reason) == (None, expected)
    else:
        assert read.box == pytest.approx(expected)


def test_pixels_need_a_size() -> None:
    with pytest.raises(ValueError, match="need the image's size"):
        read_box([1, 2, 3, 4], "pixels")


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (QUARTER, QUARTER, 1.0),
        (QUARTER, (0.25, 0.0, 0.75, 0.5), 1 / 3),
        (QUARTER, (0.0, 0.0, 1.0, 1.0), 0.25),
        (QUARTER, (0.5, 0.0, 1.0, 0.5), 0.0),
        (QUARTER, (0.5, 0.5, 1.0, 1.0), 0.0),
        (QUARTER, None, 0.0),
        (None, None, 0.0),
        ((0.2, 0.2, 0.2, 0.2), (0.2, 0.2, 0.2, 0.2), 0.0),
    ],
)
def test_iou(first: Any, second: Any, expected: float) -> None:
    assert iou(first, second) == pytest.approx(expected)


@given(boxes, boxes)
def test_iou_is_symmetric_bounded_and_one_for_equal_boxes(first: Any, second: Any) -> None:
    assert iou(first, second) == iou(second, first)
    assert 0 <= iou(first, second) <= 1
    assert iou(first, first) == pytest.approx(1.0)
    assert iou(first, second) <= min(area(first), area(second)) / max(area(first), area(second)) + 1e-9


def test_checks() -> None:
    assert check_box(0.1, 0.1, 0.4, 0.4).box == (0.1, 0.1, 0.4, 0.4)
    assert check_box(0.1, 0.1, float("nan"), 0.4).reason == "not_finite"
    assert check_box(0.4, 0.1, 0.1, 0.4).reason == "reversed_corners"
    assert check_box(0.4, 0.1, 1.1, 0.4).reason == "out_of_range"
