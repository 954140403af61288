"""Reads objects that were meant as JSON out of free text.

Understood beside JSON: prose and Markdown around it; single, typographic and unescaped inner quotes; bare
keys and words; trailing commas; Python's True, False, None and tuples; NaN; line breaks in strings; a text
that ends too early. Nothing is made up: of a text that ends too early what was begun and not finished is
dropped, and a group of brackets that makes no sense is no object.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import Any, Final

_DEPTH = 16
_ATTEMPTS = 200  # opening braces that are tried
_LENGTH = 50_000  # characters that are read, from the end

_CLOSING = {"[": "]", "(": ")"}
_ENDS = frozenset("}])")
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "`": "`"}
_BLANK = re.compile(r"\s*")
_BARE_KEY = re.compile(r"[^:,{}\[\]()\n]+")
_BARE_VALUE = re.compile(r"[^,{}\[\]()\n]+")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
# A quote ends a text only where what follows it can follow a text; others stand inside it.
_AFTER_TEXT = re.compile(r"""\s*(?:[:}\])]|$|,\s*(?:["'“‘`{\[(}\]]|$|[\w.+-]+\s*[,:}\])]))""")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_WORDS: dict[str, Any] = {"true": True, "false": False, "none": None, "null": None}
_WORDS |= {sign + word: float(sign + word) for sign in ("", "-", "+") for word in ("nan", "inf", "infinity")}
_CUT: Final = object()  # in the place of a value that the text's end leaves unfinished


@dataclass(frozen=True)
class Found:
    """An object in a text.

    Attributes:
        value: names as written, with objects, lists, texts, numbers, bools or None.
        complete: whether the text went on until its closing brace.
    """

    value: dict[str, Any]
    complete: bool


def find_objects(text: str) -> list[Found]:
    """Return the objects in a text, outermost ones only, in order. Never raises.

    Only the last 50,000 characters, and the first 200 opening braces in them, are tried.
    """
    text = text[-_LENGTH:]
    found: list[Found] = []
    start = text.find("{")
    for _ in range(_ATTEMPTS):
        if start < 0:
            break
        end, each = _read(text, start)
        found += each
        start = text.find("{", end)
    return found


def loose_value(text: str) -> Any:
    """Return the list, object, number or word that a text is as a whole; the text itself if it is none."""
    reader = _Reader(f"{text}\n", 0)  # so that a word at the end is not taken for a part of one
    try:
        value = reader.value(_DEPTH)
    except _NoSense:
        return text
    return text if value is _CUT or text[reader.at :].strip() else value


def _read(text: str, start: int) -> tuple[int, list[Found]]:
    """Read the object that begins at a brace; return where to go on, and the object unless it is none."""
    try:
        value, end = json.JSONDecoder().raw_decode(text, start)
        return end, [Found(value, True)]
    except (ValueError, RecursionError):
        pass
    reader = _Reader(text, start)
    try:
        value = reader.value(_DEPTH)
    except _NoSense:
        return start + 1, []
    return reader.at, [Found(value, reader.complete)]


class _NoSense(Exception):
    """What is read is no value."""


class _Reader:
    """Reads values from a place in a text on; ``complete`` until the text ends too early."""

    def __init__(self, text: str, at: int) -> None:
        self.text, self.at, self.complete = text, at, True

    def value(self, depth: int) -> Any:
        first = self._peek()
        if not first or depth == 0:
            if first:
                raise _NoSense
            return self._cut()
        if first == "{":
            return self._object(depth)
        if first in _CLOSING:
            return self._list(depth, _CLOSING[first])
        return self._quoted() if first in _QUOTES else self._bare()

    def _object(self, depth: int) -> dict[str, Any]:
        made: dict[str, Any] = {}
        self.at += 1
        while self._more("}"):
            key = self._quoted() if self._peek() in _QUOTES else self._matched(_BARE_KEY)
            if self._peek() not in (":", ""):
                raise _NoSense
            self.at += 1
            value = self.value(depth - 1)
            if value is not _CUT:
                made[str(key)] = value
        return made

    def _list(self, depth: int, closing: str) -> Any:
        made: list[Any] = []
        self.at += 1
        while self._more(closing):
            made.append(self.value(depth - 1))
        return made if self.complete else _CUT

    def _more(self, closing: str) -> bool:
        """Go to the next item, past a comma; past the closing bracket, and return False, if there is none."""
        if self._peek() == ",":
            self.at += 1
        following = self._peek()
        if following == closing:
            self.at += 1
        elif not following:
            self.complete = False
        elif following in _ENDS or following == ",":
            raise _NoSense
        else:
            return True
        return False

    def _quoted(self) -> Any:
        closing = _QUOTES[self.text[self.at]]
        start = end = self.at + 1
        while (end := self.text.find(closing, end)) >= 0:
            escapes = len(self.text[start:end]) - len(self.text[start:end].rstrip("\\"))
            if escapes % 2 == 0 and _AFTER_TEXT.match(self.text, end + 1):
                self.at = end + 1
                return _ESCAPE.sub(_unescaped, self.text[start:end])
            end += 1
        self.at = len(self.text)
        return self._cut()

    def _bare(self) -> Any:
        word = self._matched(_BARE_VALUE)
        if self.at == len(self.text):
            self._peek()
            return self._cut()
        if _NUMBER.fullmatch(word):
            return float(word)
        return _WORDS.get(word.casefold(), word)

    def _matched(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.at)
        if match is None:
            raise _NoSense
        self.at = match.end()
        return match.group().strip()

    def _peek(self) -> str:
        blank = _BLANK.match(self.text, self.at)
        self.at = blank.end() if blank else self.at
        return self.text[self.at : self.at + 1]

    def _cut(self) -> Any:
        self.complete = False
        return _CUT


def _unescaped(match: re.Match[str]) -> str:
    what = match[1]
    return chr(int(what[1:], 16)) if len(what) == 5 else _ESCAPED.get(what, what)


def is_number(value: object) -> bool:
    """Whether a value is a number, of any size, NaN included; True and False are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def as_float(value: int | float) -> float:
    """Return a number as a float, infinite where it is too large for one."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
