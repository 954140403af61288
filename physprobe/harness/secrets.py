"""Keeps secrets of the environment out of everything a run prints."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from typing import IO, Any

MASK = "[REDACTED]"
_MIN_LENGTH = 8  # shorter values would mask ordinary words
_SECRET_NAME = re.compile(r"(TOKEN|API_?KEY|SECRET|PASSWORD)$", re.IGNORECASE)
_ASSIGNMENT = re.compile(r"([\w-]*(?:TOKEN|API_?KEY|SECRET|PASSWORD)=)[^,\s]+", re.IGNORECASE)
_TOKEN_SHAPE = re.compile(r"\bhf_[A-Za-z0-9]{20,}\b")


def is_secret(name: str) -> bool:
    """Whether a variable or argument of this name holds a secret: "HF_TOKEN", "api_key"."""
    return bool(_SECRET_NAME.search(name))


def secret_values(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the values of variables whose name ends like a secret's, longest first."""
    values = {v for k, v in environment.items() if is_secret(k) and len(v) >= _MIN_LENGTH}
    return tuple(sorted(values, key=lambda v: (-len(v), v)))


def mask(text: str, secrets: tuple[str, ...]) -> str:
    """Return ``text`` with each of ``secrets``, and anything shaped like a Hub token, replaced by MASK."""
    for secret in secrets:
        text = text.replace(secret, MASK)
    return _TOKEN_SHAPE.sub(MASK, text)


def masked_command(argv: Sequence[str]) -> str:
    """Write a command line for a shell, without the secrets in it: ``api_key=...``, ``--hf_token ...``."""
    shown = []
    for before, word in zip(["", *argv], argv, strict=False):
        named = before.startswith("-") and is_secret(before.replace("-", "_"))
        shown.append(MASK if named else _ASSIGNMENT.sub(rf"\1{MASK}", word))
    return mask(shlex.join(shown), secret_values(os.environ))


class MaskingStream:
    """A text stream that masks secrets in each write and is otherwise the stream it wraps.

    The environment is read at each write, for a run may set variables from its configuration file. A secret
    split over two writes is not seen; loggers and ``print`` write whole strings.
    """

    def __init__(self, stream: IO[str]) -> None:
        """Wrap ``stream``."""
        self._stream = stream

    def write(self, text: str) -> int:
        """Write the masked text; return the length of the original, as callers compare it."""
        self._stream.write(mask(text, secret_values(os.environ)))
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        """Write each line masked."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        """Fall back to the wrapped stream."""
        return getattr(self._stream, name)


def mask_output() -> None:
    """Mask standard output and standard error of this process from now on. Idempotent."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if not isinstance(stream, MaskingStream):
            setattr(sys, name, MaskingStream(stream))
