"""Tables as CSV and JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path

from physprobe.analysis.finding import Finding
from physprobe.analysis.printing import plain_finding

_LONGEST = 60


def table_name(anchor: str, number: int, finding: Finding) -> str:
    """Name a table's files: section, number in it, title."""
    title = re.sub(r"[^a-z0-9]+", "-", finding.title.lower()).strip("-")
    return f"{anchor}-{number}-{title[:_LONGEST].strip('-')}"


def write_table(finding: Finding, stem: Path) -> None:
    """Write a table as STEM.csv and, with its origin and notes, as STEM.json; all digits, undefined is empty.

    Raises:
        OSError: a file can't be written.
    """
    finding.table.to_csv(stem.with_suffix(".csv"), index=False, lineterminator="\n")
    content = json.dumps(plain_finding(finding), indent=1, allow_nan=False, ensure_ascii=False)
    stem.with_suffix(".json").write_text(content + "\n", encoding="utf-8")
