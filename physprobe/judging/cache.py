"""Replies of judges on disk, by content: the same question to the same model is never asked twice.

One JSON file a reply, named by its key's hash, written to another name and renamed: safe for several
processes and on network file systems. It holds no API key, no address, and not the prompt.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import tempfile
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from physprobe.errors import UserError

FORMAT = 1

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Reply:
    """What a judge said. ``finish_reason`` as in the OpenAI API: "stop", "length" (cut off), ..."""

    text: str
    finish_reason: str = "stop"


@dataclass(frozen=True)
class CacheKey:
    """Everything a reply depends on; temperature is always 0.

    Attributes:
        judge: its name. model: what the endpoint calls it. revision: of the model.
        version: of the prompt's wording. prompt_sha256: of the whole prompt. max_tokens: bound of the reply.
    """

    judge: str
    model: str
    revision: str
    version: str
    prompt_sha256: str
    max_tokens: int

    @cached_property
    def digest(self) -> str:
        """SHA-256 over all fields, in hexadecimal."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()


class ReplyCache:
    """Replies in a folder, which is made at the first write."""

    def __init__(self, folder: Path) -> None:
        """Use ``folder``.

        Raises:
            UserError: it is something else than a folder.
        """
        if folder.exists() and not folder.is_dir():
            raise UserError(f"{folder} is no folder: choose another place for the judges' replies")
        self._folder = folder
        self._warned = False

    def get(self, key: CacheKey) -> Reply | None:
        """Return the reply under ``key``; None when there is none, or when its file is damaged."""
        try:
            entry = json.loads(self._path(key).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return None
        return _reply(entry, key)

    def put(self, key: CacheKey, reply: Reply) -> None:
        """Keep a reply. A folder that can't be written costs the replies of a later run, not this one."""
        try:
            self._write(self._path(key), _entry(key, reply))
        except OSError as error:
            if not self._warned:
                _log.warning("replies of judges are not kept: %s can't be written (%s)", self._folder, error)
            self._warned = True

    def _path(self, key: CacheKey) -> Path:
        return self._folder / key.digest[:2] / f"{key.digest}.json"

    @staticmethod
    def _write(path: Path, entry: dict[str, Any]) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".reply-")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(entry, file, sort_keys=True, indent=1)
                file.write("\n")
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise


def _entry(key: CacheKey, reply: Reply) -> dict[str, Any]:
    return {"format": FORMAT, "key": asdict(key), "reply": asdict(reply), "sha256": _checksum(reply)}


def _reply(entry: Any, key: CacheKey) -> Reply | None:
    try:
        reply = Reply(**entry["reply"])
        sound = entry["format"] == FORMAT and entry["key"] == asdict(key)
        return reply if sound and entry["sha256"] == _checksum(reply) else None
    except (KeyError, TypeError, ValueError):
        return None


def _checksum(reply: Reply) -> str:
    return hashlib.sha256(json.dumps([reply.text, reply.finish_reason]).encode()).hexdigest()
