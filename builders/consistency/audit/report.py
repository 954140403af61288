"""An audit for people: tables for the terminal and for the card."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rich.table import Table

from builders.consistency.audit.records import ANY, Audit, Figure
from physprobe.consistency.vocabulary import SUITES, label_name


class Row(NamedTuple):
    """A category's figures in a suite, in the order of the sets of features."""

    category: str
    figures: Sequence[Figure]


def rows(audit: Audit, split: str) -> Iterator[Row]:
    """Yield the figures of a suite, all violations together last."""
    by_key = {(each.category, each.features): each for each in audit.figures if each.split == split}
    for category in dict.fromkeys(category for category, _ in by_key):
        yield Row(category, [by_key[category, features.name] for features in audit.features])


def tables(audit: Audit) -> Iterator[Table]:
    """Yield a table of each suite; a star marks what is flagged."""
    for split in _splits():
        titles = (features.title for features in audit.features)
        table = Table("against clean", *titles, title=f"{split}: balanced accuracy", show_lines=True)
        for category, figures in rows(audit, split):
            cells = (f"{_value(f)}{'*' if f.flagged else ''}\n{f.low:.2f}-{f.high:.2f}" for f in figures)
            table.add_row(_name(category), *cells)
        yield table


def sentences(audit: Audit) -> Iterator[str]:
    """Say what was done and list what is flagged, a line each."""
    families = ", ".join(f"{split} {count}" for split, count in audit.families.items())
    yield f"families: {families}; {audit.confidence:.0%} intervals from a bootstrap over families"
    flagged = audit.flagged()
    yield (
        f"flagged: {len(flagged) or 'no'} low-level figures whose whole interval is off 0.5 by more than "
        f"{audit.margin:g}"
    )
    titles = {features.name: features.title for features in audit.features}
    for each in flagged:
        what = f"{_name(each.category)} by {titles[each.features]}"
        yield f"  {each.split}: {what}: {_value(each)} [{each.low:.2f}, {each.high:.2f}]"


def card_facts(audit: Audit) -> Mapping[str, Any]:
    """Return the card template's variables."""
    low_level = {features.name for features in audit.features if features.is_low_level}
    return {
        "audit": audit,
        "audit_tables": [(split, [*rows(audit, split)]) for split in _splits()],
        "audit_low_level": sum(each.features in low_level for each in audit.figures),
    }


def _splits() -> Iterator[str]:
    return (f"test_{suite}" for suite in SUITES)


def _name(category: str) -> str:
    return "any violation" if category == ANY else label_name(category)


def _value(figure: Figure) -> str:
    return f"{figure.balanced_accuracy:.2f}"
