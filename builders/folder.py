"""The dataset folder: appears whole or not at all, and says in manifest.json what it holds."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import Field, SerializerFunctionWrapHandler, ValidationError, model_serializer

from builders.shards import Written
from generation.core.canonical import canonical_json
from generation.core.raw import RawManifest
from generation.core.records import StrictModel
from physprobe.errors import UserError

MANIFEST = "manifest.json"
CARD = "README.md"


class FileEntry(StrictModel):
    """Size in bytes and SHA-256 of a file."""

    bytes: int
    sha256: str


class SplitEntry(StrictModel):
    """A split as built: number of rows and content hash."""

    rows: int
    sha256: str


class ConfigEntry(StrictModel):
    """A config as built: number of rows, content hash, its shards by path, its splits if it has several."""

    rows: int
    sha256: str
    files: dict[str, FileEntry]
    splits: dict[str, SplitEntry] = Field(default_factory=dict)

    @model_serializer(mode="wrap")
    def _without_splits(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out the splits of a config that has a single one: they would say nothing more."""
        entry: dict[str, Any] = handler(self)
        return entry if self.splits else {name: entry[name] for name in entry if name != "splits"}

    def split(self, name: str) -> SplitEntry | None:
        """Return a split; a config with a single one is that split."""
        return self.splits.get(name) if self.splits else SplitEntry(rows=self.rows, sha256=self.sha256)


class Manifest(StrictModel):
    """What a dataset folder holds.

    Attributes:
        benchmark, dataset_version: which dataset, in which version.
        source: the raw folder's own manifest (preset, seed).
        complete: False when built with --partial from an unfinished raw folder.
        configs: by name.
        written_by: versions of the packages that wrote the files.
        extras: files beside the data (pictures, metadata), by path.
    """

    benchmark: str
    dataset_version: str
    source: RawManifest
    complete: bool
    configs: dict[str, ConfigEntry]
    written_by: dict[str, str]
    extras: dict[str, FileEntry] = Field(default_factory=dict)

    def files(self) -> dict[str, FileEntry]:
        """Return every file that is listed: all but the card and the manifest itself."""
        return {
            path: file for config in self.configs.values() for path, file in config.files.items()
        } | self.extras

    def same_data(self, other: Manifest) -> bool:
        """Tell whether both hold the same rows under the same version."""
        return self._identity() == other._identity()

    def _identity(self) -> object:
        hashes = {name: (config.rows, config.sha256) for name, config in self.configs.items()}
        return self.benchmark, self.dataset_version, self.source, self.complete, hashes


def config_entries(written: Mapping[str, Written]) -> dict[str, ConfigEntry]:
    """Describe written configs for the manifest."""
    return {
        name: ConfigEntry(
            rows=config.rows,
            sha256=config.sha256,
            files={file.path: FileEntry(bytes=file.bytes, sha256=file.sha256) for file in config.files},
            splits={
                split: SplitEntry(rows=part.rows, sha256=part.sha256)
                for split, part in config.splits.items()
                if len(config.splits) > 1
            },
        )
        for name, config in written.items()
    }


def read_manifest(folder: Path) -> Manifest:
    """Read a dataset folder's manifest.

    Raises:
        UserError: there is none, or it is not one of ours.
    """
    try:
        return Manifest.model_validate_json((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        raise UserError(f"{folder} has no readable {MANIFEST}: it was not built by this tool") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise UserError(f"{folder / MANIFEST} is damaged: {where}: {first['msg']}") from None


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write a folder's manifest."""
    (folder / MANIFEST).write_text(canonical_json(manifest.model_dump()), encoding="utf-8")


def refuse_foreign(out: Path) -> None:
    """Refuse an output folder that holds anything but a dataset of ours.

    Raises:
        UserError: ``out`` is a file, or a non-empty folder without a manifest.
    """
    if out.exists() and not out.is_dir():
        raise UserError(f"{out} is a file; choose a folder for --out")
    if out.is_dir() and any(out.iterdir()) and not (out / MANIFEST).exists():
        raise UserError(f"{out} is not empty and no dataset of ours (no {MANIFEST}); choose another --out")


@contextmanager
def workshop(out: Path) -> Iterator[Path]:
    """Give a scratch folder beside ``out``, alone; it is gone afterwards unless it was moved away.

    Raises:
        UserError: another build for the same ``out`` is running, or the place can't be written.
    """
    out = out.absolute()
    scratch = out.with_name(f".{out.name}.building")
    try:
        scratch.mkdir(parents=True, exist_ok=True)
        handle = os.open(scratch, os.O_RDONLY)
    except OSError as error:
        raise UserError(f"can't write beside {out}: {error.strerror}; choose another --out") from error
    try:
        with _locked(handle, scratch, out):
            yield scratch
    finally:
        os.close(handle)


def publish(scratch: Path, out: Path) -> bool:
    """Move a finished folder into place; return False when ``out`` holds the same already.

    Raises:
        UserError: ``out`` holds another dataset, or the same rows under another card. Nothing was changed.
    """
    if not (out / MANIFEST).exists():
        scratch.rename(out)
        return True
    there, made = read_manifest(out), read_manifest(scratch)
    if not there.same_data(made):
        raise UserError(f"{out} holds {_difference(there, made)}; choose another --out or remove that folder")
    card = (out / CARD).read_bytes() if (out / CARD).is_file() else b""
    if card != (scratch / CARD).read_bytes():
        raise UserError(f"{out} holds the same rows with another {CARD}; remove that folder to build it anew")
    return False


def _difference(there: Manifest, made: Manifest) -> str:
    if (there.benchmark, there.source) != (made.benchmark, made.source):
        return f"a dataset from {there.source}, not from {made.source}"
    if there.dataset_version != made.dataset_version:
        return f"version {there.dataset_version} of the dataset, not {made.dataset_version}"
    changed = [
        name
        for name, config in made.configs.items()
        if there.configs.get(name, config).sha256 != config.sha256
    ]
    return f"other rows in {', '.join(changed) or 'other configs'}"


@contextmanager
def _locked(handle: int, scratch: Path, out: Path) -> Iterator[None]:
    """Hold the scratch folder alone, and remove it afterwards if it is still there."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UserError(f"another build is writing to {out}; wait for it or choose another --out") from None
    try:
        _empty(scratch)  # what a killed build left
        yield
    finally:
        # Moved into place, its name may by now be another build's scratch folder.
        if scratch.exists() and os.path.samestat(os.fstat(handle), scratch.stat()):
            shutil.rmtree(scratch)


def _empty(folder: Path) -> None:
    for entry in folder.iterdir():
        if entry.is_dir():
            shutil.rmtree(entry)
        else:
            entry.unlink()
