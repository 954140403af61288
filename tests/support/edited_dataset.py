"""Datasets as a later build would give them: rows changed, and manifest and card in line with them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from builders.folder import CARD, config_entries, read_manifest, write_manifest
from builders.schema import ConfigSpec
from builders.shards import write_config

Rows = list[dict[str, Any]]


def rebuilt(dataset: Path, out: Path, spec: ConfigSpec, change: Callable[[Rows], Rows]) -> Path:
    """Copy a dataset with other rows in one config."""
    shutil.copytree(dataset, out)
    manifest = read_manifest(out)
    old = manifest.configs[spec.name]
    rows = change([row for path in old.files for row in pq.read_table(out / path).to_pylist()])
    for path in old.files:
        (out / path).unlink()
    entry = config_entries({spec.name: write_config(out, spec, rows)})[spec.name]
    write_manifest(out, manifest.model_copy(update={"configs": {**manifest.configs, spec.name: entry}}))
    card = (out / CARD).read_text(encoding="utf-8")
    (out / CARD).write_text(card.replace(old.sha256, entry.sha256), encoding="utf-8")
    return out


def without_last(count: int) -> Callable[[Rows], Rows]:
    """Drop rows from the end."""
    return lambda rows: rows[:-count]


def with_changed(index: int, **values: Any) -> Callable[[Rows], Rows]:
    """Change values of one row."""
    return lambda rows: [{**row, **values} if k == index else row for k, row in enumerate(rows)]
