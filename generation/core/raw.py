"""The raw folder: what a generator run leaves, item by item, never half-written.

    RAW/raw.json                   which benchmark, preset and seed (canonical JSON); also carries the lock
    RAW/items/KEY/...              one finished item
    RAW/items/KEY/.complete        empty, written last: without it the item is discarded and made again
    RAW/.tmp/KEY.N/...             items in the making; gone when the run ends

A run killed at any moment loses the items in the making; the same command continues, and the folder ends
byte-identical to that of an undisturbed run.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from generation.core.canonical import canonical_json
from generation.core.records import FORMAT_VERSION, StrictModel
from physprobe.errors import UserError

MANIFEST = "raw.json"
ITEMS = "items"
MARKER = ".complete"
SCRATCH = ".tmp"
_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


class RawManifest(StrictModel):
    """What a raw folder holds; the same for every machine, worker count and day."""

    format_version: int = FORMAT_VERSION
    benchmark: str
    preset: str
    seed: int

    def __str__(self) -> str:
        """Say it in the words of the command line."""
        return f"{self.benchmark}, preset {self.preset}, seed {self.seed}, format {self.format_version}"


@dataclass(frozen=True)
class RawFolder:
    """A raw folder to read from.

    Attributes:
        path: the folder.
        manifest: its raw.json.
    """

    path: Path
    manifest: RawManifest

    @classmethod
    def open(cls, path: Path) -> RawFolder:
        """Open an existing raw folder for reading.

        Raises:
            UserError: ``path`` is no raw folder, or of a format this version can't read.
        """
        try:
            text = (path / MANIFEST).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            hint = f"make one with  python -m generation NAME --out {path}"
            raise UserError(f"{path} is not a raw folder, it has no {MANIFEST}; {hint}") from None
        manifest = _parse_manifest(path, text)
        if manifest.format_version != FORMAT_VERSION:
            found = f"{path} has format {manifest.format_version}"
            raise UserError(f"{found}, this version reads {FORMAT_VERSION}: generate it again")
        return cls(path, manifest)

    def item(self, key: str) -> Path:
        """Return where an item lies once finished.

        Raises:
            ValueError: the key can't be a folder name.
        """
        if not _KEY.fullmatch(key):
            raise ValueError(f"item key {key!r} is not a plain name")
        return self.path / ITEMS / key

    def is_complete(self, key: str) -> bool:
        """Tell whether an item is finished."""
        return (self.item(key) / MARKER).exists()

    def items(self) -> tuple[Path, ...]:
        """Return the folders of all finished items, sorted by key."""
        return tuple(sorted(marker.parent for marker in (self.path / ITEMS).glob(f"*/{MARKER}")))

    def size_bytes(self) -> int:
        """Return the bytes of all files in finished items."""
        return sum(file.stat().st_size for item in self.items() for file in item.rglob("*") if file.is_file())


class RawWriter(RawFolder):
    """A raw folder that this process alone writes to; made by :func:`writing`."""

    def begin(self, key: str) -> Path:
        """Make and return an empty folder to build an item in."""
        folder = self.path / SCRATCH / f"{self.item(key).name}.{os.getpid()}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def commit(self, key: str, folder: Path) -> None:
        """Move a checked and flushed folder from :meth:`begin` into place, then mark it as finished."""
        target = self.item(key)
        target.parent.mkdir(exist_ok=True)
        folder.rename(target)
        _flush_one(target.parent)
        (target / MARKER).touch()
        _flush_one(target)

    def discard_unfinished(self) -> None:
        """Remove what earlier runs left behind: the scratch folder and items without a completion marker."""
        shutil.rmtree(self.path / SCRATCH, ignore_errors=True)
        if not (self.path / ITEMS).is_dir():
            return
        for item in (self.path / ITEMS).iterdir():
            if item.is_dir() and not (item / MARKER).exists():
                shutil.rmtree(item)


@contextmanager
def writing(path: Path, manifest: RawManifest) -> Iterator[RawWriter]:
    """Create or continue a raw folder, alone.

    Args:
        path: an absent or empty folder, or a raw folder with the same manifest.
        manifest: what the folder is to hold.

    Raises:
        UserError: the folder holds something else, another run is writing to it, or it can't be written.
            Nothing in it was changed.
    """
    _refuse_foreign(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
        # The lock sits on raw.json itself: nothing is left over, and it ends with the process that holds it.
        handle = (path / MANIFEST).open("a+b")
    except OSError as error:
        raise UserError(f"can't write to {path}: {error.strerror}; choose another --out") from error
    with handle:
        _lock(handle.fileno(), path)
        handle.seek(0)
        text = handle.read()
        if text:
            _refuse_other(path, _parse_manifest(path, text), manifest)
        else:  # new, or killed before the first write
            _refuse_content(path, [MANIFEST])
            handle.write(canonical_json(manifest.model_dump()).encode())
            handle.flush()
            os.fsync(handle.fileno())
        raw = RawWriter(path, manifest)
        raw.discard_unfinished()
        try:
            yield raw
        finally:
            raw.discard_unfinished()


def flush(folder: Path) -> None:
    """Put a folder's files on disk, so that a completion marker can't outlive them in a power failure."""
    for entry in (*folder.rglob("*"), folder):
        _flush_one(entry)


def _flush_one(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _lock(descriptor: int, path: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UserError(f"another run is writing to {path}; wait for it or choose another --out") from None


def _refuse_foreign(path: Path) -> None:
    if path.exists() and not path.is_dir():
        raise UserError(f"{path} is a file; choose a folder for --out")
    if path.is_dir() and not (path / MANIFEST).exists():
        _refuse_content(path, [])


def _refuse_content(path: Path, expected: list[str]) -> None:
    if [entry.name for entry in path.iterdir()] != expected:
        raise UserError(f"{path} is not empty and has no valid {MANIFEST}; choose another --out")


def _parse_manifest(path: Path, text: bytes) -> RawManifest:
    try:
        return RawManifest.model_validate_json(text)
    except ValidationError:
        raise UserError(f"{path / MANIFEST} is not a raw folder's manifest; choose another folder") from None


def _refuse_other(path: Path, found: RawManifest, wanted: RawManifest) -> None:
    if found != wanted:
        raise UserError(f"{path} holds {found}, not {wanted}; choose another --out or remove that folder")
