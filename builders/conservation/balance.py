"""How evenly option orders and right letters are spread; the same counts for the card and for ``verify``."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import Any

from builders.conservation.schema import STATIC
from physprobe.conservation.vocabulary import CONDITIONS, DOMAINS, EXTRACTIONS, LETTERS

Row = Mapping[str, Any]

# Columns that tell cells apart.
QUESTION_CELL = ("domain", "condition", "prompt_style", "frame_count", "extraction")
STATIC_CELL = ("domain", "condition")


@dataclass(frozen=True)
class BalanceLine:
    """One line of the balance table: extremes over all its cells.

    Attributes:
        shown: the way to pick frames, or "static".
        questions: questions in a cell. orders: how often each of the six orders of texts is shown in a cell.
        letters: letter -> how often it is right in a cell. All are (min, max).
    """

    domain: str
    condition: str
    shown: str
    cells: int
    questions: tuple[int, int]
    orders: tuple[int, int]
    letters: Mapping[str, tuple[int, int]]


def balance_lines(questions: Sequence[Row], static: Sequence[Row]) -> list[BalanceLine]:
    """Summarise the balance of each config, domain, condition and way to pick frames over its cells."""
    grouped: dict[tuple[str, str, str], list[Sequence[Row]]] = defaultdict(list)
    for (domain, condition, *_, extraction), rows in _cells(questions, QUESTION_CELL).items():
        grouped[domain, condition, extraction].append(rows)
    for (domain, condition), rows in _cells(static, STATIC_CELL).items():
        grouped[domain, condition, STATIC.name].append(rows)
    keys = product((*EXTRACTIONS, STATIC.name), DOMAINS, CONDITIONS)
    wanted = [(domain, condition, shown) for shown, domain, condition in keys]
    return [_line(*key, grouped[key]) for key in wanted if key in grouped]


def balance_problems(questions: Sequence[Row], key: Sequence[str], complete: bool) -> Iterator[str]:
    """Name every cell whose orders or right letters are not as even as they can be.

    Counts are compared within a cell and within each direction of its pairs. Where all clips of a complete
    dataset are asked about, they may be one apart: so they are equal wherever they can be (48 clips: 8 times
    each order, 16 times each letter). Where clips are missing, they may be two apart.

    Args:
        questions: of one config. key: the columns that tell cells apart, domain and condition first.
        complete: whether the dataset claims to hold every pair of its preset.
    """
    directions = _directions(questions)
    clips: dict[tuple[Any, ...], set[str]] = defaultdict(set)
    for row in questions:
        clips[row["domain"], row["condition"]].add(row["video_id"])
    for cell, rows in _cells(questions, key).items():
        tolerance = 1 if complete and len(rows) >= len(clips[cell[:2]]) else 2
        parts: dict[str, list[Row]] = defaultdict(list)
        for row in rows:
            parts[directions.get(row["pair_id"], "")].append(row)
        for name, part in {"": rows, **(parts if len(parts) > 1 else {})}.items():
            where = " ".join(map(str, (*cell, name))).strip()
            orders, letters = _orders(part), _letters(part)
            if _spread(letters.values()) > tolerance:
                yield f"{where}: right letters are unbalanced: {dict(letters)}"
            if _spread(orders) > tolerance:
                yield f"{where}: the 6 orders of the options are unbalanced: shown {sorted(orders)} times"


def _spread(counts: Iterable[int]) -> int:
    numbers = [*counts]
    return max(numbers) - min(numbers)


def _cells(questions: Iterable[Row], key: Sequence[str]) -> dict[tuple[Any, ...], list[Row]]:
    cells: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for row in questions:
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


def _line(domain: str, condition: str, shown: str, cells: Sequence[Sequence[Row]]) -> BalanceLine:
    orders = [count for rows in cells for count in _orders(rows)]
    letters = [_letters(rows) for rows in cells]
    return BalanceLine(
        domain,
        condition,
        shown,
        len(cells),
        _range([len(rows) for rows in cells]),
        _range(orders),
        {letter: _range([counts[letter] for counts in letters]) for letter in LETTERS},
    )


def _range(values: Sequence[int]) -> tuple[int, int]:
    return min(values), max(values)
