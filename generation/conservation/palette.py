"""The eight colors of liquids and clays (paper: Table 4 asks for eight, without naming them)."""

from __future__ import annotations

from typing import Literal, get_args

Color = Literal["red", "orange", "yellow", "green", "cyan", "blue", "purple", "pink"]
RGB = tuple[float, float, float]

COLORS: tuple[Color, ...] = get_args(Color)

# What 2.2 cm of a liquid let through, linear RGB.
TINT_DEPTH = 0.022
TINTS: dict[Color, RGB] = {
    "red": (0.74, 0.030, 0.030),
    "orange": (0.86, 0.30, 0.020),
    "yellow": (0.90, 0.72, 0.050),
    "green": (0.09, 0.58, 0.12),
    "cyan": (0.05, 0.58, 0.68),
    "blue": (0.04, 0.13, 0.72),
    "purple": (0.38, 0.06, 0.58),
    "pink": (0.86, 0.22, 0.46),
}

# Albedo of a clay, linear RGB.
CLAYS: dict[Color, RGB] = {
    "red": (0.50, 0.045, 0.040),
    "orange": (0.72, 0.22, 0.035),
    "yellow": (0.78, 0.56, 0.060),
    "green": (0.085, 0.32, 0.075),
    "cyan": (0.045, 0.38, 0.42),
    "blue": (0.045, 0.11, 0.45),
    "purple": (0.22, 0.075, 0.36),
    "pink": (0.72, 0.24, 0.36),
}
