"""Datasets that somebody tampered with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from builders.conservation.schema import CONFIGS
from builders.schema import ConfigSpec
from builders.verify import verify

Row = dict[str, Any]
Change = Callable[[list[Row]], list[Row] | None]
SHARDS = {spec.name: spec.shard("test", 0, 1) for spec in CONFIGS}


def edit(dataset: Path, spec: ConfigSpec, change: Change, split: str = "test") -> None:
    """Rewrite a config's rows, as a hand would: only the Parquet file changes."""
    path = dataset / spec.shard(split, 0, 1)
    rows = pq.read_table(path).to_pylist()
    rows = change(rows) or rows
    pq.write_table(pa.Table.from_pylist(rows, schema=spec.schema), path)


def put(index: int, **values: Any) -> Change:
    """Overwrite values of one row."""
    return lambda rows: rows[index].update(values)


def problems(dataset: Path) -> list[str]:
    """What ``verify`` finds."""
    return list(verify(dataset).problems)


def quantities(moved: list[float], reference: list[float], unit: str = "count") -> Row:
    """The column of that name."""
    return {"unit": unit, "moved": moved, "reference": reference}
