from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physprobe.errors import UserError
from physprobe.quantiphy.reading import FLAGS, REASONS, RULES, read_answer
from tests.physprobe.quantiphy.reading_table import TABLE

UNITS = ["m", "cm", "mm", "m/s", "cm/s", "m/s^2", "cm/s^2"]
SPELLED = {
    "m": ["m", "meters", "metres", "(m)", "\\text{m}"],
    "cm": ["cm", "centimeters", "CM"],
    "mm": ["mm", "millimetres"],
    "m/s": ["m/s", "m s^-1", "meters per second", "m·s⁻¹", "\\frac{m}{s}", "\\,\\mathrm{m\\,s^{-1}}"],
    "cm/s": ["cm/s", "cm per second", "centimetres/sec"],
    "m/s^2": ["m/s^2", "m/s²", "m/s2", "m s⁻²", "meters per second squared", "m/s**2", "\\text{m/s}^2"],
    "cm/s^2": ["cm/s^2", "cm/s²", "cm per second squared", "cm s^{-2}"],
}
WRAPPED = [
    "{}", "{}.", "**{}**", "Answer: {}", "The answer is {}.", "\\boxed{{{}}}", "<answer>{}</answer>", "${}$",
    "The car is 5.67 m long, 0.5 s pass at 3.0 m/s and 9.8 m/s^2.\n\nAnswer: {}", "It is about {}",
    "<think>12 m? 13 cm/s? 1 m/s^2?</think>{}", "I think = {}", "{}\n\nThis follows from t = 2 s.",
]  # fmt: skip
PIECES = ["3", ".5", " ", "m", "cm/s^2", "=", "(", ")", ",", ".", "-", "–", "**", "\\boxed{", "}", "Answer:"]
PIECES += ["×", "^2", "10", "e", "t=1", "s", "½", "±", "\n"]
VALUES = st.decimals(min_value="0.001", max_value=900, places=3, allow_nan=False).map(float)


@pytest.mark.parametrize(("answer", "unit", "expected"), TABLE)
def test_table(answer: str, unit: str, expected: float | str) -> None:
    reading = read_answer(answer, unit)
    if isinstance(expected, str):
        assert (reading.value, reading.reason, reading.rule) == (None, expected, "")
    else:
        assert reading.value is not None
        assert math.isclose(reading.value, expected, rel_tol=1e-12)
        assert (reading.reason, reading.rule in RULES) == ("", True)


def test_the_table_is_long_and_shows_every_reason_rule_and_flag() -> None:
    assert len(TABLE) >= 150
    assert len({answer for answer, _, _ in TABLE}) >= 245
    readings = [read_answer(answer, unit) for answer, unit, _ in TABLE]
    assert {reading.reason for reading in readings} == {"", *REASONS}
    assert {reading.rule for reading in readings} == {"", *RULES}
    assert {flag for reading in readings for flag in reading.flags} == set(FLAGS)


@pytest.mark.parametrize(
    ("answer", "unit", "flags"),
    [
        ("about 3-4 m", "m", ("approximate", "range")),
        ("3.5 ± 0.2 m", "m", ("tolerance",)),
        ("at least 350 cm", "m", ("bound", "converted")),
        ("3.5", "m", ("no_unit",)),
        ("The width is roughly 3.5 at t = 1.", "m", ("approximate", "no_unit")),
        ("3.5 m", "m", ()),
    ],
)
def test_flags(answer: str, unit: str, flags: tuple[str, ...]) -> None:
    assert read_answer(answer, unit).flags == flags


@settings(max_examples=150, deadline=None)
@given(st.data(), st.sampled_from(UNITS), VALUES)
def test_what_is_written_is_read(data: st.DataObject, unit: str, value: float) -> None:
    spelled = data.draw(st.sampled_from(SPELLED[unit]))
    wrapped = data.draw(st.sampled_from(WRAPPED))
    reading = read_answer(wrapped.format(f"{value!r} {spelled}"), unit)
    assert reading.value == pytest.approx(value, rel=1e-12), (wrapped, spelled, reading)
    assert "converted" not in reading.flags


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 9999), st.integers(-6, 9), st.sampled_from(["e{}", "×10^{}", " x 10^{}", "*10**{}"]))
def test_scientific_notation(digits: int, power: int, form: str) -> None:
    value = digits / 1000
    reading = read_answer(f"{value}{form.format(power)} m", "m")
    assert reading.value == pytest.approx(value * 10.0**power, rel=1e-12)


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 10**9))
def test_thousands_separators_change_nothing(value: int) -> None:
    for text in (f"{value:,}", f"{value:,}".replace(",", "\u202f"), f"{value:,}".replace(",", "'")):
        assert read_answer(f"{text} mm", "mm").value == value


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(UNITS), st.sampled_from(UNITS), VALUES)
def test_units_are_converted_within_their_dimension_only(given_unit: str, asked: str, value: float) -> None:
    reading = read_answer(f"{value!r} {given_unit}", asked)
    scale = {"m": 1.0, "c": 0.01}
    if given_unit.partition("/")[2] != asked.partition("/")[2]:
        assert (reading.value, reading.reason) == (None, "other_dimension")
    else:
        factor = [0.001 if unit == "mm" else scale[unit[0]] for unit in (given_unit, asked)]
        assert reading.value == pytest.approx(value * factor[0] / factor[1], rel=1e-12)
        assert ("converted" in reading.flags) == (given_unit != asked)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=200), st.sampled_from(UNITS))
def test_any_text_is_read_or_has_a_reason(text: str, unit: str) -> None:
    reading = read_answer(text, unit)
    assert (reading.value is None) == (reading.reason in REASONS)
    assert reading.value is None or math.isfinite(reading.value)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=14))
def test_any_mixture_of_what_answers_are_made_of_is_read_or_has_a_reason(parts: list[str]) -> None:
    reading = read_answer("".join(parts), "m")
    assert (reading.value is None) == (reading.reason in REASONS)


def test_long_answers_take_no_time() -> None:
    for part in (
        "1 ",
        "1,",
        "m/",
        "one ",
        "(",
        "**",
        "^2",
        "1 1/",
        "a = 3.5 m. ",
        "\\text{",
        "-",
        "about ",
        "{",
    ):
        reading = read_answer(part * 1000, "m")
        assert (reading.value is None) == (reading.reason in REASONS)


@pytest.mark.parametrize("unit", ["", "kg", "s", "meter-ish", "m^2", "3 m"])
def test_asked_units_must_be_units(unit: str) -> None:
    with pytest.raises(UserError, match="is no unit of size, velocity or acceleration"):
        read_answer("3.5", unit)
