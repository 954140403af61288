"""Holds a dataset's rows against those that a raw folder gives: whether it can be made again from it."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from PIL import Image

from builders.hashing import value_sha256
from builders.schema import ConfigSpec
from builders.shards import as_table

Row = Mapping[str, Any]


class Comparison:
    """The rows of a config as a raw folder gives them; each is kept as hashes, and used up when compared.

    Images count by their pixels: another encoder writes them in other bytes. Those that the builder makes of
    videos are left out.
    """

    def __init__(self, spec: ConfigSpec, rows: Mapping[str, Iterable[Row]]) -> None:
        """Take in what the raw folder gives, by split."""
        self._spec = spec
        self._expected: dict[tuple[str, str], dict[str, str]] = {}
        for split, row in ((split, row) for split, part in rows.items() for row in part):
            (stored,) = as_table(spec, [row]).to_pylist()
            self._expected[split, stored[spec.key]] = self._fingerprints(stored)

    def problems(self, split: str, row: Row) -> Iterator[str]:
        """Compare a row of the dataset."""
        where = f"{self._spec.name}: {self._spec.key} {row[self._spec.key]}"
        expected = self._expected.pop((split, row[self._spec.key]), None)
        if expected is None:
            yield f"{where}: RAW gives no such row (was it built with a selections file?)"
            return
        found = self._fingerprints(row)
        changed = [name for name, value in expected.items() if found[name] != value]
        if changed:
            yield f"{where}: RAW gives another {', '.join(changed)}"

    def rest(self) -> Iterator[str]:
        """Name what the dataset lacks, once all its rows were compared."""
        for _, key in self._expected:
            yield f"{self._spec.name}: {self._spec.key} {key}: missing, RAW gives it"

    def _fingerprints(self, row: Row) -> dict[str, str]:
        images = {name for name, kind in self._spec.media.items() if kind == "image"}
        found = {name: value_sha256(value) for name, value in row.items() if name not in images}
        if self._spec.images_as_generated:
            found |= {name: _pixels_sha256(row[name]["bytes"]) for name in images}
        return found


def _pixels_sha256(data: bytes) -> str:
    """Return a fingerprint of an image's pixels, or of its bytes if it can't be decoded."""
    try:
        with Image.open(io.BytesIO(data)) as image:
            return value_sha256([image.mode, image.size, image.tobytes()])
    except (OSError, SyntaxError, ValueError):
        return value_sha256(data)
