"""Units of length, velocity and acceleration, as people and models write them.

A strict grammar says what counts as a unit; pint says what it means and converts. Nothing else reaches pint,
which by itself takes 'in', 'a' or 'car' for units. Units of other things (kg, degrees, pixels, frames) are
known by name only, so that '12 pixels' is not taken for a length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from physprobe.errors import UserError

if TYPE_CHECKING:
    from pint import UnitRegistry

Kind = Literal["size", "velocity", "acceleration"]

# The powers of length and time in each kind of quantity, and its SI unit.
_KINDS: Mapping[tuple[int, int], Kind] = {(1, 0): "size", (1, -1): "velocity", (1, -2): "acceleration"}
SI_UNITS: Mapping[Kind, str] = {"size": "m", "velocity": "m/s", "acceleration": "m/s^2"}

# What pint calls it -> how it is written (in any case, and with any of these for "er": meter, metre).
_LENGTHS = {
    "kilometer": "km kms kilometers? kilometres?",
    "meter": "m meters? metres? mtrs?",
    "decimeter": "dm decimeters? decimetres?",
    "centimeter": "cm cms centimeters? centimetres?",
    "millimeter": "mm mms millimeters? millimetres?",
    "micrometer": "µm μm um micrometers? micrometres? microns?",
    "nanometer": "nm nanometers? nanometres?",
    "inch": "in inch inches ″",
    "foot": "ft foot feet ′",
    "yard": "yd yds yards?",
    "mile": "mi miles?",
}
_TIMES = {
    "second": "s secs? seconds?",
    "millisecond": "ms msecs? milliseconds?",
    "minute": "min mins minutes?",
    "hour": "h hrs? hours?",
}
_SPEEDS = {
    "mile / hour": "mph",
    "kilometer / hour": "kmh kph kmph",
    "meter / second": "mps",
    "knot": "kn knots?",
}
_OTHERS = (
    "kg kgs kilograms? g grams? lbs? pounds? newtons? n joules? j watts? hz hertz deg degs degrees? ° °c "
    "rads? radians? % percent px pxs pixels? frames? fps litres? liters? ml times units? "
    "steps? car-lengths? body-lengths? lengths? points?"
)


def _words(names: str) -> str:
    return "|".join(sorted(names.replace("-", r"[\s-]").split(), key=len, reverse=True))


def _table(entries: Mapping[str, str]) -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(_words(names), re.IGNORECASE), name) for name, names in entries.items()]


_NAMES = _table({**_LENGTHS, **_TIMES, **_SPEEDS})
_END = r"(?![A-Za-zµμ])"  # a unit's name ends where the word does
_BASE = rf"(?:{_words(' '.join([*_LENGTHS.values(), *_TIMES.values(), *_SPEEDS.values()]))}){_END}"
_TIME = rf"(?:{_words(' '.join(_TIMES.values()))}){_END}"
_OTHER = rf"(?:{_words(_OTHERS)}){_END}"
_NAMED_POWER = r"\s*(?:\^|\*\*)\s*\(?\s*[+-]?\d\s*\)?|\s+squared|\s+cubed|\s+sq\b\.?"
# Without a sign for it, only a digit that touches: 'm/s2', 's-1'. 'm-5' is a range.
_POWER = rf"(?:{_NAMED_POWER}|(?<=[sSmM])[23](?!\d|[.,]\d)|(?<=[sScC])-[12](?!\d|[.,]\d))"
_FACTOR = rf"(?:{_BASE}|{_OTHER}){_POWER}?"
_INVERSE = rf"{_TIME}(?:\s*(?:\^|\*\*)\s*\(?\s*-\d\s*\)?|-[12](?!\d|[.,]\d))"
_DIVIDED = rf"\s*(?:/|÷|\bper\b)\s*(?:an?\s+)?\(?\s*{_FACTOR}\s*(?:[·*]\s*{_FACTOR}\s*)?\)?"
UNIT = rf"(?:{_FACTOR}(?:{_DIVIDED}|\s*[·.*⋅]?\s*{_INVERSE})*)"

_UNIT = re.compile(UNIT, re.IGNORECASE)
_FULL_FACTOR = re.compile(rf"({_OTHER})|({_BASE})({_POWER})?", re.IGNORECASE)


@dataclass(frozen=True)
class Unit:
    """A unit that was read.

    Attributes:
        name: as pint writes it ("meter / second ** 2"); of other quantities, as it was written.
        kind: of what it is a unit; "other" for time, mass, angles, pixels, areas ...
    """

    name: str
    kind: Kind | Literal["other"]


def match_unit(text: str, start: int = 0) -> tuple[Unit, int] | None:
    """Read the unit that starts exactly at ``start``; return it with where it ends, or None.

    Exponents are written '^2', '**2', 'squared' or as a digit that touches ('s2'); superscripts must
    have been replaced by '^2' before.
    """
    found = _UNIT.match(text, start)
    return None if found is None else (_interpret(found.group()), found.end())


def parse_unit(text: str) -> Unit | None:
    """Read a text that is nothing but a unit, or return None."""
    found = match_unit(text.strip())
    return found[0] if found and found[1] == len(text.strip()) else None


def asked_unit(text: str) -> Unit:
    """Read the unit that a question asks for.

    Raises:
        UserError: it is no unit of size, velocity or acceleration.
    """
    unit = parse_unit(text)
    if unit is None or unit.kind == "other":
        raise UserError(f"{text!r} is no unit of size, velocity or acceleration, such as m, cm/s or m/s^2")
    return unit


def convert(value: float, source: Unit, target: Unit) -> float:
    """Convert a value from one unit to another of the same kind: in decimal digits, then rounded once."""
    if source.name == target.name:
        return value
    # In binary, 33.38 cm would be 0.33380000000000004 m.
    return float(Decimal(repr(value)) * Decimal(repr(_factor(source.name, target.name))))


@lru_cache(maxsize=1)
def _registry() -> UnitRegistry:
    from pint import UnitRegistry

    return UnitRegistry(cache_folder=None)


@lru_cache(maxsize=256)
def _factor(source: str, target: str) -> float:
    return float(_registry().convert(1.0, source, target))


@lru_cache(maxsize=1024)
def _interpret(text: str) -> Unit:
    factors = list(_factors(text))
    if any(name == "" for name, _ in factors):
        return Unit(text, "other")
    name = " * ".join(f"({name}) ** {power}" for name, power in factors)
    parsed = _registry().parse_units(name)
    dimension = {str(base): round(float(power)) for base, power in parsed.dimensionality.items()}  # type: ignore[arg-type]
    powers = dimension.get("[length]", 0), dimension.get("[time]", 0)
    return Unit(str(parsed), _KINDS.get(powers, "other"))


def _factors(text: str) -> Iterator[tuple[str, int]]:
    """Yield each factor's pint name ('' of other quantities) and power; all after a slash are divided by."""
    divided, end = 1, 0
    for match in _FULL_FACTOR.finditer(text):
        if re.search(r"/|÷|per", text[end : match.start()], re.IGNORECASE):
            divided = -1
        end = match.end()
        yield _name(match.group(2)) if match.group(2) else "", divided * _power(match.group(3) or "")


def _name(written: str) -> str:
    return next(name for pattern, name in _NAMES if pattern.fullmatch(written))


def _power(written: str) -> int:
    if "cubed" in written.lower():
        return 3
    if "sq" in written.lower():
        return 2
    digits = re.search(r"[+-]?\d", written)
    return int(digits.group()) if digits else 1
