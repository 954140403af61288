"""Pictures of some rows of a dataset, for its card."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow.parquet as pq
from PIL import Image, ImageDraw

from builders.schema import ConfigSpec, Examples, Media
from physprobe.video import decode_frames, inspect_video

EXAMPLES = "examples.png"

_ROWS = 8
_COLUMNS = {"video": 2, "image": 4}  # strips side by side
_WIDTH = 160  # of a frame, in pixels
_LETTER = 6  # width of one, in pixels
_LABEL_HEIGHT = 16
_GAP = 4


class _Place(NamedTuple):
    """Where a row lies: file, row group, and rank in it."""

    file: Path
    group: int
    rank: int


def example_page(folder: Path, specs: Sequence[ConfigSpec]) -> bytes | None:
    """Draw rows of the first config that holds media, evenly spread unless it says which.

    The same rows give the same bytes.

    Args:
        folder: holds the written shards. specs: of the configs.

    Returns:
        A PNG file: a video as three frames side by side, first and last among them, an image as itself, each
        under its row's key. None if there is nothing to show.
    """
    for spec in specs:
        for column, kind in spec.media.items():
            strips = [*_strips(folder, spec, column, kind)]
            if strips:
                return page(strips, spec.examples.columns if spec.examples else _COLUMNS[kind])
    return None


def strip(label: str, frames: Sequence[Image.Image], width: int) -> Image.Image:
    """Draw frames side by side, each ``width`` pixels wide, under a label."""
    height = round(width * frames[0].height / frames[0].width)
    drawn = Image.new("RGB", (len(frames) * (width + _GAP) - _GAP, height + _LABEL_HEIGHT), "white")
    ImageDraw.Draw(drawn).text((2, 2), label, fill="black")
    for number, frame in enumerate(frames):
        small = frame.convert("RGB").resize((width, height), Image.Resampling.LANCZOS)
        drawn.paste(small, (number * (width + _GAP), _LABEL_HEIGHT))
    return drawn


def page(strips: Sequence[Image.Image], columns: int) -> bytes:
    """Draw strips in a grid; return a PNG file, the same for the same strips."""
    width, height = (max(size) + 2 * _GAP for size in zip(*(each.size for each in strips), strict=True))
    columns = min(columns, len(strips))
    drawn = Image.new("RGB", (columns * width, -(-len(strips) // columns) * height), "white")
    for number, each in enumerate(strips):
        drawn.paste(each, (number % columns * width, number // columns * height))
    data = io.BytesIO()
    drawn.save(data, format="PNG", optimize=True)
    return data.getvalue()


def _strips(folder: Path, spec: ConfigSpec, column: str, kind: Media) -> Iterator[Image.Image]:
    label, width = (spec.examples.label, spec.examples.width) if spec.examples else (spec.key, _WIDTH)
    for place in _shown(folder, spec):
        if place is None:
            yield Image.new("RGB", (1, 1), "white")
            continue
        row = _read(place, [label, column])
        frames = _video_frames(row[column]["bytes"]) if kind == "video" else [_image(row[column]["bytes"])]
        yield strip(str(row[label])[: len(frames) * width // _LETTER], frames, width)


def _shown(folder: Path, spec: ConfigSpec) -> list[_Place | None]:
    """Choose rows; None leaves a place free, so that each split begins a line."""
    places = {split: [*_places(folder, pattern)] for split, pattern in spec.patterns.items()}
    first = _first(places, spec.examples) if spec.examples else []
    if first:
        return first
    every = [place for split in places.values() for place in split]
    chosen = np.linspace(0, len(every) - 1, min(_ROWS, len(every))).round().astype(int)
    return [every[index] for index in chosen]


def _first(places: Mapping[str, list[_Place]], examples: Examples) -> list[_Place | None]:
    chosen: list[_Place | None] = []
    for split, count in examples.first.items():
        chosen.extend([None] * (-len(chosen) % examples.columns))
        chosen.extend(places[split][:count])
    return chosen


def _places(folder: Path, pattern: str) -> Iterator[_Place]:
    for file in sorted(folder.glob(pattern)):
        metadata = pq.read_metadata(file)
        for group in range(metadata.num_row_groups):
            for rank in range(metadata.row_group(group).num_rows):
                yield _Place(file, group, rank)


def _read(place: _Place, columns: list[str]) -> dict[str, Any]:
    with pq.ParquetFile(place.file) as file:
        return file.read_row_group(place.group, columns).slice(place.rank, 1).to_pylist()[0]


def _image(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


def _video_frames(data: bytes) -> list[Image.Image]:
    last = inspect_video(data).num_frames - 1
    return [Image.fromarray(frame) for frame in decode_frames(data, (0, last // 2, last))]
