"""A plan says in words why it can say nothing."""

from __future__ import annotations

import math

import pytest

from physprobe.analysis import planning


@pytest.mark.parametrize(
    ("share", "binary", "correlation", "points", "remark"),
    [
        (0.5, True, 0.3, 10.0, ""),
        (0.5, False, 0.3, 10.0, ""),
        (0.02, True, 0.0, 10.0, "with a mean score of 2.0% two models can't differ that much around it"),
        (0.98, False, 0.0, 10.0, "with a mean score of 98.0% two models can't differ that much around it"),
        (0.5, True, math.nan, 10.0, "fewer than two of these models have scores that vary"),
        (0.5, False, math.nan, 10.0, "fewer than two of these models have scores that vary"),
        (0.5, False, 1.0, 10.0, "these models go together wholly"),
        (0.5, True, 0.99, 90.0, "two models that differ that much can't go together so closely"),
    ],
)
def test_each_empty_row_has_its_reason(share, binary, correlation, points, remark):
    seen = planning._Observed(share, 0.5, 100, binary, {"observed": correlation})
    (row,) = planning._plan(seen, [points], 0.8, 0.05)
    assert row["remark"].startswith(remark)
    assert math.isnan(row["pairs_needed"]) == math.isnan(row["power_now"]) == bool(remark)
    assert bool(row["remark"]) == bool(remark)
