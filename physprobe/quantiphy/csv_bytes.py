"""Changes single fields of a CSV file and leaves every other byte as it is.

Fields are found as in RFC 4180: a quote opens and closes, two stand for one inside. csv and pandas would
rewrite quoting, line ends and numbers of all fields.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from physprobe.errors import UserError

_FIELD = re.compile(rb'(?:"(?:[^"]|"")*"|[^",\r\n]*)(?=,|\r\n|\n|\r|\Z)')
_LINE_END = re.compile(rb"\r\n|\n|\r")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class CsvBytes:
    """A CSV file and where its fields are.

    Attributes:
        content: the file. records: of each record, the header first, each field's first and last byte (+ 1).
    """

    content: bytes
    records: tuple[tuple[tuple[int, int], ...], ...]

    def field(self, record: int, column: int) -> str:
        """Return a field's text without its quotes; '' where the record is too short."""
        if column >= len(self.records[record]):
            return ""
        start, end = self.records[record][column]
        raw = self.content[start:end]
        if raw[:1] == b'"':
            raw = raw[1:-1].replace(b'""', b'"')
        return raw.decode("utf-8", errors="replace")

    def with_fields(self, column: int, texts: Mapping[int, str]) -> bytes:
        """Return the file with other texts in a column, by record; the texts must need no quotes."""
        parts, last = [], 0
        for record, text in sorted(texts.items()):
            start, end = self.records[record][column]
            parts += [self.content[last:start], text.encode()]
            last = end
        return b"".join([*parts, self.content[last:]])


def scan(content: bytes, name: str) -> CsvBytes:
    """Find the fields of a CSV file; empty lines are no records.

    Args:
        content: the file. name: what to call it in errors.

    Raises:
        UserError: a quote is not closed, or stands inside an unquoted field; names the record.
    """
    position = len(_BYTE_ORDER_MARK) if content.startswith(_BYTE_ORDER_MARK) else 0
    records: list[tuple[tuple[int, int], ...]] = []
    fields: list[tuple[int, int]] = []
    while position < len(content) or fields:
        match = _FIELD.match(content, position)
        if match is None:
            raise UserError(f"{name} is no proper CSV: a stray or open quote in record {len(records) + 1}")
        fields.append(match.span())
        position = match.end()
        if content[position : position + 1] == b",":
            position += 1
            continue
        if fields[1:] or match.group():
            records.append(tuple(fields))
        fields = []
        end = _LINE_END.match(content, position)
        position = end.end() if end else position
    return CsvBytes(content, tuple(records))
