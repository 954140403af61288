from __future__ import annotations

import pytest

from physprobe.quantiphy.units import SI_UNITS, asked_unit, convert, match_unit, parse_unit


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("m", "meter", "size"),
        ("CM", "centimeter", "size"),
        ("feet", "foot", "size"),
        ("m/s", "meter / second", "velocity"),
        ("cm per sec", "centimeter / second", "velocity"),
        ("m·s^-1", "meter / second", "velocity"),
        ("km/h", "kilometer / hour", "velocity"),
        ("mph", "mile / hour", "velocity"),
        ("m/s2", "meter / second ** 2", "acceleration"),
        ("m sec-2", "meter / second ** 2", "acceleration"),
        ("m/(s^2)", "meter / second ** 2", "acceleration"),
        ("m/(s·s)", "meter / second ** 2", "acceleration"),
        ("meter per second per second", "meter / second ** 2", "acceleration"),
        ("m^2", "meter ** 2", "other"),
        ("s", "second", "other"),
        ("m/s^-1", "meter * second", "other"),
        ("m/px", "m/px", "other"),
        ("kg", "kg", "other"),
        ("%", "%", "other"),
    ],
)
def test_units_are_read(text: str, name: str, kind: str) -> None:
    unit = parse_unit(text)
    assert unit is not None
    assert (unit.name, unit.kind) == (name, kind)


@pytest.mark.parametrize("text", ["", "car", "a", "meterlong", "m s", "per second", "5 m", "msx", "m/", "/s"])
def test_nothing_else_is_a_unit(text: str) -> None:
    assert parse_unit(text) is None


def test_a_unit_ends_before_what_is_none() -> None:
    found = match_unit("12.5 cm/s^2.", 5)
    assert found is not None
    assert found[1] == len("12.5 cm/s^2")
    assert match_unit("5 m-6 m", 2) == (parse_unit("m"), 3)


def test_si_units_convert_to_themselves_and_others_by_their_factor() -> None:
    for text in SI_UNITS.values():
        assert convert(1 / 3, asked_unit(text), asked_unit(text)) == 1 / 3
    assert convert(36, asked_unit("km/h"), asked_unit("m/s")) == pytest.approx(10, rel=1e-15)
