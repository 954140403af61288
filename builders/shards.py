"""Streams rows into Parquet shards; at most one row group is held in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from builders.hashing import ContentHash, splits_sha256
from builders.schema import ConfigSpec
from physprobe.files import file_sha256

Row = Mapping[str, Any]

SHARD_BYTES = 200 * 10**6
ROW_GROUP_BYTES = 32 * 10**6
ROW_GROUP_ROWS = 5000


@dataclass(frozen=True)
class FileRecord:
    """A file of the dataset: its path inside the folder, size in bytes, SHA-256."""

    path: str
    bytes: int
    sha256: str


@dataclass(frozen=True)
class WrittenSplit:
    """What was written for a split: shards, rows, content hash, and bytes of the rows once in memory."""

    files: tuple[FileRecord, ...]
    rows: int
    sha256: str
    memory_bytes: int


@dataclass(frozen=True)
class Written:
    """What was written for a config, by split, in the order of the card."""

    splits: Mapping[str, WrittenSplit]

    @property
    def files(self) -> tuple[FileRecord, ...]:
        """All shards."""
        return tuple(file for split in self.splits.values() for file in split.files)

    @property
    def rows(self) -> int:
        """How many rows all splits have."""
        return sum(split.rows for split in self.splits.values())

    @property
    def memory_bytes(self) -> int:
        """Bytes of all rows once in memory."""
        return sum(split.memory_bytes for split in self.splits.values())

    @property
    def sha256(self) -> str:
        """The content hash of all splits."""
        return splits_sha256({name: split.sha256 for name, split in self.splits.items()})


@dataclass
class _Sink:
    """Row groups in, numbered shards out."""

    folder: Path
    spec: ConfigSpec
    split: str
    shard_bytes: int
    shards: list[Path] = field(default_factory=list)
    writer: pq.ParquetWriter | None = None
    stream: pa.NativeFile | None = None

    def write(self, table: pa.Table) -> None:
        """Append a row group; start a new shard when the current one would grow past the target."""
        if self.stream is not None and self.stream.tell() + table.nbytes > self.shard_bytes:
            self.close()
        self.open().write_table(table)

    def open(self) -> pq.ParquetWriter:
        """Start a shard, unless one is open."""
        if self.writer is None:
            path = self.folder / self.spec.name / f"{self.split}-{len(self.shards):05d}.unfinished"
            path.parent.mkdir(parents=True, exist_ok=True)
            self.shards.append(path)
            self.stream = pa.OSFile(str(path), "wb")
            self.writer = pq.ParquetWriter(self.stream, self.spec.schema, **_encoding(self.spec))
        return self.writer

    def close(self) -> None:
        """Finish the current shard."""
        if self.writer is not None and self.stream is not None:
            self.writer.close()
            self.stream.close()
        self.writer = self.stream = None


def write_config(
    folder: Path, spec: ConfigSpec, rows: Mapping[str, Iterable[Row]], shard_bytes: int = SHARD_BYTES
) -> Written:
    """Write all rows of a config below ``folder``; the same rows give the same bytes.

    Args:
        folder: the dataset folder. spec: the config.
        rows: of each split, in their final order, each with exactly the schema's columns.
        shard_bytes: target size of a shard; one row group more at most.

    Raises:
        pyarrow.ArrowInvalid, KeyError: a row does not fit the schema.
    """
    return Written(
        {split: _write_split(folder, spec, split, rows[split], shard_bytes) for split in spec.splits}
    )


def _write_split(
    folder: Path, spec: ConfigSpec, split: str, rows: Iterable[Row], shard_bytes: int
) -> WrittenSplit:
    sink = _Sink(folder, spec, split, shard_bytes)
    content = ContentHash()
    memory = 0
    try:
        for group in _row_groups(rows, min(ROW_GROUP_BYTES, shard_bytes)):
            table = as_table(spec, group)
            content.update(table.to_pylist())  # as Parquet returns them, not as they came in
            memory += table.nbytes
            sink.write(table)
        if not sink.shards:
            sink.open()  # no row group at all: ``datasets`` can't read an empty one
    finally:
        sink.close()
    count = len(sink.shards)
    files = tuple(
        _finish(folder, path, spec.shard(split, index, count)) for index, path in enumerate(sink.shards)
    )
    return WrittenSplit(files, content.rows, content.hexdigest(), memory)


def as_table(spec: ConfigSpec, rows: list[Row]) -> pa.Table:
    """Give rows the schema's types.

    Raises:
        pyarrow.ArrowInvalid, KeyError: a row does not fit the schema.
    """
    names = set(spec.schema.names)
    for row in rows:
        if row.keys() != names:
            raise KeyError(f"{spec.name}: columns {sorted(row.keys() ^ names)} missing or unknown")
    return pa.Table.from_pylist(rows, schema=spec.schema)


def _row_groups(rows: Iterable[Row], limit: int) -> Iterator[list[Row]]:
    group: list[Row] = []
    size = 0
    for row in rows:
        grown = _size(row)
        if group and (size + grown > limit or len(group) == ROW_GROUP_ROWS):
            yield group
            group, size = [], 0
        group.append(row)
        size += grown
    if group:
        yield group


def _size(value: Any) -> int:
    if isinstance(value, str | bytes):
        return len(value)
    if isinstance(value, Mapping):
        return sum(map(_size, value.values()))
    if isinstance(value, list | tuple):
        return sum(map(_size, value))
    return 8


def _encoding(spec: ConfigSpec) -> dict[str, Any]:
    columns = [path for column in spec.schema for path in _leaves(column.name, column.type)]
    media = {f"{column}.bytes" for column in spec.media}
    return {
        "compression": {path: "none" if path in media else "zstd" for path in columns},
        "use_dictionary": [path for path in columns if path not in media],
    }


def _leaves(path: str, kind: pa.DataType) -> Iterator[str]:
    """Name the leaf columns as Parquet does: ``struct.child``, ``list.list.element``."""
    if pa.types.is_struct(kind):
        for child in kind:
            yield from _leaves(f"{path}.{child.name}", child.type)
    elif pa.types.is_list(kind):
        yield from _leaves(f"{path}.list.element", kind.value_type)
    else:
        yield path


def _finish(folder: Path, path: Path, name: str) -> FileRecord:
    path.rename(folder / name)
    return FileRecord(name, (folder / name).stat().st_size, file_sha256(folder / name))
