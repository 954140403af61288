"""What a question asks for: the unit of its answer, read from its words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from physprobe.quantiphy.units import SI_UNITS, UNIT, Kind, asked_unit, parse_unit

# 'in m/s', 'in meters', and as the files have it 'between 0.10s and 0.30sin meters', 'at 0.60s cm/s?'.
_STATED = re.compile(
    rf"(?:\bin|(?<=\ds)in|(?<=\ds)(?=\s+(?!in\b)))\s+(?P<unit>{UNIT})(?=[\s?？.,]|$)", re.IGNORECASE
)
_KIND_WORDS: tuple[tuple[Kind, str], ...] = (
    ("acceleration", r"acceleration"),
    ("velocity", r"velocity|speed|fast"),
)


@dataclass(frozen=True)
class Asked:
    """The unit of the answer.

    Attributes:
        unit: as written, or the SI unit of the kind that the words name. stated: whether it was written.
    """

    unit: str
    stated: bool


def asked_of(question: str) -> Asked:
    """Find the unit that a question asks for; without one, the SI unit of what it asks for."""
    for match in reversed(list(_STATED.finditer(question))):
        unit = parse_unit(match["unit"])
        if unit is not None and unit.kind != "other":
            return Asked(match["unit"], True)
    named = [kind for kind, words in _KIND_WORDS if re.search(words, question, re.IGNORECASE)]
    return Asked(SI_UNITS[named[0] if named else "size"], False)


def kind_of(unit: str) -> Kind:
    """Return what a unit is one of.

    Raises:
        UserError: it is no unit of size, velocity or acceleration.
    """
    kind = asked_unit(unit).kind
    assert kind != "other"
    return kind
