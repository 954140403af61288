"""What a benchmark's audit for shortcuts adds to a dataset."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

# Called with the number of rows looked at, and of all rows.
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Audited:
    """What an audit found.

    Attributes:
        path: of the file that holds all figures, inside the dataset folder. text: its content.
        facts: the card template's variables.
    """

    path: str
    text: str
    facts: Mapping[str, Any]
