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
