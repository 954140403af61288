"""Findings in a terminal, and as JSON."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from physprobe.analysis.answers import Answers
from physprobe.analysis.finding import Finding
from physprobe.analysis.sources import Source

if TYPE_CHECKING:
    from rich.table import Table

_SUFFIXES = ("_low", "_high")
_GENERAL = ("parameters", "points")  # numbers that are no estimates


def rich_table(finding: Finding, rows: int | None = None) -> Table:
    """Lay a finding out for a terminal: bounds stand behind their estimate, the origin below.

    Args:
        finding: what is shown. rows: how many at the most; None: all.
    """
    from rich.table import Table

    shown = finding.table if rows is None else finding.table.head(rows)
    cut = len(finding.table) - len(shown)
    notes = [
        f"n: {finding.counts}; interval: {finding.interval}",
        *finding.notes,
        *([f"{cut} more rows: give --rows, or --json for all"] if cut else []),
        f"made by {finding.function}",
    ]
    table = Table(title=finding.title, caption="\n".join(notes), caption_justify="left")
    bounds = {name: bounds_of(shown, name) for name in shown.columns}
    hidden = {bound for found in bounds.values() for bound in found}
    for name in shown.columns:
        if name not in hidden:
            numeric = pd.api.types.is_numeric_dtype(shown[name])
            table.add_column(
                str(name).replace("_", " "), justify="right" if numeric else "left", no_wrap=True
            )
    for row in shown.to_dict("records"):
        table.add_row(*(_cell(row, name, bounds[name]) for name in shown.columns if name not in hidden))
    return table


def as_json(answers: Answers, findings: Sequence[Finding]) -> str:
    """Write findings as JSON, with the files that the answers came from and those set apart."""
    content = {
        "findings": [plain_finding(finding) for finding in findings],
        "sources": [_named(source) for source in answers.sources],
        "set_apart": [{**_named(each.source), "reason": each.reason} for each in answers.apart],
    }
    return json.dumps(content, indent=1, allow_nan=False)


def plain_finding(finding: Finding) -> dict[str, Any]:
    """Turn a finding into what JSON can hold."""
    return {
        **{"title": finding.title, "counts": finding.counts, "interval": finding.interval},
        **{"function": finding.function, "notes": list(finding.notes)},
        "rows": [_plain(row) for row in finding.table.to_dict("records")],
    }


def remarks(answers: Answers) -> list[str]:
    """Say what was set apart and why, and what hampers comparing the others."""
    found = [
        f"set apart: {each.source.path} ({each.source.model}, {each.source.task}): {each.reason}"
        for each in answers.apart
    ]
    readers = Counter(source.matching for source in answers.sources if source.matching)
    if len(readers) > 1:
        ways = ", ".join(f"{way} ({count})" for way, count in sorted(readers.items()))
        found.append(f"answers were not read alike, so unread rates are not comparable: {ways}")
    return [*found, *_unidentified(answers.sources), *_limited(answers.sources)]


def _unidentified(sources: Sequence[Source]) -> list[str]:
    models = dict.fromkeys(source.model for source in sources if source.unidentified)
    if not models:
        return []
    return [
        f"dataset unknown of {', '.join(models)}: no manifest.json was beside it in the evaluation, so it "
        "may not be that of the others"
    ]


def _limited(sources: Sequence[Source]) -> list[str]:
    found = dict.fromkeys(
        f"{source.task} ({source.questions} of {source.whole} questions)"
        for source in sources
        if source.questions < source.whole
    )
    return [f"made with --limit, so not scores of the benchmark: {', '.join(found)}"] if found else []


def _named(source: Any) -> dict[str, Any]:
    return {name: str(value) if name == "path" else value for name, value in vars(source).items()}


def _plain(row: dict[Any, Any]) -> dict[str, Any]:
    """Make a row JSON: null for what is undefined, "inf" for what is infinite."""
    made = {}
    for name, value in row.items():
        value = value.item() if hasattr(value, "item") else value
        if isinstance(value, float) and not math.isfinite(value):
            value = None if math.isnan(value) else str(value)
        made[str(name)] = value
    return made


def bounds_of(table: pd.DataFrame, name: str) -> tuple[str, ...]:
    """Name the columns with the bounds of an estimate: NAME_low, NAME_high, or low, high behind it."""
    own = tuple(f"{name}{suffix}" for suffix in _SUFFIXES)
    if set(own) <= set(table.columns):
        return own
    place = list(table.columns).index(name)
    return ("low", "high") if list(table.columns[place + 1 : place + 3]) == ["low", "high"] else ()


def _cell(row: dict[Any, Any], name: str, bounds: tuple[str, ...]) -> str:
    value = row[name]
    if not isinstance(value, float):
        return str(value)
    if math.isnan(value):
        return "-"
    if name == "p" or name.startswith("p_") or name.endswith(("_p", "_p_holm")):
        return "<.001" if value < 0.001 else f"{value:.3f}"
    text = f"{value:g}" if name in _GENERAL or (value.is_integer() and abs(value) > 1) else f"{value:.3f}"
    known = [row[bound] for bound in bounds if not math.isnan(row[bound])]
    return f"{text} [{known[0]:.3f}, {known[1]:.3f}]" if len(known) == 2 else text
