"""From a samples file of lmms-eval (JSON lines) to columns, once: the outcome is kept beside it."""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json as pj
import pyarrow.parquet as pq

from physprobe.analysis.schema import FORMAT, FORMAT_KEY, QUESTION
from physprobe.errors import UserError

# The metric whose item in a samples file is the whole record of a question.
RECORD = "accuracy_overall"

CACHE_FOLDER = ".physprobe"

_TEXTS = ("question_id", "pair_id", "video_id", "domain", "condition", "prompt_style", "extraction", "media")
_READ = pa.struct(
    [
        *((name, pa.string()) for name in (*_TEXTS, "answer", "relation")),
        ("frame_count", pa.int32()),
        ("frame_indices", pa.list_(pa.int32())),
        ("claims", pa.list_(pa.string())),
        ("correct", pa.bool_()),
    ]
)
_NULLABLE = ("relation", "frame_indices")
_BLOCK = 1 << 24  # bytes; a line must fit


def read_samples(path: Path, cache: Path | None = None) -> pa.Table:
    """Read a samples file as columns; the second time from a Parquet copy.

    The copy's name holds a hash of the samples file's content, so that a changed file is read anew. Where the
    copy can't be written, nothing is kept.

    Args:
        path: a ``*_samples_*.jsonl`` of lmms-eval. cache: folder of the copies; None: ``.physprobe`` beside.

    Returns:
        A table of schema :data:`~physprobe.analysis.schema.QUESTION`, in the file's order.

    Raises:
        UserError: the file is missing or no samples file, or its records lack what is needed.
    """
    if not path.is_file():
        raise UserError(f"{path} is missing: evaluate with --log_samples")
    copy = (cache or path.parent / CACHE_FOLDER) / f"{path.stem}.{_digest(path)}.parquet"
    if copy.is_file():
        with suppress(OSError, pa.ArrowInvalid):
            kept = pq.read_table(copy, schema=QUESTION)
            if (pq.read_schema(copy).metadata or {}).get(FORMAT_KEY) == FORMAT:
                return kept
    table = convert(path)
    with suppress(OSError):
        copy.parent.mkdir(parents=True, exist_ok=True)
        write_answers(table, copy)
        for stale in copy.parent.glob(f"{path.stem}.*.parquet") if cache is None else ():
            if stale != copy:
                stale.unlink()
    return table


def convert(path: Path) -> pa.Table:
    """Read the records of a samples file as columns.

    Raises:
        UserError: as :func:`read_samples`.
    """
    options = pj.ParseOptions(pa.schema({RECORD: _READ}), unexpected_field_behavior="ignore")
    try:
        lines = pj.read_json(path, pj.ReadOptions(block_size=_BLOCK), options)
    except (OSError, pa.ArrowInvalid) as error:
        reason = str(error).splitlines()[0]
        raise UserError(f"{path} can't be read as samples of conservationbench ({reason})") from error
    records = lines.column(RECORD).combine_chunks()
    if isinstance(records, pa.ChunkedArray):  # no line at all
        records = pa.array([], _READ)
    columns = {field.name: records.field(field.name) for field in _READ}
    missing = [name for name, column in columns.items() if name not in _NULLABLE and column.null_count]
    if missing:
        raise UserError(f"{path} holds no {missing[0]!r} of some questions: evaluate again with this version")
    return _columns(columns)


def write_answers(table: pa.Table, path: Path) -> None:
    """Write columns of answers as Parquet, whole or not at all.

    Raises:
        OSError: it can't be written.
    """
    marked = table.replace_schema_metadata({**(table.schema.metadata or {}), FORMAT_KEY: FORMAT})
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(handle)
    try:
        pq.write_table(marked, name, compression="zstd")
        Path(name).chmod(0o644)
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)


def hashes(texts: pa.Array) -> pa.Array:
    """Hash texts to uint64, the same on every machine."""
    values = np.asarray(texts.to_pylist(), dtype=object)
    return pa.array(pd.util.hash_array(values, categorize=False), pa.uint64())


def _columns(columns: dict[str, pa.Array]) -> pa.Table:
    claims = columns["claims"]
    joined = pc.binary_join(claims, ",")
    offered = pc.ends_with(joined, pattern=",idk")
    picked = pc.cast(pc.index_in(columns["answer"], _LETTERS), pa.int64())
    starts = pa.array(claims.offsets.to_numpy()[:-1].astype(np.int64))
    truth = claims.values.take(pc.add(starts, picked))
    made = {
        **columns,
        "idk_offered": offered,
        "truth": truth,
        "response": columns["relation"],
        "content": _content(columns, pc.replace_substring_regex(joined, ",idk$", "")),
        "line": pa.array(np.arange(len(claims)), pa.int32()),
    }
    return pa.table({field.name: _cast(made[field.name], field.type) for field in QUESTION}, schema=QUESTION)


_LETTERS = pa.array(list("ABCD"))


def _content(columns: dict[str, pa.Array], claims: pa.Array) -> pa.Array:
    frames = pc.binary_join(pc.cast(columns["frame_indices"], pa.list_(pa.string())), " ").fill_null("")
    return hashes(pc.binary_join_element_wise(columns["question_id"], claims, columns["answer"], frames, "|"))


def _cast(column: pa.Array, kind: pa.DataType) -> pa.Array:
    return column.dictionary_encode().cast(kind) if pa.types.is_dictionary(kind) else column.cast(kind)


def _digest(path: Path) -> str:
    digest = hashlib.blake2b(digest_size=12)
    with path.open("rb") as file:
        while chunk := file.read(1 << 22):
            digest.update(chunk)
    return digest.hexdigest()
