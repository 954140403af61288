from __future__ import annotations

import csv
import re
import tempfile
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physprobe.quantiphy.answers import read_answers
from physprobe.quantiphy.official import score

DATA = Path(__file__).parents[2] / "data" / "quantiphy"
HEADER = ["id", "video_source", "video_type", "inference_type", "ground_truth_posterior", "parsed_value"]
NAMES = ["mra_S2", "mra_D2", "mra_S3", "mra_D3", "mra_average", "mra_bg_C", "mra_bg_S", "mra_bg_X"]
NAMES += ["mra_obj_single", "mra_obj_multiple", "invalid_percentage"]


def published(rows: list[list[str]]) -> dict[str, float | None]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "p.csv"
        with path.open("w", newline="") as file:
            csv.writer(file).writerows([HEADER, *rows])
        return score(read_answers(path)).published()


# --- an independent reading of the definitions: rows, loops and fractions, no numpy, no pandas -----------


def naive_number(text: str) -> float | None:
    text = text.strip(" \t")
    if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?inf", text):
        return float(text)
    return None


def naive_mra(cell: str, truth: float) -> Fraction:
    prediction = naive_number(cell)
    if prediction is None:
        return Fraction(0)
    met = 0
    for theta in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95):
        if abs(abs(prediction) - truth) / truth < 1 - theta:
            met += 1
    return Fraction(met, 10)


def naive_mean_of_four(rows: list[tuple[str, str, str, Fraction]], wanted) -> Fraction | None:
    means = []
    for category in ("S2", "D2", "S3", "D3"):
        scores = [mra for c, b, o, mra in rows if c == category and wanted(b, o)]
        if not scores:
            return None
        means.append(sum(scores) / len(scores))
    return sum(means) / 4


def naive_published(rows: list[list[str]]) -> dict[str, Fraction | None]:
    kept, invalid = [], 0
    for _, source, video, inference, truth, cell in rows:
        if naive_number(cell) in (None, 0):
            invalid += 1
        background = "X" if source == "segmentation" else video[3]
        if naive_number(truth) not in (None, 0):
            kept.append((inference[0] + video[1], background, video[2], naive_mra(cell, float(truth))))
    result: dict[str, Fraction | None] = {}
    for category in ("S2", "D2", "S3", "D3"):
        scores = [row[3] for row in kept if row[0] == category]
        result[f"mra_{category}"] = sum(scores) / len(scores) if scores else None
    result["mra_average"] = naive_mean_of_four(kept, lambda b, o: True)
    for letter in "CSX":
        result[f"mra_bg_{letter}"] = naive_mean_of_four(kept, lambda b, o, letter=letter: b == letter)
    result["mra_obj_single"] = naive_mean_of_four(kept, lambda b, o: o == "S")
    result["mra_obj_multiple"] = naive_mean_of_four(kept, lambda b, o: o == "M")
    result["invalid_percentage"] = Fraction(100 * invalid, len(rows))
    return result


def assert_agrees(rows: list[list[str]]) -> dict[str, float | None]:
    ours, expected = published(rows), naive_published(rows)
    assert list(ours) == NAMES
    for name, value in expected.items():
        if value is None:
            assert ours[name] is None, name
        else:
            assert ours[name] == pytest.approx(float(value), rel=0, abs=1e-12), name
    return ours


def mean(*values: float) -> float:
    return sum(values) / len(values)


@st.composite
def row(draw) -> list[str]:
    truth = draw(st.sampled_from(["4", "100", "0.3", "2.5e-3", "1086.09", "-2", "0", "", "n/k"]))
    factor = draw(st.sampled_from([0, 0.05, 0.1, 0.5, 0.7, 0.9, 0.95, 1, 1.05, 1.1, 1.3, 1.5, 1.9, 2, -1]))
    near = repr((naive_number(truth) or 1.0) * factor)
    return [
        draw(st.sampled_from(["1", "2", "3"])),
        draw(st.sampled_from(["lab", "internet", "segmentation", "segmentaion"])),
        draw(st.sampled_from("SVA")) + draw(st.sampled_from("23")) + draw(st.sampled_from("SM"))
        + draw(st.sampled_from("XSC")),
        draw(st.sampled_from(["SS", "SD", "DS", "DD"])),
        truth,
        draw(st.sampled_from([near, near, "", "NA", "n/k", "0", "-0.0", "1,000", "inf", " 4 ", "4e0"])
             | st.floats(0, 200).map(repr)),
    ]  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(
    rows=st.lists(row(), min_size=1, max_size=60).filter(lambda rows: any(r[4] for r in rows)),
    seed=st.integers(0, 99),
)
def test_agrees_with_the_naive_reading(rows, seed):
    ours = assert_agrees(rows)
    shuffled = [rows[k] for k in np.random.default_rng(seed).permutation(len(rows))]
    assert published(shuffled) == ours


@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_the_naive_reading_on_the_released_questions(seed):
    rng = np.random.default_rng(seed)
    table = pd.read_csv(DATA / "validation.csv", dtype=str)
    truth = table["ground_truth_posterior"].astype(float)
    prediction = (
        truth * rng.choice([1, 1.05, 1.1, 1.3, 0.4, -0.9, 3], len(table)) * rng.lognormal(0, 0.1 * seed)
    )
    cells = [repr(float(value)) for value in prediction]
    for k in rng.choice(len(cells), 12, replace=False):
        cells[k] = str(rng.choice(["", "0", "about 3", "nan", "1e3"]))
    columns = ["Unnamed: 0", *HEADER[1:5]]
    ours = assert_agrees(
        [[*fields, cell] for fields, cell in zip(table[columns].to_numpy(), cells, strict=True)]
    )
    # The file has no D3 question on a simple background, and no D2 question of a single object.
    assert [name for name in NAMES if ours[name] is None] == ["mra_bg_S", "mra_obj_single"]


def test_the_truths_themselves_score_one():
    table = pd.read_csv(DATA / "validation.csv", dtype=str)
    truth = table["ground_truth_posterior"]
    rows = [
        [*fields, t] for fields, t in zip(table[["Unnamed: 0", *HEADER[1:5]]].to_numpy(), truth, strict=True)
    ]
    expected = dict.fromkeys(NAMES, 1.0) | {
        "mra_bg_S": None,
        "mra_obj_single": None,
        "invalid_percentage": 0.0,
    }
    assert published(rows) == expected


# --- worked out by hand -----------------------------------------------------------------------------------

BY_HAND = [
    ["1", "lab", "S2MC", "SS", "100", "100"],  # 1.0
    ["2", "lab", "S2SC", "SS", "100", "107"],  # 0.9
    ["3", "lab", "V2MC", "DS", "100", "155"],  # 0.4
    ["4", "lab", "S3MC", "SD", "100", "n/k"],  # 0, invalid
    ["5", "lab", "A3MX", "DD", "100", "-115"],  # 0.8
    ["6", "segmentation", "A3MC", "DD", "100", "0"],  # 0, invalid, background X
    ["7", "lab", "V2SX", "DS", "0", ""],  # no score, invalid
    ["8", "lab", "V3MC", "DS", "100", "100"],  # 1.0
]


def test_worked_example():
    assert published(BY_HAND) == {
        "mra_S2": 0.95,
        "mra_D2": 0.4,
        "mra_S3": 0.0,
        "mra_D3": pytest.approx(0.6),
        "mra_average": pytest.approx(mean(0.95, 0.4, 0.0, 0.6)),
        "mra_bg_C": pytest.approx(mean(0.95, 0.4, 0.0, 1.0)),
        "mra_bg_S": None,
        "mra_bg_X": None,
        "mra_obj_single": None,
        "mra_obj_multiple": pytest.approx(mean(1.0, 0.4, 0.0, 0.6)),
        "invalid_percentage": 37.5,
    }


def test_counts_and_kinds_of_invalid_answers(tmp_path):
    path = tmp_path / "p.csv"
    pd.DataFrame(BY_HAND, columns=HEADER).to_csv(path, index=False)
    scores = score(read_answers(path))
    assert scores.overall.counts == {"S2": 2, "D2": 1, "S3": 1, "D3": 3}
    assert scores.backgrounds["X"].counts == {"S2": 0, "D2": 0, "S3": 0, "D3": 2}
    assert scores.objects["single"].counts == {"S2": 1, "D2": 0, "S3": 0, "D3": 0}
    assert (scores.rows, scores.blank, scores.non_numeric, scores.zero) == (8, 1, 1, 1)


def test_one_empty_category_empties_the_average():
    ours = published([r for r in BY_HAND if r[0] != "3"])
    assert ours["mra_D2"] is None
    assert ours["mra_average"] is None
    assert ours["mra_S2"] == 0.95


def test_rows_left_out_of_mra_stay_in_the_invalid_rate():
    only_zero_truths = [["1", "lab", "S2MC", "SS", "0", "3"], ["2", "lab", "S2MC", "SS", "0", ""]]
    assert published(only_zero_truths) == dict.fromkeys(NAMES, None) | {"invalid_percentage": 50.0}


def test_an_infinite_answer_is_a_number_and_scores_nothing():
    ours = published([["1", "lab", "S2MC", "SS", "3", "inf"]])
    assert ours["mra_S2"] == 0.0
    assert ours["invalid_percentage"] == 0.0


def test_a_negative_truth_scores_as_the_literal_formula():
    assert published([["1", "lab", "S2MC", "SS", "-3", "77"]])["mra_S2"] == 1.0


def test_a_hundred_thousand_rows_are_scored(tmp_path):
    table = pd.read_csv(DATA / "validation.csv", dtype=str).iloc[:, :10]
    large = pd.concat([table] * 629, ignore_index=True)
    large["id"] = range(len(large))
    large["parsed_value"] = np.random.default_rng(0).lognormal(0, 2, len(large))
    large.iloc[:, 1:].to_csv(tmp_path / "p.csv", index=False)
    large[["id", "ground_truth_posterior"]].to_csv(tmp_path / "gt.csv", index=False)
    scores = score(read_answers(tmp_path / "p.csv", tmp_path / "gt.csv"))
    assert scores.rows == 100_011
