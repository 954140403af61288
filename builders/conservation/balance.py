"""How evenly option orders and right letters are spread; the same counts for the card and for ``verify``."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from physprobe.conservation.vocabulary import CONDITIONS, DOMAINS, LETTERS

Row = Mapping[str, Any]


@dataclass(frozen=True)
class BalanceLine:
    """One line of the balance table: extremes over all cells (prompt style x frame count x extraction).

    Attributes:
        questions: questions in a cell. orders: how often each of the six orders of texts is shown in a cell.
        letters: letter -> how often it is right in a cell. All are (min, max).
    """

    domain: str
    condition: str
    cells: int
    questions: tuple[int, int]
    orders: tuple[int, int]
    letters: Mapping[str, tuple[int, int]]


def balance_lines(questions: Iterable[Row]) -> list[BalanceLine]:
    """Summarise the balance of each domain and condition over its cells."""
    grouped: dict[tuple[str, str], list[Sequence[Row]]] = defaultdict(list)
    for (domain, condition, *_), rows in _cells(questions).items():
        grouped[domain, condition].append(rows)
    keys = [(domain, condition) for domain in DOMAINS for condition in CONDITIONS]
    return [_line(*key, grouped[key]) for key in keys if key in grouped]


def balance_problems(questions: Sequence[Row], tolerance: int = 1) -> Iterator[str]:
    """Name every cell whose orders or right letters differ in count by more than ``tolerance``.

    Counts are compared within a cell (domain, condition, style, frame count, extraction) and within each
    direction of its pairs.
    """
    directions = _directions(questions)
    for cell, rows in _cells(questions).items():
        parts: dict[str, list[Row]] = defaultdict(list)
        for row in rows:
            parts[directions.get(row["pair_id"], "")].append(row)
        for name, part in {"": rows, **(parts if len(parts) > 1 else {})}.items():
            where = " ".join(map(str, (*cell, name))).strip()
            orders, letters = _orders(part), _letters(part)
            if max(letters.values()) - min(letters.values()) > tolerance:
                yield f"{where}: right letters are unbalanced: {dict(letters)}"
            if max(orders) - min(orders) > tolerance:
                yield f"{where}: the 6 orders of the options are unbalanced: shown {sorted(orders)} times"


def _cells(questions: Iterable[Row]) -> dict[tuple[Any, ...], list[Row]]:
    cells: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for row in questions:
        key = ("domain", "condition", "prompt_style", "frame_count", "extraction")
        cells[tuple(row[name] for name in key)].append(row)
    return cells


def _directions(questions: Iterable[Row]) -> dict[str, str]:
    changed = (row for row in questions if row["condition"] == "nonconserving")
    return {row["pair_id"]: "gain" if row["answer_relation"] == "moved_more" else "loss" for row in changed}


def _orders(rows: Sequence[Row]) -> list[int]:
    shown = Counter(tuple(row["options"]) for row in rows)
    texts = sorted({text for order in shown for text in order})
    return (
        [shown[order] for order in permutations(texts)] if len(texts) == len(LETTERS) else [*shown.values()]
    )


def _letters(rows: Iterable[Row]) -> Counter[str]:
    letters = Counter(dict.fromkeys(LETTERS, 0))
    letters.update(row["answer"] for row in rows)
    return letters


def _line(domain: str, condition: str, cells: Sequence[Sequence[Row]]) -> BalanceLine:
    orders = [count for rows in cells for count in _orders(rows)]
    letters = [_letters(rows) for rows in cells]
    return BalanceLine(
        domain,
        condition,
        len(cells),
        _range([len(rows) for rows in cells]),
        _range(orders),
        {letter: _range([counts[letter] for counts in letters]) for letter in LETTERS},
    )


def _range(values: Sequence[int]) -> tuple[int, int]:
    return min(values), max(values)
