"""Finds every quantity of a plain text: number, range or fraction, with its unit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from physprobe.quantiphy.reading_numbers import NUMBER, value_of
from physprobe.quantiphy.units import Unit, convert, match_unit

_RANGE = re.compile(r"\s*(?:-|–|~|to|through|and)\s*(?=[-+.\d])", re.IGNORECASE)
_TOLERANCE = re.compile(r"\s*(?:±|\+/-|\+-)\s*")
_SPACE = re.compile(r"\s*-?\s*")
_BEFORE_UNIT = re.compile(
    r"""\s*(?:[(\[]\s*|[,;]?\s*["']?units?["']?\s*[:=]\s*["']?|in\s+(?:units?\s+of\s+)?|,\s*(?=\w+\W*$))""",
    re.IGNORECASE,
)
_INCH_MARKS = re.compile(r"(?<![\w.])(\d+)\s?['′]\s?(\d+(?:\.\d+)?)\s?(?:\"|″|'')")
_INCH_NO_WORD = re.compile(r"\s*(?:$|[.,;:!?)\]]|(?:long|wide|tall|high|thick|deep)\b)", re.IGNORECASE)
_OPERATOR_AFTER = re.compile(r"\s*[×*·/÷+](?!\w*[A-Za-z])|\s*[xX]\s*[\d(]|\s*\^")
_OPERATOR_BEFORE = re.compile(r"(?:[×*·/÷+√]|(?<=[\d)])\s?[xX]|\d\s*[-–])\s*\(?\s*$")
_APPROXIMATE = (
    r"(?:about|approx(?:\.|imate(?:ly)?)?|around|roughly|nearly|almost|circa|ca\.|some|~|≈|"
    r"estimated(?:\s+(?:at|to\s+be))?|on\s+the\s+order\s+of)"
)
_APPROXIMATE_BEFORE = re.compile(rf"{_APPROXIMATE}\s*$", re.IGNORECASE)
_BOUND_BEFORE = re.compile(
    r"(?:(?:less|more|greater|smaller|larger|higher|lower|faster|slower|longer)\s+than|at\s+(?:least|most)|"
    r"up\s+to|over|under|below|above|[<>≤≥])\s*$",
    re.IGNORECASE,
)
# A pair such as '1 m 20 cm': the second unit is the smaller one.
_PAIRS = {("meter", "centimeter"), ("meter", "millimeter"), ("centimeter", "millimeter")}
_PAIRS |= {("foot", "inch"), ("kilometer", "meter"), ("yard", "foot")}
_BETWEEN = re.compile(r"\s*(?:,|and)?\s*", re.IGNORECASE)


_WINDOW = 60  # characters before a number that can say something about it


@dataclass(frozen=True)
class Quantity:
    """A number with its unit.

    Attributes:
        value: in ``unit``. unit: None where none follows. start, end: where it stands.
        flags: "approximate", "range" (the value is its middle), "tolerance", "bound" (at least, below ...).
        operand: whether it is part of a calculation that is not carried out here.
    """

    value: float
    unit: Unit | None
    start: int
    end: int
    flags: frozenset[str] = frozenset()
    operand: bool = False


def before(text: str, position: int) -> str:
    """Return what stands right before a position, as far as it can matter."""
    return text[max(0, position - _WINDOW) : position]


def find_quantities(text: str) -> list[Quantity]:
    """Find all quantities of a plain text, in order."""
    text = _INCH_MARKS.sub(r"\1 ft \2 in", text)
    for mark, unit in (('"', "in"), ("'", "ft")):
        if text.count(mark) == 1:  # else they quote something
            text = re.sub(rf"(?<=\d){mark}(?=\s*(?:$|[.,;)]))", f" {unit}", text)
    return _joined(text, list(_scan(text)))


def _scan(text: str) -> Iterator[Quantity]:
    position = 0
    while (match := NUMBER.search(text, position)) is not None:
        quantity = _described(text, _ranged(text, _single(text, match)))
        position = max(quantity.end, match.end())
        yield quantity


def _single(text: str, match: re.Match[str]) -> Quantity:
    unit, end = _unit_after(text, match.end())
    quantity = Quantity(value_of(match), unit, match.start(), end)
    tolerance = _TOLERANCE.match(text, end)
    other = NUMBER.match(text, tolerance.end()) if tolerance else None
    if other is None:
        return quantity
    second, end = _unit_after(text, other.end())
    return replace(quantity, unit=unit or second, end=end, flags=frozenset({"tolerance"}))


def _unit_after(text: str, end: int) -> tuple[Unit | None, int]:
    """Read the unit after a number, also in brackets or after 'in' or 'unit:'."""
    space = _SPACE.match(text, end)
    start = space.end() if space else end
    found = match_unit(text, start)
    if found is not None and _is_inch_or_not_in(text, start, found[1]):
        return found
    before = _BEFORE_UNIT.match(text, end)
    found = match_unit(text, before.end()) if before else None
    if found is None:
        return None, end
    closing = re.compile(r"\s*[)\]\"']").match(text, found[1])
    return found[0], closing.end() if closing else found[1]


def _is_inch_or_not_in(text: str, start: int, end: int) -> bool:
    return text[start:end].lower() != "in" or _INCH_NO_WORD.match(text, end) is not None


def _ranged(text: str, first: Quantity) -> Quantity:
    """Take 'A to B' as its middle, unless something moved from A to B."""
    connector = _RANGE.match(text, first.end)
    match = NUMBER.match(text, connector.end()) if connector else None
    if connector is None or match is None or "tolerance" in first.flags:
        return first
    if not _connects(before(text, first.start), connector.group().strip().lower()):
        return first
    second = _single(text, match)
    unit = second.unit or first.unit
    if unit is None or second.unit is None:
        low, high = first.value, second.value
        comparable = first.unit is None or second.unit is not None
    else:
        comparable = first.unit is None or first.unit.kind == unit.kind != "other" or first.unit == unit
        low = convert(first.value, first.unit, unit) if first.unit and comparable else first.value
        high = second.value
    if not comparable or not low < high:
        return first
    return Quantity((low + high) / 2, unit, first.start, second.end, second.flags | {"range"})


def _connects(context: str, word: str) -> bool:
    if word == "and":
        return re.search(r"\bbetween\s*$", context, re.IGNORECASE) is not None
    moved = re.search(r"\bfrom\s*$", context, re.IGNORECASE)
    return moved is None or re.search(r"\brang\w+\s+from\s*$", context, re.IGNORECASE) is not None


def _described(text: str, quantity: Quantity) -> Quantity:
    context, flags = before(text, quantity.start), set(quantity.flags)
    if _APPROXIMATE_BEFORE.search(re.sub(r"\bbetween\s*$", "", context)):
        flags.add("approximate")
    if _BOUND_BEFORE.search(context):
        flags.add("bound")
    after = _OPERATOR_AFTER.match(text, quantity.end)
    operand = after is not None or _OPERATOR_BEFORE.search(context) is not None
    return replace(quantity, flags=frozenset(flags), operand=operand)


def _joined(text: str, found: list[Quantity]) -> list[Quantity]:
    """Join '1 m 20 cm' and '5 ft 10 in'."""
    joined: list[Quantity] = []
    for quantity in found:
        last = joined[-1] if joined else None
        if last and _are_one(text, last, quantity) and last.unit and quantity.unit:
            value = last.value + convert(quantity.value, quantity.unit, last.unit)
            joined[-1] = replace(last, value=value, end=quantity.end, operand=quantity.operand)
        else:
            joined.append(quantity)
    return joined


def _are_one(text: str, first: Quantity, second: Quantity) -> bool:
    if not (first.unit and second.unit) or (first.unit.name, second.unit.name) not in _PAIRS:
        return False
    return _BETWEEN.fullmatch(text, first.end, second.start) is not None
