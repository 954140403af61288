"""Examples as files that a page loads when it shows them: one script a chunk, one picture a file.

A page opened from disk may not fetch data, but it may load scripts and pictures. ``index.js`` holds what
items are filtered by, one character an item and facet; the items themselves lie in ``0000.js``, ``0001.js``,
and so on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from physprobe.report.model import Answered, Example, Examples

CHUNK = 100  # items
_FIRST_CODE = 48  # "0"; codes are characters from there on, none of which JSON escapes below 44
_MOST_LEVELS = 40
PICTURES = "pictures"

# Names come from results files, which anyone may have written: none may lead out of the folder.
_SAFE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")


def write_examples(benchmark: str, examples: Examples, folder: Path) -> int:
    """Write a benchmark's examples.

    Args:
        folder: a new folder.

    Returns:
        How many items there are.

    Raises:
        ValueError: a facet has more than 40 levels.
    """
    folder.mkdir(parents=True)
    index = _Index(examples.models)
    needed: set[str] = set()
    for number, chunk in enumerate(_chunks(examples.items)):
        for item in chunk:
            index.add(item)
            needed.update(p.name for p in item.pictures if _SAFE.fullmatch(p.name))
        _call(folder / f"{number:04d}.js", "chunk", benchmark, number, [_plain(item) for item in chunk])
    there = _write_pictures(examples, frozenset(needed), folder)
    notes = list(examples.notes)
    if there and there < needed:
        notes.append(f"{len(needed) - len(there):,} of {len(needed):,} pictures are not in the dataset")
    _call(folder / "index.js", "index", benchmark, {**index.plain(), "notes": notes, "pictures": bool(there)})
    return index.count


class _Index:
    """Collects, for each facet, the level of each item; and for each model, whether it was right."""

    def __init__(self, models: tuple[str, ...]) -> None:
        self.count = 0
        self._levels: dict[str, list[str]] = {}
        self._codes: dict[str, list[str]] = {}
        self._verdicts: dict[str, list[str]] = {model: [] for model in models}

    def add(self, item: Example) -> None:
        for facet, level in item.facets.items():
            levels = self._levels.setdefault(facet, [])
            if level not in levels:
                levels.append(level)
            codes = self._codes.setdefault(facet, [])
            codes.extend(" " * (self.count - len(codes)))
            codes.append(chr(_FIRST_CODE + levels.index(level)))
        told = {answer.model: _verdict(answer) for answer in item.answers}
        for model, verdicts in self._verdicts.items():
            verdicts.append(told.get(model, " "))
        self.count += 1

    def plain(self) -> dict[str, Any]:
        for facet, levels in self._levels.items():
            if len(levels) > _MOST_LEVELS:
                raise ValueError(f"facet {facet!r} has {len(levels)} levels: no one can choose among them")
        return {
            "count": self.count,
            "chunk": CHUNK,
            "models": list(self._verdicts),
            "facets": [
                {"name": facet, "levels": self._levels[facet], "codes": "".join(codes).ljust(self.count)}
                for facet, codes in self._codes.items()
            ],
            "verdicts": ["".join(verdicts) for verdicts in self._verdicts.values()],
        }


def _verdict(answer: Answered) -> str:
    """Code an answer: right, wrong, unread, or neither."""
    if not answer.parsed:
        return "u"
    return "-" if answer.right is None else "r" if answer.right else "w"


def _plain(item: Example) -> dict[str, Any]:
    return {
        "key": item.key,
        "facets": dict(item.facets),
        "prompt": item.prompt,
        "truth": item.truth,
        "pictures": [
            {"name": p.name, "caption": p.caption, "boxes": [[b.label, *b.bounds, b.true] for b in p.boxes]}
            for p in item.pictures
        ],
        "answers": [[a.model, a.raw, a.parsed, a.right, a.score] for a in item.answers],
    }


def _chunks(items: Iterable[Example]) -> Iterator[list[Example]]:
    left = iter(items)
    while chunk := list(islice(left, CHUNK)):
        yield chunk


def _write_pictures(examples: Examples, needed: frozenset[str], folder: Path) -> set[str]:
    written = set()
    (folder / PICTURES).mkdir()
    for name, data in examples.pictures(needed) if needed else ():
        (folder / PICTURES / f"{name}.jpg").write_bytes(data)
        written.add(name)
    return written


def _call(path: Path, function: str, *arguments: Any) -> None:
    """Write a script that hands data to the page."""
    given = ", ".join(json.dumps(each, separators=(",", ":")) for each in arguments)
    path.write_text(f"physprobe.{function}({given});\n", encoding="ascii")
