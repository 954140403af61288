"""Loads every config of dataset folders with the ``datasets`` that is installed, and compares with the files.

A program without our packages: it also runs where only ``datasets``, PyAV and Pillow are. Prints one line a
config; fails on the first difference.
"""

from __future__ import annotations

import importlib.util
import io
import sys
from pathlib import Path
from typing import Any

import av
import datasets
import PIL.Image
import pyarrow.parquet as pq
import yaml


def main() -> None:
    """Check the folders named on the command line."""
    codec = "with" if importlib.util.find_spec("torchcodec") else "without"
    print(f"datasets {datasets.__version__}, {codec} torchcodec")
    for folder in sys.argv[1:]:
        card = yaml.safe_load((Path(folder) / "README.md").read_text(encoding="utf-8").split("---")[1])
        default = next(config["config_name"] for config in card["configs"] if config.get("default"))
        for config in card["configs"]:
            name = config["config_name"]
            for split in (files["split"] for files in config["data_files"]):
                check(folder, name, split, is_default=name == default)


def check(folder: str, name: str, split: str, is_default: bool) -> None:
    """Load a split in each way there is."""
    paths = sorted(Path(folder).glob(f"{name}/{split}-*.parquet"))
    stored = [row for path in paths for row in pq.read_table(path).to_pylist()]
    loaded = datasets.load_dataset(folder, name, split=split)
    streamed = datasets.load_dataset(folder, name, split=split, streaming=True)
    seen = {"loaded": list(loaded), "streamed": list(streamed)}
    if is_default:
        seen["default"] = list(datasets.load_dataset(folder)[split])
    for way, rows in seen.items():
        assert len(rows) == len(stored), f"{folder} {name} {way}: {len(rows)} rows, not {len(stored)}"
        for row, wanted in zip(rows, stored, strict=True):
            for column, value in wanted.items():
                assert same(row[column], value), (
                    f"{folder} {name} {way}: {column} of {next(iter(wanted.values()))}"
                )
    print(f"{Path(folder).name} {name} {split}: {len(stored)} rows the same ({', '.join(seen)})")


def same(found: Any, stored: Any) -> bool:
    """Compare a value with what the file holds; images decode, videos stay bytes that PyAV decodes."""
    if isinstance(found, PIL.Image.Image):
        wanted = PIL.Image.open(io.BytesIO(stored["bytes"]))
        return found.size == wanted.size and found.tobytes() == wanted.tobytes()
    if isinstance(stored, dict) and set(stored) == {"bytes", "path"}:
        with av.open(io.BytesIO(found["bytes"])) as container:
            frames = sum(1 for _ in container.decode(video=0))
        return frames > 0 and found == stored
    return found == stored


if __name__ == "__main__":
    main()
