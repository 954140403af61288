"""One spelling for every JSON file, so that equal data means equal bytes."""

from __future__ import annotations

import json
from typing import Any


def canonical_json(data: Any) -> str:
    """Spell JSON-serialisable data with sorted keys, no spaces, shortest floats and one newline at the end.

    Raises:
        ValueError: the data holds NaN or an infinity, which JSON has no word for.
    """
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text + "\n"


def rounded(data: Any, decimals: int) -> Any:
    """Round every float inside nested mappings and sequences; -0.0 becomes 0.0, tuples become lists."""
    if isinstance(data, float):
        return round(data, decimals) + 0.0
    if isinstance(data, dict):
        return {key: rounded(value, decimals) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [rounded(value, decimals) for value in data]
    return data
