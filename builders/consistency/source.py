"""Reads a raw folder of physical-consistency family by family, checking what it reads."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from builders.rawitems import present, read_file, read_record
from generation.consistency.design import Family, families
from generation.consistency.family import RECORD
from generation.consistency.records import FamilyRecord, FileRecord
from generation.core.raw import RawFolder


@dataclass(frozen=True)
class Rendered:
    """A family of a raw folder: where its files are, and its record."""

    folder: Path
    record: FamilyRecord

    def read(self, file: FileRecord) -> bytes:
        """Return the bytes of an image or a mask.

        Raises:
            UserError: the file is missing or not the one that the record was made with.
        """
        return read_file(self.folder / file.name, file.sha256)


def planned(raw: RawFolder, *, partial: bool) -> tuple[Family, ...]:
    """Return those families of the folder's preset that are there, in design order.

    Raises:
        UserError: there is none, or some are missing and ``partial`` is not set.
    """
    wanted = families(raw.manifest.preset)
    return present(raw, wanted, lambda family: family.family_id, "families", partial=partial)


def read_family(raw: RawFolder, family: Family) -> Rendered:
    """Read a family's record.

    Raises:
        UserError: it is unreadable, or of another family or run.
    """
    folder = raw.item(family.family_id)
    expected = {
        "family_id": family.family_id,
        "split": family.split,
        "preset": raw.manifest.preset,
        "seed": raw.manifest.seed,
    }
    return Rendered(folder, read_record(folder / RECORD, FamilyRecord, "family", expected))
