"""Colours with names that a person would use, linear RGB."""

from __future__ import annotations

RGB = tuple[float, float, float]

COLORS: dict[str, RGB] = {
    "red": (0.60, 0.030, 0.026),
    "orange": (0.80, 0.22, 0.015),
    "yellow": (0.86, 0.67, 0.045),
    "green": (0.040, 0.30, 0.075),
    "blue": (0.030, 0.13, 0.56),
    "purple": (0.21, 0.050, 0.40),
    "pink": (0.82, 0.25, 0.38),
    "brown": (0.23, 0.105, 0.045),
    "white": (0.80, 0.80, 0.78),
    "gray": (0.27, 0.27, 0.28),
    "black": (0.022, 0.022, 0.025),
}
