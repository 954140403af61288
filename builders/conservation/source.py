"""Reads a raw folder of conservationbench clip by clip, checking what it reads."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from generation.conservation.design import Cell, cells
from generation.core.raw import RawFolder
from generation.core.records import ClipRecord
from physprobe.conservation.vocabulary import CONDITIONS
from physprobe.errors import UserError


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
        try:
            data = self.path.read_bytes()
        except OSError as error:
            raise UserError(f"can't read {self.path}: {error.strerror}; {_redo(self.path.parent)}") from error
        if hashlib.sha256(data).hexdigest() != self.record.media_sha256:
            raise UserError(f"{self.path} is not the file its record describes; {_redo(self.path.parent)}")
        return data


def read_clips(raw: RawFolder, *, partial: bool = False) -> tuple[Clip, ...]:
    """Read the records of every pair of the folder's preset, in design order, conserving clip first.

    Args:
        raw: the folder. partial: take the pairs that are there instead of asking for all.

    Raises:
        UserError: pairs of the preset are missing, or a record is unreadable or of another run.
    """
    wanted = cells(raw.manifest.preset)
    there = [cell for cell in wanted if raw.is_complete(cell.pair_id)]
    if not there or (len(there) < len(wanted) and not partial):
        raise UserError(
            f"{raw.path} lacks {len(wanted) - len(there)} of {len(wanted)} pairs; "
            + ("" if partial or not there else "add --partial, or ")
            + f"finish it with  python -m generation {raw.manifest.benchmark} --preset {raw.manifest.preset} "
            f"--seed {raw.manifest.seed} --out {shlex.quote(str(raw.path))}"
        )
    return tuple(_clips(raw, there))


def _clips(raw: RawFolder, there: list[Cell]) -> Iterator[Clip]:
    for cell in there:
        folder = raw.item(cell.pair_id)
        for condition in CONDITIONS:
            record = _read_record(folder / f"{condition}.json")
            expected = {
                "pair_id": cell.pair_id,
                "video_id": f"{cell.pair_id}_{condition}",
                "condition": condition,
                "direction": cell.direction,
                "preset": raw.manifest.preset,
                "seed": raw.manifest.seed,
                "media": f"{condition}.mp4",
            }
            for name, value in expected.items():
                if getattr(record, name) != value:
                    found = f"{name} is {getattr(record, name)!r}, not {value!r}"
                    raise UserError(f"{folder / condition}.json: {found}; {_redo(folder)}")
            yield Clip(cell, folder / record.media, record)


def _read_record(path: Path) -> ClipRecord:
    try:
        record = ClipRecord.model_validate_json(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"can't read {path}: {error}; {_redo(path.parent)}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise UserError(f"{path} is no clip record: {where}: {first['msg']}; {_redo(path.parent)}") from None
    return record.model_copy(update={"frames": (), "objects": ()})


def _redo(item: Path) -> str:
    return f"remove {item} and generate it again"
