"""Reads a raw folder of conservationbench clip by clip, checking what it reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from builders.rawitems import present, read_file, read_record
from generation.conservation.design import Cell, cells
from generation.core.raw import RawFolder
from generation.core.records import ClipRecord
from physprobe.conservation.vocabulary import CONDITIONS


@dataclass(frozen=True)
class Clip:
    """One clip of a raw folder.

    Attributes:
        cell: its place in the design. path: the mp4.
        record: as saved beside it, without per-frame poses and materials, which the dataset leaves out.
    """

    cell: Cell
    path: Path
    record: ClipRecord

    def read_media(self) -> bytes:
        """Return the mp4's bytes.

        Raises:
            UserError: the file is missing or not the one that the record was made with.
        """
        return read_file(self.path, self.record.media_sha256)


def read_clips(raw: RawFolder, *, partial: bool = False) -> tuple[Clip, ...]:
    """Read the records of every pair of the folder's preset, in design order, conserving clip first.

    Args:
        raw: the folder. partial: take the pairs that are there instead of asking for all.

    Raises:
        UserError: pairs of the preset are missing, or a record is unreadable or of another run.
    """
    wanted = cells(raw.manifest.preset)
    there = present(raw, wanted, lambda cell: cell.pair_id, "pairs", partial=partial)
    return tuple(_clips(raw, there))


def _clips(raw: RawFolder, there: Sequence[Cell]) -> Iterator[Clip]:
    for cell in there:
        folder = raw.item(cell.pair_id)
        for condition in CONDITIONS:
            expected = {
                "pair_id": cell.pair_id,
                "video_id": f"{cell.pair_id}_{condition}",
                "condition": condition,
                "direction": cell.direction,
                "preset": raw.manifest.preset,
                "seed": raw.manifest.seed,
                "media": f"{condition}.mp4",
            }
            record = read_record(folder / f"{condition}.json", ClipRecord, "clip", expected)
            slim = record.model_copy(update={"frames": (), "objects": ()})
            yield Clip(cell, folder / record.media, slim)
