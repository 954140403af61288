"""Checks that hold for every dataset: card, manifest, files, schema, keys, content hashes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import yaml
from huggingface_hub import DatasetCard

from builders.card import data_files, hash_note
from builders.folder import CARD, ConfigEntry, FileEntry, Manifest, SplitEntry
from builders.hashing import ContentHash, splits_sha256
from builders.schema import ConfigSpec
from physprobe.files import file_sha256

Row = Mapping[str, Any]

# Rows read at a time: a video row holds a whole file.
_BATCH = 16


@dataclass
class ConfigCheck:
    """One pass over a config's rows.

    Attributes:
        splits: number of rows, and their content hash; "" when they could not all be read.
        shards, bytes: what is there. problems: what is wrong, one line each.
    """

    spec: ConfigSpec
    splits: dict[str, SplitEntry] = field(default_factory=dict)
    shards: int = 0
    bytes: int = 0
    problems: list[str] = field(default_factory=list)
    _keys: set[str] = field(default_factory=set)

    @property
    def rows(self) -> int:
        """How many rows were read."""
        return sum(split.rows for split in self.splits.values())

    @property
    def sha256(self) -> str:
        """Content hash of all splits, "" when not all rows could be read."""
        hashes = {name: split.sha256 for name, split in self.splits.items()}
        return splits_sha256(hashes) if all(hashes.values()) else ""

    def read(self, folder: Path) -> Iterator[tuple[str, Row]]:
        """Yield split and row wherever a row fits the schema, with no nulls where none may be.

        Everything else is noted as a problem.
        """
        for split, pattern in self.spec.patterns.items():
            yield from ((split, row) for row in self._read_split(folder, split, pattern))

    def _read_split(self, folder: Path, split: str, pattern: str) -> Iterator[Row]:
        content = ContentHash()
        shards = sorted(folder.glob(pattern))
        if not shards:
            self.problems.append(f"{self.spec.name}: no files {pattern}")
        whole = bool(shards)
        for shard in shards:
            self.shards += 1
            self.bytes += shard.stat().st_size
            name = shard.relative_to(folder).as_posix()
            try:
                for rows in self._batches(shard, name):
                    content.update(rows)
                    yield from (row for row in rows if self._is_sound(name, row))
            except _WrongSchemaError:  # told already; its rows can't be judged
                whole = False
            except (pa.ArrowException, OSError, ValueError) as error:
                self.problems.append(f"{name}: unreadable: {_first_line(error)}")
                whole = False
        self.splits[split] = SplitEntry(rows=content.rows, sha256=content.hexdigest() if whole else "")

    def _batches(self, shard: Path, name: str) -> Iterator[list[dict[str, Any]]]:
        with pq.ParquetFile(shard) as file:
            self.problems += [f"{name}: {problem}" for problem in _schema_problems(file, self.spec)]
            if not file.schema_arrow.equals(self.spec.schema):
                raise _WrongSchemaError
            for batch in file.iter_batches(batch_size=_BATCH):
                yield batch.to_pylist()

    def _is_sound(self, name: str, row: Row) -> bool:
        key = row[self.spec.key]
        if key in self._keys:
            self.problems.append(f"{name}: {self.spec.key} {key} occurs twice")
        self._keys.add(key)
        empty = [
            column
            for column, value in row.items()
            if _has_null(value) and not (value is None and column in self.spec.nullable)
        ]
        if empty:
            self.problems.append(f"{name}: {self.spec.key} {key}: no value in {', '.join(empty)}")
        return not empty


class _WrongSchemaError(Exception):
    """A shard's rows don't have the columns that checks rely on."""


def _schema_problems(file: pq.ParquetFile, spec: ConfigSpec) -> Iterator[str]:
    found = file.schema_arrow
    columns = [*_column_problems(found, spec.schema)]
    yield from columns
    if not columns and not found.equals(spec.schema):
        yield f"columns must be nullable and in this order: {', '.join(spec.schema.names)}"
    if b"huggingface" in (found.metadata or {}):
        yield "carries a Hugging Face schema, which other versions of datasets can't read"


def _column_problems(found: pa.Schema, wanted: pa.Schema) -> Iterator[str]:
    for column in wanted:
        if column.name not in found.names:
            yield f"column {column.name} is missing"
        elif found.field(column.name).type != column.type:
            yield f"column {column.name} is {found.field(column.name).type}, not {column.type}"
    for name in found.names:
        if name not in wanted.names:
            yield f"column {name} is not part of the schema"


def manifest_problems(folder: Path, entry: ConfigEntry, check: ConfigCheck) -> Iterator[str]:
    """Compare a config, once read, with what the manifest recorded at build."""
    spec = check.spec
    for split, found in check.splits.items():
        where = f"{spec.name}/{split}" if len(spec.splits) > 1 else spec.name
        built = entry.split(split)
        if built is None:
            yield f"{where}: not recorded at build"
        elif found.rows != built.rows:
            yield f"{where}: {found.rows} rows, built with {built.rows}"
        if built and found.sha256 and found.sha256 != built.sha256:
            hashes = f"{found.sha256} is not the recorded {built.sha256}"
            yield f"{where}: content hash {hashes}: rows were changed"
    patterns = spec.patterns.values()
    there = {path.relative_to(folder).as_posix() for pattern in patterns for path in folder.glob(pattern)}
    for extra in sorted(there - entry.files.keys()):
        yield f"{extra}: not part of the build, but load_dataset would read it"
    yield from file_problems(folder, entry.files)


def file_problems(folder: Path, files: Mapping[str, FileEntry]) -> Iterator[str]:
    """Compare files with their recorded sizes and hashes."""
    for path, file in files.items():
        if not (folder / path).is_file():
            yield f"{path}: missing"
        elif (folder / path).stat().st_size != file.bytes or file_sha256(folder / path) != file.sha256:
            yield f"{path}: the file was changed after the build (SHA-256 differs)"


def card_problems(folder: Path, specs: tuple[ConfigSpec, ...], manifest: Manifest | None) -> Iterator[str]:
    """Check that README.md makes ``load_dataset`` find every config, and holds the recorded hashes."""
    try:
        metadata = DatasetCard.load(folder / CARD).data.to_dict()
    except (OSError, ValueError, TypeError, yaml.YAMLError) as error:
        yield f"{CARD}: unreadable: {_first_line(error)}"
        return
    by_name, infos = _by_name(metadata.get("configs")), _by_name(metadata.get("dataset_info"))
    for spec in specs:
        if spec.name not in by_name:
            yield f"{CARD}: configs lacks {spec.name}"
            continue
        entry = manifest.configs.get(spec.name) if manifest else None
        yield from _config_problems(spec, by_name[spec.name], entry)
        if entry is not None:
            yield from _count_problems(spec, infos.get(spec.name, {}), entry)


def _by_name(entries: Any) -> dict[Any, Mapping[str, Any]]:
    listed = [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
    return {entry.get("config_name"): entry for entry in listed}


def _count_problems(spec: ConfigSpec, info: Mapping[str, Any], entry: ConfigEntry) -> Iterator[str]:
    try:
        counted = {split["name"]: split["num_examples"] for split in info["splits"]}
    except (KeyError, TypeError):
        counted = {}
    for split in spec.splits:
        built = entry.split(split)
        if built is not None and counted.get(split) != built.rows:
            where = f"{spec.name}/{split}" if len(spec.splits) > 1 else spec.name
            yield f"{CARD}: dataset_info of {where} must count {built.rows} rows: load_dataset compares"


def _config_problems(spec: ConfigSpec, config: Mapping[str, Any], entry: ConfigEntry | None) -> Iterator[str]:
    where = f"{CARD}: config {spec.name}"
    if config.get("data_files") != data_files(spec):
        told = "; ".join(f"split {split}, path {pattern}" for split, pattern in spec.patterns.items())
        yield f"{where}: data_files must be {told}"
    if bool(config.get("default")) != spec.default:
        yield f"{where}: must {'' if spec.default else 'not '}be the default"
    if entry is not None and hash_note(entry.sha256) not in str(config.get("description")):
        yield f"{where}: description lacks the content hash {entry.sha256}; old rows could be loaded"


def _has_null(value: Any) -> bool:
    if value is None:
        return True
    if isinstance(value, dict):
        return any(map(_has_null, value.values()))
    return isinstance(value, list) and any(map(_has_null, value))


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
