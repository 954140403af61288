"""A raw folder of physical-consistency as its dataset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builders.consistency.facts import card_facts
from builders.consistency.rows import image_rows, presentation_rows
from builders.consistency.schema import PRESENTATION
from builders.consistency.source import planned, read_family
from generation.consistency.design import Family, families
from generation.core.raw import RawFolder
from physprobe.errors import UserError


@dataclass(frozen=True)
class ConsistencySource:
    """The families of a raw folder; their images are read one at a time.

    Attributes:
        families: in design order. complete: whether all of the preset are there.
    """

    raw: RawFolder
    families: Sequence[Family]
    complete: bool

    def rows(self, config: str, split: str) -> Iterator[Mapping[str, Any]]:
        """Yield the rows of a config's split in their final order."""
        made = presentation_rows if config == PRESENTATION.name else image_rows
        for family in self.families:
            if family.split == split:
                yield from made(read_family(self.raw, family))

    def facts(self) -> Mapping[str, Any]:
        """Return the card template's own variables."""
        return card_facts([read_family(self.raw, family).record for family in self.families])


def read(raw: RawFolder, partial: bool, selections: Sequence[Path]) -> ConsistencySource:
    """Open a raw folder for building.

    Raises:
        UserError: families are missing and ``partial`` is not set, or there are selections files.
    """
    if selections:
        raise UserError("physical-consistency takes no selections files: it has no frames to choose")
    there = planned(raw, partial=partial)
    return ConsistencySource(raw, there, complete=len(there) == len(families(raw.manifest.preset)))
