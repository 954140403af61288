"""Scores over nothing, such as the box IoU of a part without boxes: taken out of lmms-eval's tables."""

from __future__ import annotations

import math
from typing import Any


def drop_undefined(row: dict[str, Any]) -> None:
    """Take scores that are NaN, with their standard errors, out of a task's or group's results, in place."""
    for name in [name for name, value in row.items() if isinstance(value, float) and math.isnan(value)]:
        metric, _, tail = name.partition(",")
        del row[name]
        row.pop(f"{metric}_stderr,{tail}", None)
