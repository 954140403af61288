"""From a samples file of lmms-eval (JSON lines) to columns, once: the outcome is kept beside it."""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.json as pj
import pyarrow.parquet as pq

from physprobe.analysis.layout import FORMAT_KEY, Layout, with_type
from physprobe.errors import UserError

CACHE_FOLDER = ".physprobe"

_BLOCK = 1 << 24  # bytes; a line must fit


def read_samples(path: Path, layout: Layout, cache: Path | None = None) -> pa.Table:
    """Read a samples file as columns; the second time from a Parquet copy.

    The copy's name holds a hash of the samples file's content, so that a changed file is read anew. Where the
    copy can't be written, nothing is kept.

    Args:
        path: a ``*_samples_*.jsonl`` of lmms-eval. layout: of its benchmark.
        cache: folder of the copies; None: ``.physprobe`` beside.

    Returns:
        A table of schema ``layout.question``, in the file's order.

    Raises:
        UserError: the file is missing or no samples file, or its records lack what is needed.
    """
    if not path.is_file():
        raise UserError(f"{path} is missing: evaluate with --log_samples")
    copy = (cache or path.parent / CACHE_FOLDER) / f"{path.stem}.{_digest(path)}.parquet"
    if copy.is_file():
        with suppress(OSError, pa.ArrowInvalid):
            kept = pq.read_table(copy, schema=layout.question)
            if format_of(copy) == layout.format:
                return kept
    table = convert(path, layout)
    with suppress(OSError):
        copy.parent.mkdir(parents=True, exist_ok=True)
        write_answers(table, copy, layout)
        for stale in copy.parent.glob(f"{path.stem}.*.parquet") if cache is None else ():
            if stale != copy:
                stale.unlink()
    return table


def convert(path: Path, layout: Layout) -> pa.Table:
    """Read the records of a samples file as columns.

    Raises:
        UserError: as :func:`read_samples`.
    """
    options = pj.ParseOptions(pa.schema({layout.record: layout.read}), unexpected_field_behavior="ignore")
    try:
        lines = pj.read_json(path, pj.ReadOptions(block_size=_BLOCK), options)
    except (OSError, pa.ArrowInvalid) as error:
        reason = str(error).splitlines()[0]
        raise UserError(f"{path} can't be read as samples of {layout.title} ({reason})") from error
    records = lines.column(layout.record).combine_chunks()
    if isinstance(records, pa.ChunkedArray):  # no line at all
        records = pa.array([], layout.read)
    return to_columns(records, layout, str(path))


def to_columns(records: pa.StructArray, layout: Layout, place: str) -> pa.Table:
    """Make the columns of N questions from their records.

    Args:
        records: of type ``layout.read``. place: where they are, for messages.

    Raises:
        UserError: a record lacks what is needed.
    """
    fields = {field.name: records.field(field.name) for field in layout.read}
    missing = [n for n, column in fields.items() if n not in layout.nullable and column.null_count]
    if missing:
        raise UserError(
            f"{place} holds no {missing[0]!r} of some questions: evaluate again with this version"
        )
    made = layout.make({**fields, "line": pa.array(np.arange(len(records)), pa.int32())})
    columns = {field.name: with_type(made[field.name], field.type) for field in layout.question}
    return pa.table(columns, schema=layout.question)


def write_answers(table: pa.Table, path: Path, layout: Layout) -> None:
    """Write columns of answers as Parquet, whole or not at all.

    Raises:
        OSError: it can't be written.
    """
    marked = table.replace_schema_metadata({**(table.schema.metadata or {}), FORMAT_KEY: layout.format})
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(handle)
    try:
        pq.write_table(marked, name, compression="zstd")
        Path(name).chmod(0o644)
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)


def format_of(path: Path) -> bytes:
    """Return the format of a Parquet file of answers; b"" of another file.

    Raises:
        OSError, pyarrow.ArrowInvalid: it is no Parquet file.
    """
    return (pq.read_schema(path).metadata or {}).get(FORMAT_KEY, b"")


def _digest(path: Path) -> str:
    digest = hashlib.blake2b(digest_size=12)
    with path.open("rb") as file:
        while chunk := file.read(1 << 22):
            digest.update(chunk)
    return digest.hexdigest()
