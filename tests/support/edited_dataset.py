"""Datasets as a later build would give them: rows changed, and manifest and card in line with them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from huggingface_hub import DatasetCard

from builders.folder import CARD, config_entries, read_manifest, write_manifest
from builders.schema import ConfigSpec
from builders.shards import Written, write_config

Rows = list[dict[str, Any]]


def rebuilt(dataset: Path, out: Path, spec: ConfigSpec, change: Callable[[Rows], Rows]) -> Path:
    """Copy a dataset with other rows in one config."""
    shutil.copytree(dataset, out)
    manifest = read_manifest(out)
    old = manifest.configs[spec.name]
    (split,) = spec.splits
    rows = change([row for path in old.files for row in pq.read_table(out / path).to_pylist()])
    for path in old.files:
        (out / path).unlink()
    written = write_config(out, spec, {split: rows})
    entry = config_entries({spec.name: written})[spec.name]
    write_manifest(out, manifest.model_copy(update={"configs": {**manifest.configs, spec.name: entry}}))
    _describe(out / CARD, spec.name, written, old.sha256)
    return out


def _describe(path: Path, config: str, written: Written, old_sha256: str) -> None:
    card = DatasetCard.load(path)
    (info,) = (info for info in card.data.dataset_info if info["config_name"] == config)
    info["splits"][0] |= {"num_bytes": written.memory_bytes, "num_examples": written.rows}
    info["dataset_size"] = written.memory_bytes
    info["download_size"] = sum(file.bytes for file in written.files)
    path.write_text(str(card).replace(old_sha256, written.sha256).rstrip() + "\n", encoding="utf-8")


def without_last(count: int) -> Callable[[Rows], Rows]:
    """Drop rows from the end."""
    return lambda rows: rows[:-count]


def with_changed(index: int, **values: Any) -> Callable[[Rows], Rows]:
    """Change values of one row."""
    return lambda rows: [{**row, **values} if k == index else row for k, row in enumerate(rows)]
