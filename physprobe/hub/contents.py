"""What a published folder consists of, here and on the Hub."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

# The Hub makes it with the repository; it says which files are stored as large ones.
GITATTRIBUTES = ".gitattributes"

_CHUNK = 1 << 20


@dataclass(frozen=True)
class Upload:
    """A file to publish.

    Attributes:
        source: the file, or its content. known_sha256: its hash, where it was computed before.
    """

    source: Path | bytes
    known_sha256: str = ""

    @cached_property
    def size(self) -> int:
        """Size in bytes."""
        return len(self.source) if isinstance(self.source, bytes) else self.source.stat().st_size

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of the content, in hex: how the Hub names large files."""
        return self.known_sha256 or self._digest(hashlib.sha256())

    @cached_property
    def blob_id(self) -> str:
        """SHA-1 of the content as a git blob, in hex: how the Hub names small files."""
        digest = hashlib.sha1(usedforsecurity=False)
        digest.update(b"blob %d\0" % self.size)
        return self._digest(digest)

    def is_there(self, remote: Remote | None) -> bool:
        """Tell whether a file on the Hub has this content."""
        if remote is None or remote.size != self.size:
            return False
        return remote.digest == (self.sha256 if remote.is_large else self.blob_id)

    def _digest(self, digest: hashlib._Hash) -> str:
        for chunk in self._chunks():
            digest.update(chunk)
        return digest.hexdigest()

    def _chunks(self) -> Iterator[bytes]:
        if isinstance(self.source, bytes):
            yield self.source
            return
        with self.source.open("rb") as file:
            while chunk := file.read(_CHUNK):
                yield chunk


@dataclass(frozen=True)
class Remote:
    """A file on the Hub.

    Attributes:
        size: in bytes. is_large: stored beside git. digest: its SHA-256 if it is large, else its git blob id.
    """

    size: int
    is_large: bool
    digest: str


Uploads = Mapping[str, Upload]  # path in the repository -> what belongs there
Listing = Mapping[str, Remote]


def missing(uploads: Uploads, there: Listing) -> list[str]:
    """Name the files that a listing lacks or has with other content."""
    return [path for path, upload in uploads.items() if not upload.is_there(there.get(path))]


def surplus(uploads: Uploads, there: Listing) -> list[str]:
    """Name the files of a listing that are not to be published."""
    return [path for path in there if path not in uploads and path != GITATTRIBUTES]
