"""Fingerprints of rows.

The content hash of a config depends on its rows and their order alone: not on how they are cut into shards,
nor on the Parquet writer's version. That of a config in several splits is made of theirs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any


def value_sha256(value: object) -> str:
    """Return the SHA-256 of a value as Parquet returns it, in hex; it counts as in a :class:`ContentHash`."""
    return hashlib.sha256(_canonical(value)).hexdigest()


class ContentHash:
    """The content hash of a sequence of rows, fed one at a time.

    A row counts as its JSON with sorted keys, shortest floats, and each byte string replaced by its SHA-256;
    the content hash is the SHA-256 of these lines.
    """

    def __init__(self) -> None:
        """Start with no rows."""
        self._digest = hashlib.sha256()
        self.rows = 0

    def update(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Add rows, as Parquet returns them."""
        for row in rows:
            self._digest.update(_canonical(row) + b"\n")
            self.rows += 1

    def hexdigest(self) -> str:
        """Return the hash of the rows so far, in hex."""
        return self._digest.hexdigest()


def splits_sha256(hashes: Mapping[str, str]) -> str:
    """Return the content hash of a config: its split's, or of several the SHA-256 of lines "NAME SHA256".

    Args:
        hashes: split -> SHA-256 of its rows, in hex, in the order of the card.
    """
    if len(hashes) == 1:
        return next(iter(hashes.values()))
    lines = "".join(f"{name} {sha256}\n" for name, sha256 in hashes.items())
    return hashlib.sha256(lines.encode()).hexdigest()


def _canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=_bytes_as_hash).encode()


def _bytes_as_hash(value: object) -> dict[str, str]:
    if isinstance(value, bytes):
        return {"sha256": hashlib.sha256(value).hexdigest()}
    raise TypeError(f"no fingerprint for {type(value).__name__}")
