"""What rows were added, removed or changed between two builds of a dataset, by id."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from builders.benchmarks import BENCHMARKS
from builders.folder import ConfigEntry, Manifest, read_manifest
from builders.hashing import value_sha256
from builders.schema import split_of
from physprobe.errors import UserError

# Rows read at a time: a video row holds a whole file.
_BATCH = 16


@dataclass(frozen=True)
class Changes:
    """The rows of a config that differ, by id, each in the order of its table."""

    config: str
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]

    @property
    def step(self) -> str:
        """What this means for the version: "patch", "minor" or "major"."""
        if self.removed or self.changed:
            return "major"
        return "minor" if self.added else "patch"

    def lines(self) -> Iterator[str]:
        """Name every row."""
        for word in ("added", "removed", "changed"):
            yield from (f"{word} {self.config} {key}" for key in getattr(self, word))

    def __str__(self) -> str:
        """Count them: "questions: 2 added, 1 changed"."""
        counts = {word: len(getattr(self, word)) for word in ("added", "removed", "changed")}
        told = [f"{count:,} {word}" for word, count in counts.items() if count]
        return f"{self.config}: {', '.join(told) or 'no row changed'}"


def changed_configs(old: Manifest, new: Manifest) -> list[str]:
    """Name the configs whose rows differ, or that only one of the two has, in the new one's order."""
    names = [*new.configs, *(name for name in old.configs if name not in new.configs)]
    return [name for name in names if _identity(old, name) != _identity(new, name)]


def compare(old: Path, new: Path) -> list[Changes]:
    """Compare two dataset folders config by config; rows are equal if their split and all their columns are.

    Only configs whose content hashes differ are read; the others need not be there.

    Raises:
        UserError: one of the folders is no dataset of ours or can't be read, or they hold different datasets.
    """
    before, after = read_manifest(old), read_manifest(new)
    if before.benchmark != after.benchmark:
        raise UserError(f"{old} holds {before.benchmark}, {new} holds {after.benchmark}: nothing to compare")
    return [
        _changes(name, _rows(old, before, name), _rows(new, after, name))
        for name in changed_configs(before, after)
    ]


def overall_step(changes: list[Changes]) -> str:
    """Return the least step of the version that says so: "patch", "minor" or "major"."""
    steps = {change.step for change in changes}
    return next((step for step in ("major", "minor") if step in steps), "patch")


def _identity(manifest: Manifest, name: str) -> tuple[int, str] | None:
    entry = manifest.configs.get(name)
    return (entry.rows, entry.sha256) if entry else None


def _changes(config: str, before: dict[str, str], after: dict[str, str]) -> Changes:
    return Changes(
        config,
        added=tuple(key for key in after if key not in before),
        removed=tuple(key for key in before if key not in after),
        changed=tuple(key for key, value in after.items() if before.get(key, value) != value),
    )


def _rows(folder: Path, manifest: Manifest, name: str) -> dict[str, str]:
    """Return the fingerprint of each row by its id."""
    entry = manifest.configs.get(name)
    return dict(_fingerprints(folder, manifest.benchmark, name, entry)) if entry else {}


def _fingerprints(folder: Path, dataset: str, name: str, entry: ConfigEntry) -> Iterator[tuple[str, str]]:
    known = BENCHMARKS.get(dataset)
    keys = {spec.name: spec.key for spec in known.configs} if known else {}
    for path in entry.files:
        try:
            split = split_of(path)
            with pq.ParquetFile(folder / path) as file:
                key = keys.get(name, file.schema_arrow.names[0])
                for batch in file.iter_batches(batch_size=_BATCH):
                    yield from ((str(row[key]), f"{split} {value_sha256(row)}") for row in batch.to_pylist())
        except (pa.ArrowException, OSError, KeyError, ValueError) as error:
            raise UserError(f"can't read {folder / path}: {error!s:.200}") from error
