"""The known quantity of a question ('diameter of the tennis ball = 6.7cm'), read and scaled.

The official files write it in many ways: 'gravity acc = 9.8m/s^2', 't=1.5, ball acceleration = 3.0m/s^2',
'pedestrian walking speed ~1.1 m/s', two of them on two lines. What can't be read is said with the reason,
such as an acceleration given in m/s.

Counterfactual priors (paper section 5.2) multiply it. All lengths of the scene, and with them velocities and
accelerations, are known only up to one factor that the prior fixes, so every true answer is multiplied as
well; distances to the camera are lengths of the same scene.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from physprobe.errors import UserError
from physprobe.quantiphy.units import SI_UNITS, Kind, asked_unit, convert, match_unit

SMALLEST_FACTOR, LARGEST_FACTOR = 0.001, 700.0  # of the paper

_NUMBER = r"[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?"
_LINE = re.compile(
    rf"\s*(?:t\s*=\s*(?P<t>{_NUMBER})\s*s?\s*,)?(?P<what>[^=~≈\n]*?)\s*(?P<sign>[=~≈])\s*(?P<number>{_NUMBER})\s*",
    re.IGNORECASE,
)
_MEASURES: dict[Kind, str] = {
    "acceleration": r"acceleration|acc\b",
    "velocity": r"speed|velocity",
    "size": r"length|lenth|width|height|diameter|radius|size|thickness|depth|distance|calibre|wingspan",
}
_MEASURE = re.compile(
    r"(?:\b(?:average|total|the|horizontal|vertical|mean|initial|final|wheel|lifting|walking)\s+)*"
    rf"(?:{'|'.join(f'(?P<{kind}>{words})' for kind, words in _MEASURES.items())})",
    re.IGNORECASE,
)
_WHEN = re.compile(
    rf"\b(?:at|before|after)\s+(?:t\s*=\s*)?{_NUMBER}\s*s\b|\bfrom\s+{_NUMBER}\s*s?\s+to\s+{_NUMBER}\s*s\b",
    re.IGNORECASE,
)
_DEPTH = re.compile(rf"[^\n]*?distance[^\n=]*=\s*(?P<number>{_NUMBER})")


@dataclass(frozen=True)
class Prior:
    """One known quantity.

    Attributes:
        kind: of the quantity. measure: the words for it ("diameter", "average speed").
        value, unit: as given. si_value: in m, m/s or m/s^2.
        subject: what it is a quantity of ("tennis ball", "gravity"), "" where not said.
        when: the instant or interval it holds for ("at 0.5s", "before 0.45s"), "" where not said.
        approximate: given with '~'.
        start, end: where the number stands in the text.
    """

    kind: Kind
    measure: str
    value: float
    unit: str
    si_value: float
    subject: str
    when: str
    approximate: bool
    start: int
    end: int


@dataclass(frozen=True)
class PriorReading:
    """What was read from a prior's text: its quantities, one a line, or why it can't be read."""

    priors: tuple[Prior, ...]
    reason: str = ""


def read_prior(text: str) -> PriorReading:
    """Read a prior in any way the official files write it."""
    found, start = [], 0
    for line in text.splitlines(keepends=True):
        if line.strip():
            prior = _read_line(line, start)
            if isinstance(prior, str):
                return PriorReading((), prior)
            found.append(prior)
        start += len(line)
    return PriorReading(tuple(found), "" if found else "it is empty")


def scale_prior(text: str, factor: float) -> str:
    """Multiply each quantity of a prior, changing its digits and nothing else.

    Args:
        text: of the prior. factor: > 0.

    Returns:
        The exact product in plain decimal digits: 'height = 1.75 m' by 0.001 is 'height = 0.00175 m'.

    Raises:
        UserError: the prior can't be read.
    """
    reading = read_prior(text)
    if reading.reason:
        raise UserError(f"can't scale the prior {text!r}: {reading.reason}")
    return _scaled(text, ((prior.start, prior.end) for prior in reading.priors), factor)


def scale_depth_info(text: str, factor: float) -> str:
    """Multiply each distance of a question's depth info ('t=1s, distance_ball_camera = 3.21 m').

    Raises:
        UserError: a line is no such distance.
    """
    for line in text.splitlines():
        if line.strip() and not _DEPTH.match(line):
            raise UserError(
                f"can't scale the depth info {line.strip()!r}: it is no 'distance_... = number m'"
            )
    return _scaled(text, (match.span("number") for match in _DEPTH.finditer(text)), factor)


def scale_truth(truth: float, factor: float) -> float:
    """Return the true answer once the prior has been multiplied: in decimal digits, then rounded once."""
    return float(Decimal(repr(truth)) * _decimal(factor))


def _read_line(line: str, offset: int) -> Prior | str:
    match = _LINE.match(line)
    if match is None:
        return "there is no 'quantity = number unit'"
    what = match["what"]
    measure = _MEASURE.search(what)
    if measure is None:
        return f"{what.strip()!r} names no size, velocity or acceleration"
    kind = next(kind for kind in _MEASURES if measure[kind])
    unit = match_unit(line, match.end())
    if unit is None or line[unit[1] :].strip(" .;,\r\n"):
        return f"{line[match.end() :].strip()!r} is no unit"
    written = line[match.end() : unit[1]]
    if unit[0].kind != kind:
        return f"the unit {written} is none of {kind}"
    value = float(match["number"])
    when = _WHEN.search(what)
    return Prior(
        kind=kind,
        measure=re.sub(r"^the\s+", "", measure.group().lower()),
        value=value,
        unit=written,
        si_value=convert(value, unit[0], asked_unit(SI_UNITS[kind])),
        subject=_subject(what, measure),
        when=f"at {match['t']}s" if match["t"] else when.group() if when else "",
        approximate=match["sign"] != "=",
        start=offset + match.start("number"),
        end=offset + match.end("number"),
    )


def _subject(what: str, measure: re.Match[str]) -> str:
    words = what[: measure.start()] + " " + what[measure.end() :]
    words = _WHEN.sub(" ", words).replace("_", " ")
    return re.sub(r"\s+", " ", re.sub(r"^\s*(?:of\s+)?(?:the\s+)?", "", words)).strip(" ,")


def _decimal(factor: float) -> Decimal:
    if not factor > 0 or factor == float("inf"):
        raise ValueError(f"factor must be a positive number, got {factor}")
    return Decimal(repr(float(factor)))


def _scaled(text: str, spans: Iterable[tuple[int, int]], factor: float) -> str:
    multiplier, parts, last = _decimal(factor), [], 0
    for start, end in spans:
        product = (Decimal(text[start:end]) * multiplier).normalize()
        parts += [text[last:start], f"{product:f}"]
        last = end
    return "".join([*parts, text[last:]])
