"""Holds a dataset's rows against those that a raw folder gives: whether it can be made again from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from builders.hashing import value_sha256
from builders.schema import ConfigSpec
from builders.shards import as_table

Row = Mapping[str, Any]


class Comparison:
    """The rows of a config as a raw folder gives them; each is kept as hashes, and used up when compared.

    Images that the builder makes are left out: another encoder writes the same pixels in other bytes.
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
        made = {name for name, kind in self._spec.media.items() if kind == "image"}
        skipped = set() if self._spec.images_as_generated else made
        return {name: value_sha256(value) for name, value in row.items() if name not in skipped}
