"""What the code of the generator says about each category: the card says the same."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass

from generation.consistency import catalog
from physprobe.consistency.vocabulary import CATEGORIES, Label

_ROW = re.compile(r"^\| (\w+) \| (.+?) \| (.+?) \|$", re.MULTILINE)
_MECHANISMS = re.compile(r"\bA: (.+) B: (.+)$")


@dataclass(frozen=True)
class Definition:
    """A category.

    Attributes:
        label, name, definition: as in the vocabulary.
        changed, stays: what the generator changes, and what it leaves as it is.
        mechanisms: "A" and "B" -> how it is made.
    """

    label: Label
    name: str
    definition: str
    changed: str
    stays: str
    mechanisms: dict[str, str]


def definitions() -> Iterator[Definition]:
    """Yield all categories, in the order of the labels.

    Raises:
        ValueError: the generator's docs don't describe one.
    """
    table = {label: (changed, stays) for label, changed, stays in _ROW.findall(catalog.__doc__ or "")}
    for label, violation in catalog.VIOLATIONS.items():
        told = _MECHANISMS.search(" ".join((inspect.getdoc(type(violation)) or "").split()))
        if label not in table or told is None:
            raise ValueError(f"the generator's docs don't describe {label}")
        category, (changed, stays) = CATEGORIES[label], table[label]
        mechanisms = {"A": _sentence(told.group(1)), "B": _sentence(told.group(2))}
        yield Definition(label, category.name, category.definition, changed, stays, mechanisms)


def _sentence(text: str) -> str:
    return text.strip().rstrip(".")
