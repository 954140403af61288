"""Reads a raw folder of quantiphy clip by clip, checking what it reads."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from builders.rawitems import present, read_file, read_record
from generation.core.raw import RawFolder
from generation.quantiphy.clip import RECORD
from generation.quantiphy.design import Clip, clips
from generation.quantiphy.records import WorldRecord


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
        if segmented:
            return read_file(self.folder / record.segmented_media, record.segmented_media_sha256)
        return read_file(self.folder / record.media, record.media_sha256)


def planned(raw: RawFolder, *, partial: bool) -> tuple[Clip, ...]:
    """Return those clips of the folder's preset that are there, in design order.

    Raises:
        UserError: there is none, or some are missing and ``partial`` is not set.
    """
    return present(raw, clips(raw.manifest.preset), lambda clip: clip.video_id, "clips", partial=partial)


def read_clip(raw: RawFolder, clip: Clip) -> Filmed:
    """Read a clip's record.

    Raises:
        UserError: it is unreadable, or of another clip or run.
    """
    folder = raw.item(clip.video_id)
    expected = {
        "video_id": clip.video_id,
        "video_type": clip.video_type,
        "preset": raw.manifest.preset,
        "seed": raw.manifest.seed,
    }
    return Filmed(clip, folder, read_record(folder / RECORD, WorldRecord, "clip", expected))
