"""What a question, a prior and depth info say, in the wording of our dataset."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from physprobe.errors import UserError
from physprobe.quantiphy.priors import read_prior

GRAVITY = "gravity"

_TIME = r"(\d+(?:\.\d+)?) s"
_INTERVAL = rf"(?:between|from) {_TIME} (?:and|to) {_TIME}"
_PATTERNS: tuple[tuple[str, str], ...] = (
    ("distance", rf"distance between the centers of the (.+?) and the (.+?) at {_TIME}"),
    ("distance", rf"^At {_TIME}, how far is the center of the (.+?) from the center of the (.+?) in "),
    ("displacement", rf"displacement of the (.+?) {_INTERVAL}"),
    ("horizontal_speed", rf"horizontal component of the instantaneous velocity of the (.+?) at {_TIME}"),
    ("average_acceleration", rf"average acceleration of the (.+?) {_INTERVAL}"),
    ("average_velocity", rf"average (?:speed|velocity) of the (.+?) {_INTERVAL}"),
    ("acceleration", rf"instantaneous acceleration of the (.+?) at {_TIME}"),
    ("speed", rf"instantaneous (?:speed|velocity) of the (.+?) at {_TIME}"),
    ("size", r"^What is the (.+?) of the (.+?) in "),
)
_DEPTH = re.compile(
    r"^(?:t=(?P<t>\d+(?:\.\d+)?)s?, *)?distance_(?P<what>\w+)_camera = (?P<d>\d+(?:\.\d+)?) m$"
)


@dataclass(frozen=True)
class Wanted:
    """Something that can be measured.

    Attributes:
        quantity: "size", "distance", "displacement", "speed", "horizontal_speed", "acceleration",
            "average_velocity" or "average_acceleration".
        things: one name, or two; none for gravity, which acts on whatever falls.
        times: s; none where it holds throughout. measure: word of a size, else "".
    """

    quantity: str
    things: tuple[str, ...]
    times: tuple[float, ...] = ()
    measure: str = ""


def read_question(text: str) -> Wanted:
    """Read a question of our dataset.

    Raises:
        UserError: it is worded in none of our ways.
    """
    for quantity, pattern in _PATTERNS:
        match = re.search(pattern, text)
        if match is None:
            continue
        if quantity == "size":
            return Wanted("size", (match[2],), measure=match[1])
        words = match.groups()
        times = tuple(float(word) for word in words if re.fullmatch(r"\d+(?:\.\d+)?", word))
        return Wanted(quantity, tuple(word for word in words if _number(word) is None), times)
    raise UserError(
        f"quantiphy_geometry can't read the question {text!r}: it reads those of our dataset only"
    )


def _number(word: str) -> float | None:
    """Return a number in decimal digits, None for other words."""
    return float(word) if re.fullmatch(r"\d+(?:\.\d+)?", word) else None


def read_given(text: str) -> tuple[Wanted, float]:
    """Read the prior: what it is a measure of, and its value in SI.

    Raises:
        UserError: it can't be read.
    """
    reading = read_prior(text)
    if reading.reason:
        raise UserError(f"quantiphy_geometry can't read the prior {text!r}: {reading.reason}")
    prior = reading.priors[0]
    times = tuple(float(t) for t in re.findall(r"\d+(?:\.\d+)?", prior.when))
    if prior.subject == GRAVITY:
        return Wanted("acceleration", ()), prior.si_value
    if prior.kind == "size":
        measure, _, subject = text[: prior.start].rpartition(" = ")[0].partition(" of the ")
        return Wanted("size", (subject,), measure=measure), prior.si_value
    quantity = {"velocity": "speed", "acceleration": "acceleration"}[prior.kind]
    return Wanted(quantity, (prior.subject,), times), prior.si_value


def read_distances(text: str, names: Iterable[str]) -> dict[str, dict[float | None, float]]:
    """Read depth info: for each thing its distances from the camera in m by time in s, None if it rests.

    Raises:
        UserError: a line can't be read, or names nothing in the clip.
    """
    known: Mapping[str, str] = {re.sub(r"[ -]", "_", name): name for name in names}
    found: dict[str, dict[float | None, float]] = {}
    for line in text.splitlines():
        match = _DEPTH.match(line.strip())
        if match is None or match["what"] not in known:
            raise UserError(f"quantiphy_geometry can't read the depth info {line!r}")
        time = None if match["t"] is None else float(match["t"])
        found.setdefault(known[match["what"]], {})[time] = float(match["d"])
    return found
