"""Tables as a page shows them: bounds folded into their estimate, no more digits than the data carry."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from physprobe.analysis.finding import Finding
from physprobe.analysis.printing import bounds_of
from physprobe.report.glossary import heading, meaning
from physprobe.report.model import Strip

ABSENT = "–"

# What numbers are made of is read after the numbers.
_LAST = ("n", "pairs")
# Texts in these columns name columns of other tables.
_NAMING = ("score", "factor", "effect")
_ENDS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)
_P_NAMES = ("p", "p_holm", "p_gg", "p_hf", "p_corrected", "mauchly_p", "mcnemar_p", "mcnemar_p_holm")


@dataclass(frozen=True)
class Scale:
    """What a strip is drawn on: its ends, and its lines as (label, place from 0 to 1)."""

    low: float
    high: float
    lines: tuple[tuple[str, float], ...]

    def place(self, value: float) -> float:
        """Return where a value is, from 0 to 1."""
        return min(max((value - self.low) / (self.high - self.low), 0.0), 1.0)


@dataclass(frozen=True)
class Column:
    """A column on the page.

    Attributes:
        name: in the data. heading, meaning: in words. kind: "text", "number" or "estimate" (with bounds).
        strip: drawn beside the numbers, if any.
    """

    name: str
    heading: str
    meaning: str
    kind: str
    strip: Scale | None = None


@dataclass(frozen=True)
class Cell:
    """One cell: its text, its bounds' text, what to sort by, and places in a strip from 0 to 1."""

    text: str
    bounds: str = ""
    order: str = ""
    places: tuple[float, float, float] | None = None


@dataclass(frozen=True)
class Row:
    """One row: its cells, its number of observations, and the model it speaks of, if it is one."""

    cells: tuple[Cell, ...]
    n: str
    model: str


@dataclass(frozen=True)
class Table:
    """A finding, laid out."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]


def lay_out(finding: Finding, strips: Sequence[Strip] = ()) -> Table:
    """Lay a finding's table out.

    Args:
        finding: its columns NAME_low and NAME_high are folded into NAME. strips: columns to draw as well.
    """
    table = finding.table
    bounds = {str(name): _all_bounds(table, str(name)) for name in table.columns}
    hidden = {bound for name, found in bounds.items() for bound in found if bound != name}
    names = sorted((str(name) for name in table.columns if name not in hidden), key=_LAST.__contains__)
    drawn = {strip.column: strip for strip in strips}
    columns = tuple(_column(table, name, bounds[name], drawn.get(name)) for name in names)
    digits = _digits_of_estimates(table, bounds)
    made = [list(_cells(table, column, bounds[column.name], digits)) for column in columns]
    counts = table["n"] if "n" in table else [""] * len(table)
    models = table["model"] if "model" in table else [""] * len(table)
    rows = zip(zip(*made, strict=True) if made else (), counts, models, strict=True)
    return Table(columns, tuple(Row(cells, _whole(n), str(model)) for cells, n, model in rows))


def _all_bounds(table: pd.DataFrame, name: str) -> tuple[str, ...]:
    """Name the bounds of an estimate; an interval without a value of its own stands for itself."""
    found = bounds_of(table, name)
    low = name.removesuffix("_low")
    if not found and low != name and low not in table and f"{low}_high" in table:
        return (name, f"{low}_high")
    return found


def _column(table: pd.DataFrame, name: str, bounds: tuple[str, ...], strip: Strip | None) -> Column:
    numeric = pd.api.types.is_numeric_dtype(table[name]) and not pd.api.types.is_bool_dtype(table[name])
    kind = "estimate" if bounds else "number" if numeric else "text"
    shown = name.removesuffix("_low") if bounds and bounds[0] == name else name
    scale = _scale(table, strip, bounds) if strip and bounds else None
    return Column(name, heading(shown), meaning(shown), kind, scale)


def _scale(table: pd.DataFrame, strip: Strip, bounds: tuple[str, ...]) -> Scale:
    high = strip.high
    if high is None:
        drawn = [*table[bounds[1]].dropna(), *table[strip.column].dropna()]
        most = max([*drawn, *(line.value for line in strip.references)], default=1.0)
        high = next((end for end in _ENDS if end >= most), most)
    scale = Scale(strip.low, high, ())
    return Scale(strip.low, high, tuple((line.label, scale.place(line.value)) for line in strip.references))


def _digits_of_estimates(table: pd.DataFrame, bounds: Mapping[str, tuple[str, ...]]) -> int:
    """Choose decimals for all estimates within 1 of 0: those that a typical interval bears, at least 2."""
    widths = sorted(
        width
        for name, (low, high) in ((name, found) for name, found in bounds.items() if found)
        if table[name].abs().max() <= 1
        for width in (table[high] - table[low]).dropna()
        if width > 0
    )
    return max(_bearable(widths[len(widths) // 2]), 2) if widths else 2


def _bearable(width: float) -> int:
    """Return how many decimals an interval of a width bears."""
    return min(max(math.ceil(-math.log10(width / 5)), 0), 4)


def _cells(table: pd.DataFrame, column: Column, bounds: tuple[str, ...], common: int) -> Iterator[Cell]:
    values = table[column.name].tolist()
    if column.kind == "text":
        naming = column.name in _NAMING
        yield from (Cell(heading(_text(value)) if naming else _text(value)) for value in values)
        return
    alone = bounds[:1] == (column.name,)
    low, high = (table[name].astype(float).tolist() for name in bounds) if bounds else ([], [])
    digits = _digits(column.name, values, low, high, common)
    for k, value in enumerate(values):
        interval = f"[{_number(low[k], digits)}, {_number(high[k], digits)}]" if bounds else ""
        if bounds and (_missing(low[k]) or _missing(high[k])):
            interval = ""
        if alone:
            yield Cell(interval or ABSENT, order=_order(value))
            continue
        places = _places(column.strip, value, low[k], high[k]) if column.strip and bounds else None
        text = _probability(value) if column.name in _P_NAMES else _number(value, digits)
        yield Cell(text, interval, _order(value), places)


def _text(value: Any) -> str:
    return ABSENT if value is None or _missing(value) else str(value)


def _missing(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _order(value: float) -> str:
    return "" if _missing(value) else f"{value:.6g}"


def _whole(n: Any) -> str:
    return str(n) if n == "" or _missing(n) else f"{n:,.0f}"


def _probability(value: float) -> str:
    if _missing(value):
        return ABSENT
    return "<.001" if value < 0.001 else f"{value:.3f}"


def _number(value: float, digits: int) -> str:
    if _missing(value):
        return ABSENT
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    text = f"{value:,.{digits}f}"
    return text.replace("-", "−") if float(text.replace(",", "")) != 0 else text.replace("-", "")


def _digits(
    name: str, values: Sequence[float], low: Sequence[float], high: Sequence[float], common: int
) -> int:
    """Choose decimals for a column: those that its intervals bear, else three digits of a typical value."""
    known = [abs(value) for value in values if not _missing(value) and not math.isinf(value)]
    if name == "parameters" or not known:
        return 1
    if all(float(value).is_integer() for value in known) and (not low or max(known) > 1):
        return 0
    if low and max(known) <= 1:
        return common
    widths = sorted(b - a for a, b in zip(low, high, strict=True) if b > a)
    if widths:
        return _bearable(widths[len(widths) // 2])
    largest = max(known)
    return 3 if largest < 10 else 2 if largest < 100 else 1 if largest < 1000 else 0


def _places(scale: Scale, value: float, low: float, high: float) -> tuple[float, float, float] | None:
    if _missing(value):
        return None
    bounds = (value if _missing(low) else low, value, value if _missing(high) else high)
    a, b, c = map(scale.place, bounds)
    return a, b, c
