"""Reads a raw folder of quantiphy clip by clip, checking what it reads."""

from __future__ import annotations

import hashlib
import shlex
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from generation.core.raw import RawFolder
from generation.quantiphy.clip import RECORD
from generation.quantiphy.design import Clip, clips
from generation.quantiphy.records import WorldRecord
from physprobe.errors import UserError


@dataclass(frozen=True)
class Filmed:
    """A clip of a raw folder.

    Attributes:
        clip: its place in the design. folder: of its files. record: as saved there.
    """

    clip: Clip
    folder: Path
    record: WorldRecord

    def read_media(self, *, segmented: bool) -> bytes:
        """Return the bytes of the mp4, or of the one without background.

        Raises:
            UserError: the file is missing or not the one that the record was made with.
        """
        record = self.record
        name = record.segmented_media if segmented else record.media
        path = self.folder / name
        try:
            data = path.read_bytes()
        except OSError as error:
            raise UserError(f"can't read {path}: {error.strerror}; {_redo(self.folder)}") from error
        if hashlib.sha256(data).hexdigest() != (
            record.segmented_media_sha256 if segmented else record.media_sha256
        ):
            raise UserError(f"{path} is not the file its record describes; {_redo(self.folder)}")
        return data


def planned(raw: RawFolder, *, partial: bool) -> tuple[Clip, ...]:
    """Return those clips of the folder's preset that are there, in design order.

    Raises:
        UserError: there is none, or some are missing and ``partial`` is not set.
    """
    wanted = clips(raw.manifest.preset)
    there = tuple(clip for clip in wanted if raw.is_complete(clip.video_id))
    if not there or (len(there) < len(wanted) and not partial):
        raise UserError(
            f"{raw.path} lacks {len(wanted) - len(there)} of {len(wanted)} clips; "
            + ("" if partial or not there else "add --partial, or ")
            + f"finish it with  python -m generation {raw.manifest.benchmark} --preset {raw.manifest.preset} "
            f"--seed {raw.manifest.seed} --out {shlex.quote(str(raw.path))}"
        )
    return there


def read_clip(raw: RawFolder, clip: Clip) -> Filmed:
    """Read a clip's record.

    Raises:
        UserError: it is unreadable, or of another clip or run.
    """
    folder = raw.item(clip.video_id)
    record = _record(folder / RECORD)
    expected = {
        "video_id": clip.video_id,
        "video_type": clip.video_type,
        "preset": raw.manifest.preset,
        "seed": raw.manifest.seed,
    }
    for name, value in expected.items():
        if getattr(record, name) != value:
            found = f"{name} is {getattr(record, name)!r}, not {value!r}"
            raise UserError(f"{folder / RECORD}: {found}; {_redo(folder)}")
    return Filmed(clip, folder, record)


def _record(path: Path) -> WorldRecord:
    try:
        return WorldRecord.model_validate_json(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"can't read {path}: {error}; {_redo(path.parent)}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise UserError(f"{path} is no clip record: {where}: {first['msg']}; {_redo(path.parent)}") from None


def _redo(item: Path) -> str:
    return f"remove {item} and generate it again"
