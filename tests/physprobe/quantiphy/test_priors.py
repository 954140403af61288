from __future__ import annotations

import csv
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physprobe.errors import UserError
from physprobe.quantiphy.priors import Prior, read_prior, scale_depth_info, scale_prior, scale_truth
from physprobe.quantiphy.questions import asked_of, kind_of

DATA = Path(__file__).parents[2] / "data" / "quantiphy"


def official() -> pd.DataFrame:
    """The official test set: each prior, with which first letter of the video type, and how often."""
    return pd.read_csv(DATA / "test_priors.csv", dtype={"count": int}, keep_default_na=False)


KINDS = {"S": "size", "V": "velocity", "A": "acceleration"}


def one(text: str) -> Prior:
    (prior,) = read_prior(text).priors
    return prior


def test_nearly_all_official_priors_are_read_and_the_rest_has_a_reason() -> None:
    table = official()
    assert table["count"].sum() == 3289
    unread = table[[bool(read_prior(text).reason) for text in table["prior"]]]
    assert sorted(unread["prior"]) == [
        "acceleration of the box before 0.6s = 9.8m/s",
        "acceleration of the trolley = 1.507m/s",
        "gravity acc = 9.8m/s",
    ]
    assert unread["count"].sum() / 3289 < 0.03
    for text in unread["prior"]:
        assert read_prior(text).reason == "the unit m/s is none of acceleration"


def test_official_priors_are_of_the_kind_their_code_says_but_for_five_mistakes_of_the_release() -> None:
    table = official()
    other = 0
    for text, code, count in zip(table["prior"], table["code"], table["count"], strict=True):
        for prior in read_prior(text).priors:
            other += count * (prior.kind != KINDS[code])
            assert prior.value == float(text[prior.start : prior.end])
            assert prior.si_value != 0
    assert other == 6 + 10 + 10 + 1 + 7


def test_all_validation_priors_are_read() -> None:
    with (DATA / "validation.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 159
    for row in rows:
        (prior,) = read_prior(row["ground_truth_prior"]).priors
        assert prior.kind == KINDS[row["video_type"][0]]


@pytest.mark.parametrize(
    ("text", "kind", "measure", "si_value", "subject", "when"),
    [
        ("Gravity acc = 9.8m/s^2", "acceleration", "acc", 9.8, "Gravity", ""),
        ("gravity_acceleration = 9.8 m/s^2", "acceleration", "acceleration", 9.8, "gravity", ""),
        ("acceleration = 9.8 m/s^2", "acceleration", "acceleration", 9.8, "", ""),
        ("ruler calibre = 1cm", "size", "calibre", 0.01, "ruler", ""),
        ("t=1.5, ball acceleration = 3m/s^2", "acceleration", "acceleration", 3.0, "ball", "at 1.5s"),
        ("t=1.6s, ball acceleration = 3.0m/s^2", "acceleration", "acceleration", 3.0, "ball", "at 1.6s"),
        ("velocity of the white ball at 1.0s = 33.38 cm/s", "velocity", "velocity", 0.3338, "white ball",
         "at 1.0s"),
        ("acceleration of the acorn from 2.00s to 2.30s = 0.77m/s^2", "acceleration", "acceleration", 0.77,
         "acorn", "from 2.00s to 2.30s"),
        ("acceleration of the box after 0.75s = 2.338m/s^2", "acceleration", "acceleration", 2.338, "box",
         "after 0.75s"),
        ("Callisto's model speed(the outermost planet) = 0.627 m/s", "velocity", "speed", 0.627,
         "Callisto's model (the outermost planet)", ""),
        ("lenth of the credit card = 8.56 cm", "size", "lenth", 0.0856, "credit card", ""),
        ("the horizontal width of the “skynova” text on the bottle = 0.00188m", "size", "horizontal width",
         0.00188, "“skynova” text on the bottle", ""),
        ("average speed of the person riding scooter = 4.46 m/s", "velocity", "average speed", 4.46,
         "person riding scooter", ""),
        ("acceleration of the orange car = -2.86m/s^2", "acceleration", "acceleration", -2.86, "orange car",
         ""),
        ("speed of the column below the drone =  0.96m/s", "velocity", "speed", 0.96,
         "column below the drone", ""),
        ("court width= 4.88m", "size", "width", 4.88, "court", ""),
    ],
)  # fmt: skip
def test_what_a_prior_says(
    text: str, kind: str, measure: str, si_value: float, subject: str, when: str
) -> None:
    prior = one(text)
    assert (prior.kind, prior.measure, prior.subject, prior.when) == (kind, measure, subject, when)
    assert prior.si_value == si_value
    assert not prior.approximate


def test_two_priors_and_an_approximate_one() -> None:
    text = "diameter of the tire of the yellow car = 0.764m\ndiameter of the tire of the blue car = 0.369m"
    assert [prior.value for prior in read_prior(text).priors] == [0.764, 0.369]
    assert read_prior(text).priors[1].subject == "tire of the blue car"
    assert one("pedestrian walking speed ~1.1 m/s").approximate


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it is empty"),
        ("the ball is big", "there is no 'quantity = number unit'"),
        ("diameter of the ball = m", "there is no 'quantity = number unit'"),
        ("mass of the ball = 2 kg", "'mass of the ball' names no size, velocity or acceleration"),
        ("diameter of the ball = 2", "'' is no unit"),
        ("diameter of the ball = 2 balls", "'balls' is no unit"),
        ("diameter of the ball = 2 m or 3 m", "'m or 3 m' is no unit"),
        ("speed of the ball = 2 m", "the unit m is none of velocity"),
        ("length = 2 m\nnonsense", "there is no 'quantity = number unit'"),
    ],
)
def test_what_cannot_be_read_has_a_reason(text: str, reason: str) -> None:
    assert read_prior(text) == type(read_prior(""))((), reason)


@given(st.floats(0.001, 700, allow_nan=False), st.decimals("0.001", 1000, places=3))
def test_scaling_multiplies_every_quantity_and_nothing_else(factor: float, value: object) -> None:
    text = f"t=0.6s, ball acceleration = {value}m/s^2\nlength of the 2nd car = {value} m"
    scaled = scale_prior(text, factor)
    for before, after in zip(read_prior(text).priors, read_prior(scaled).priors, strict=True):
        assert after.si_value == pytest.approx(before.si_value * factor, rel=1e-12)
        assert (after.when, after.subject, after.unit) == (before.when, before.subject, before.unit)
    depth = f"t=0.6s, distance_ball_camera = {value}m\ndistance_car_2_camera={value} m"
    assert scale_depth_info(depth, factor).count(f"{scaled.split('= ')[-1].removesuffix(' m')}") >= 2
    assert "e" not in scaled.split("= ")[-1].lower()


def test_scaling_is_exact_and_by_one_changes_only_zeros() -> None:
    assert scale_prior("height of the boat = 1.75 m", 0.001) == "height of the boat = 0.00175 m"
    assert scale_prior("length of the yellow car = 5.67m", 1000) == "length of the yellow car = 5670m"
    assert scale_prior("acceleration = -2.86m/s^2", 700) == "acceleration = -2002m/s^2"
    assert scale_prior("acceleration = 9.80m/s^2", 1) == "acceleration = 9.8m/s^2"
    assert scale_truth(1.1, 3) == 3.3
    assert scale_truth(0.07, 0.1) == 0.007
    both = "t = 1.0s, distance_car_camera = 17.8278 m\nt=2s distance_car_camera = 2m"
    assert (
        scale_depth_info(both, 10)
        == "t = 1.0s, distance_car_camera = 178.278 m\nt=2s distance_car_camera = 20m"
    )
    assert scale_depth_info("", 10) == ""


@pytest.mark.parametrize("factor", [0, -1, float("inf"), float("nan")])
def test_factors_must_be_positive_numbers(factor: float) -> None:
    with pytest.raises(ValueError, match="must be a positive number"):
        scale_truth(1.0, factor)


def test_what_cannot_be_scaled_is_told() -> None:
    with pytest.raises(
        UserError, match=r"can't scale the prior 'gravity acc = 9\.8m/s': the unit m/s is none of"
    ):
        scale_prior("gravity acc = 9.8m/s", 2)
    with pytest.raises(UserError, match="can't scale the depth info 'far away'"):
        scale_depth_info("distance_car_camera = 2 m\nfar away", 2)


@pytest.mark.parametrize(
    ("question", "unit", "stated"),
    [
        ("What is the width of the wooden pier in meters?", "meters", True),
        ("What is the speed of the boat at 1.0s in m/s?", "m/s", True),
        ("What is the acceleration of the ball at 1.5s in cm/s^2?", "cm/s^2", True),
        ("What is the height of the person in white in meters？", "meters", True),
        ("What is displacement of the ball between 0.10s and 0.30sin meters?", "meters", True),
        ("What is the velocity of the yellow toy at 0.60s cm/s?", "cm/s", True),
        ("What is the diameter of the ball in the middle in cm at 3.4s?", "cm", True),
        ("What is the distance in meters between the cats at 0s?", "meters", True),
        ("What is the velocity of the soccer ball at 3.4s?", "m/s", False),
        ("What is the orbital diameter of the Io model?", "m", False),
        ("What is the acceleration of the car?", "m/s^2", False),
        ("How fast is the car?", "m/s", False),
    ],
)
def test_asked_unit(question: str, unit: str, stated: bool) -> None:
    asked = asked_of(question)
    assert (asked.unit, asked.stated) == (unit, stated)


def test_units_asked_for_in_the_validation_set() -> None:
    with (DATA / "validation.csv").open(newline="", encoding="utf-8") as file:
        asked = [(asked_of(row["question"]), row["inference_type"][1]) for row in csv.DictReader(file)]
    assert sum(a.stated for a, _ in asked) >= 155
    assert {kind_of(a.unit) for a, target in asked if target == "S"} == {"size"}
