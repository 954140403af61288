"""The scores of frames, clip by clip in a file, so that a killed run continues where it stopped.

The file is JSON Lines: a header that says what was asked of which model about which clips, then one line a
clip. It is kept beside the selections file: other frame counts can be chosen from it without the model.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from pydantic import ValidationError

from generation.core.canonical import canonical_json
from generation.core.raw import RawManifest
from generation.core.records import StrictModel
from physprobe.errors import UserError


class Header(StrictModel):
    """What every line of a scores file shares.

    Attributes:
        model: its selector. fingerprint: of its weights. dtype: its numbers' type.
        prompt: as the model got it. candidates: frames scored a clip. source: the raw folder's manifest.
    """

    model: str
    fingerprint: str
    dtype: str
    prompt: str
    candidates: int
    source: RawManifest


class ClipScores(StrictModel):
    """One clip's scores.

    Attributes:
        media_sha256: of the mp4 that was scored. frame_indices: the candidates, increasing.
        yes, no: probability of either word for each candidate, rounded to 6 significant digits.
    """

    video_id: str
    media_sha256: str
    frame_indices: tuple[int, ...]
    yes: tuple[float, ...]
    no: tuple[float, ...]


class ScoresFile:
    """An open scores file that this process alone writes to; made by :func:`scores_file`.

    Attributes:
        done: video_id -> scores, of all clips scored so far.
    """

    def __init__(self, handle: BinaryIO, done: dict[str, ClipScores]) -> None:
        """Continue at the end of ``handle``."""
        self._handle, self.done = handle, done

    def add(self, scores: ClipScores) -> None:
        """Append a clip's scores; they are on disk when this returns."""
        _append(self._handle, scores)
        self.done[scores.video_id] = scores


@contextmanager
def scores_file(path: Path, header: Header) -> Iterator[ScoresFile]:
    """Open or start a scores file, alone; a line cut short by a kill is dropped.

    Raises:
        UserError: another run is writing to it, it can't be written, or it holds something else. It was not
            changed.
    """
    try:
        handle = path.open("a+b")
    except OSError as error:
        raise UserError(f"can't write {path}: {error.strerror}; choose another --out") from error
    with handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(f"another run is writing to {path}; wait for it") from None
        handle.seek(0)
        content = handle.read()
        if _line(header).startswith(content):  # new, or killed in the header
            handle.truncate(0)
            _append(handle, header)
            yield ScoresFile(handle, {})
            return
        whole = content[: content.rfind(b"\n") + 1]
        done = _parse(path, whole, header)
        handle.truncate(len(whole))
        yield ScoresFile(handle, done)


def _line(record: StrictModel) -> bytes:
    return canonical_json(record.model_dump(mode="json")).encode()


def _append(handle: BinaryIO, record: StrictModel) -> None:
    handle.write(_line(record))
    handle.flush()
    os.fsync(handle.fileno())


def _parse(path: Path, whole: bytes, header: Header) -> dict[str, ClipScores]:
    first, *others = whole.split(b"\n")
    try:
        found = Header.model_validate_json(first)
        clips = [ClipScores.model_validate_json(line) for line in others[:-1]]
    except ValidationError:
        raise UserError(f"{path} is no scores file of this tool; choose another --out") from None
    differing = [name for name in Header.model_fields if getattr(found, name) != getattr(header, name)]
    if differing:
        told = "; ".join(f"{name} {getattr(found, name)}" for name in differing)
        raise UserError(f"{path} holds scores of another run ({told}); choose another --out or remove it")
    return {clip.video_id: clip for clip in clips}
