"""Numbers, units and names as questions spell them."""

from __future__ import annotations

from typing import Literal

import numpy as np

Dimension = Literal["length", "speed", "acceleration"]

# Unit -> metres (and seconds) of one of it, and its words in a question.
FACTORS: dict[str, float] = {
    "m": 1.0,
    "cm": 0.01,
    "mm": 0.001,
    "m/s": 1.0,
    "cm/s": 0.01,
    "m/s^2": 1.0,
    "cm/s^2": 0.01,
}
_WORDS = {"m": "meters"}
_SUFFIX: dict[Dimension, str] = {"length": "", "speed": "/s", "acceleration": "/s^2"}
# Below the first, millimetres may be asked; below the second, centimetres are usual; above the third, never.
_TINY, _SMALL, _LARGE = 0.02, 0.6, 3.0
# Of accelerations into depth, distances tell the second difference.
_ANSWER_DIGITS, _PRIOR_DIGITS, _DISTANCE_DIGITS = 4, 5, 6


def draw_unit(rng: np.random.Generator, dimension: Dimension, value: float) -> str:
    """Draw a unit in which a value in SI is usually told."""
    chance = float(rng.random())
    if dimension == "length" and value < _TINY:
        return "mm" if chance < 0.5 else "cm"
    centi = 0.75 if value < _SMALL else 0.1 if value < _LARGE else 0.0
    return ("cm" if chance < centi else "m") + _SUFFIX[dimension]


def in_words(unit: str) -> str:
    """Return how a question names a unit."""
    return _WORDS.get(unit, unit)


def answer(value: float, unit: str) -> float:
    """Return a value in SI as the answer in a unit, with four significant digits."""
    return float(f"{value / FACTORS[unit]:.{_ANSWER_DIGITS}g}")


def number(value: float, unit: str) -> str:
    """Spell a value in SI in a unit, as exactly as a prior tells it; never with an exponent."""
    digits = _PRIOR_DIGITS
    rounded = float(f"{value / FACTORS[unit]:.{digits}g}")
    return np.format_float_positional(rounded, trim="-")


def distance(metres: float) -> str:
    """Spell a distance from the camera in m."""
    return np.format_float_positional(float(f"{metres:.{_DISTANCE_DIGITS}g}"), trim="-")


def moment(seconds: float) -> str:
    """Spell a time in s: "0.5", "1.0", "1.125"."""
    return np.format_float_positional(round(seconds, 3), trim="0")


def distance_name(name: str) -> str:
    """Return how depth information calls the distance of a thing: "distance_red_car_camera"."""
    return f"distance_{name.replace(' ', '_').replace('-', '_')}_camera"
