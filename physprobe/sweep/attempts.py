"""The record of a job's attempts: JSON lines, one when an attempt starts and one when it has ended."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Literal

Reason = Literal["exited", "timeout", "stopped", "lost"]


@dataclass(frozen=True)
class Attempt:
    """One attempt at a job.

    Attributes:
        number: counted from 1, over all sweeps. started, ended: UTC, ISO 8601; "" while it runs.
        host: where. devices: the GPUs it may see. log: its log file.
        reason: it exited by itself; was stopped at its limit or with the sweep; was lost.
        code: its exit code, negative a signal's. error: the last error line of its log.
    """

    number: int
    started: str
    host: str = ""
    devices: str = ""
    log: str = ""
    ended: str = ""
    reason: Reason | str = ""
    code: int | None = None
    error: str = ""

    @property
    def succeeded(self) -> bool:
        """Whether it ended well."""
        return self.reason == "exited" and self.code == 0 and not self.error

    @property
    def may_be_repeated(self) -> bool:
        """Whether another attempt may end better: bad use (exit code 2) is refused again."""
        return not self.succeeded and self.reason != "stopped" and self.code != 2


def now() -> str:
    """Return the time as records have it."""
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds")


def seconds_between(start: str, end: str) -> float:
    """Return the seconds between two times of a record."""
    return (datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds()


def timestamp(moment: str) -> float:
    """Return a time of a record as seconds since 1970, as file systems have it."""
    return datetime.fromisoformat(moment).timestamp()


def append(record: Path, line: Mapping[str, Any]) -> None:
    """Add a line: the whole of a started attempt, or number and changed fields of one that has ended.

    Raises:
        OSError: it can't be written.
    """
    file = os.open(record, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        os.write(file, (json.dumps(line) + "\n").encode())
    finally:
        os.close(file)


def read(record: Path) -> list[Attempt]:
    """Return the attempts, in order; lines that a kill has cut are passed over."""
    found: dict[int, Attempt] = {}
    known = {field.name for field in fields(Attempt)}
    for line in record.read_bytes().splitlines() if record.exists() else ():
        try:
            content = {name: value for name, value in json.loads(line).items() if name in known}
            number = int(content["number"])
            found[number] = replace(found[number], **content) if number in found else Attempt(**content)
        except (ValueError, KeyError, TypeError, AttributeError):
            continue
    return list(found.values())


def running(record: Path) -> bool:
    """Whether the last attempt has not ended, as far as its record says."""
    found = read(record)
    return bool(found) and not found[-1].ended
