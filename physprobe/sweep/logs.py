"""A job's log: what it prints, without secrets and without the redrawing of progress bars."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import BinaryIO

from physprobe.harness.secrets import mask

_KEEP_EVERY_S = 30.0  # of a progress bar that redraws itself, one line each so many seconds
_LONGEST = 100_000
_TAIL_BYTES = 200_000
_OUR_ERROR = "error: "  # how commands of physprobe begin their last line
_PYTHON_ERROR = re.compile(r"^(\[rank\d+\]: *)?[A-Za-z_][\w.]*(Error|Exception|Interrupt|Exit)\b")


class LogWriter:
    """Writes a log from what a process prints."""

    def __init__(
        self, file: BinaryIO, secrets: tuple[str, ...], clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Write to ``file``, with each of ``secrets`` masked."""
        self._file, self._secrets, self._clock = file, secrets, clock
        self._text, self._kept_at = "", -_KEEP_EVERY_S

    def write(self, text: str) -> None:
        """Take what was printed; whole lines are written at once."""
        self._text += text
        *lines, self._text = re.split(r"(?<=\n)|(?<=\r)(?!\n)", self._text)
        if len(self._text) > _LONGEST:
            lines, self._text = [*lines, self._text], ""
        for line in lines:
            self._line(line)

    def close(self) -> None:
        """Write what is left."""
        if self._text:
            self._put(self._text)
        self._text = ""

    def _line(self, line: str) -> None:
        if line.endswith("\r"):
            if not line.strip() or self._clock() - self._kept_at < _KEEP_EVERY_S:
                return
            self._kept_at = self._clock()
        self._put(line)

    def _put(self, line: str) -> None:
        self._file.write((mask(line.rstrip("\r\n"), self._secrets) + "\n").encode(errors="replace"))
        self._file.flush()


def last_error(log: bytes) -> str:
    """Return the line of a log that best says what went wrong; "" of an empty log.

    That is the last one of a command of physprobe, else the last that names an exception, else the last.
    """
    lines = [line.strip() for line in log[-_TAIL_BYTES:].decode(errors="replace").splitlines()]
    lines = [line for line in lines if line]
    ours = [line for line in lines if line.startswith(_OUR_ERROR)]
    pythons = [line for line in lines if _PYTHON_ERROR.match(line)]
    best = (ours or pythons or lines or [""])[-1]
    return best.removeprefix(_OUR_ERROR)[:600]
