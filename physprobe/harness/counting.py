"""Counts for results files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable


def counted(names: Iterable[str]) -> dict[str, int]:
    """Count names, most frequent first, equally frequent ones in order."""
    return dict(sorted(Counter(names).items(), key=lambda pair: (-pair[1], pair[0])))
