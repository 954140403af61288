"""Numbers as readers see them."""

from __future__ import annotations

import pandas as pd
import pytest

from physprobe.analysis.finding import Finding
from physprobe.report.cells import lay_out
from physprobe.report.model import Reference, Strip


def shown(table: pd.DataFrame, *strips: Strip):
    return lay_out(Finding("title", table, "things", "none", "module.function"), strips)


def column(table: pd.DataFrame, name: str) -> list[str]:
    layout = shown(table)
    place = [each.name for each in layout.columns].index(name)
    return [row.cells[place].text for row in layout.rows]


def estimates(width: float) -> pd.DataFrame:
    value = [0.123456, 0.5]
    bounds = {"score_low": [v - width / 2 for v in value], "score_high": [v + width / 2 for v in value]}
    return pd.DataFrame({"model": ["a", "b"], "n": [1000, 2], "score": value, **bounds})


def test_bounds_are_folded_and_what_n_counts_comes_last():
    layout = shown(estimates(0.1))
    assert [each.name for each in layout.columns] == ["model", "score", "n"]
    assert layout.rows[0].cells[1].bounds == "[0.07, 0.17]"
    assert [row.n for row in layout.rows] == ["1,000", "2"]
    assert [row.model for row in layout.rows] == ["a", "b"]


@pytest.mark.parametrize(
    ("width", "text"), [(0.9, "0.12"), (0.05, "0.12"), (0.01, "0.123"), (0.0001, "0.1235")]
)
def test_digits_are_those_that_the_interval_bears(width, text):
    assert column(estimates(width), "score")[0] == text


def test_bounds_behind_their_estimate_belong_to_it():
    table = pd.DataFrame({"difference": [-0.25], "low": [-0.31], "high": [-0.19], "p": [0.0001]})
    cells = shown(table).rows[0].cells
    assert [cell.text for cell in cells] == ["−0.25", "<.001"]
    assert cells[0].bounds == "[−0.31, −0.19]"


def test_an_interval_without_a_value_stands_alone():
    table = pd.DataFrame({"bootstrap_low": [-0.9, float("nan")], "bootstrap_high": [0.5, float("nan")]})
    layout = shown(table)
    assert [each.heading for each in layout.columns] == ["bootstrap interval"]
    assert [row.cells[0].text for row in layout.rows] == ["[−0.90, 0.50]", "–"]


def test_what_is_undefined_is_a_dash_and_sorts_last():
    table = pd.DataFrame({"f": [float("nan"), float("inf"), -0.0001], "name": [None, "x", "y"]})
    assert column(table, "f") == ["–", "∞", "0.000"]
    assert column(table, "name") == ["–", "x", "y"]
    assert shown(table).rows[0].cells[0].order == ""


def test_whole_numbers_have_no_decimals():
    assert column(pd.DataFrame({"count": [1234, 5]}), "count") == ["1,234", "5"]
    assert column(pd.DataFrame({"points": [1.0, 20.0]}), "points") == ["1", "20"]


def test_strips_end_above_all_that_is_drawn():
    layout = shown(estimates(0.1), Strip("score", (Reference("chance", 0.25),)))
    scale = layout.columns[1].strip
    assert scale is not None
    assert (scale.low, scale.high) == (0, 0.6)
    assert scale.lines == (("chance", pytest.approx(0.25 / 0.6)),)
    assert layout.rows[1].cells[1].places == pytest.approx((0.45 / 0.6, 0.5 / 0.6, 0.55 / 0.6))
