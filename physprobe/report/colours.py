"""Colours of figures, which the page replaces by those of its theme."""

from __future__ import annotations

from typing import NamedTuple


class Colour(NamedTuple):
    """A colour: in files, and as a property of the page's style sheet."""

    hex: str
    variable: str


INK = Colour("#1d2329", "--ink")
MUTED = Colour("#66707b", "--muted")
RULE = Colour("#dfe3e8", "--rule")
PAPER = Colour("#fefefd", "--paper")
BLUE = Colour("#2b62b5", "--blue")
ORANGE = Colour("#c2571a", "--orange")
GREEN = Colour("#2e7d4f", "--green")
PURPLE = Colour("#7b4fa3", "--purple")
GOLD = Colour("#a67c00", "--gold")

ALL = (INK, MUTED, RULE, PAPER, BLUE, ORANGE, GREEN, PURPLE, GOLD)
# For kinds of things, in this order.
SERIES = (BLUE, ORANGE, GREEN, PURPLE, GOLD)
