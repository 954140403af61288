"""Scores over nothing, such as the box IoU of a part without boxes: taken out of lmms-eval's tables."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any


def drop_undefined(results: dict[str, Any], names: Iterable[str]) -> None:
    """Take scores that are NaN, with their standard errors, out of a finished run's tables, in place.

    Args:
        results: as lmms-eval's ``simple_evaluate`` returns them. names: of the tasks and groups.
    """
    for name in names:
        for table in (results["results"], results.get("groups", {})):
            _drop(table.get(name, {}))


def _drop(row: dict[str, Any]) -> None:
    for name in [name for name, value in row.items() if isinstance(value, float) and math.isnan(value)]:
        metric, _, tail = name.partition(",")
        del row[name]
        row.pop(f"{metric}_stderr,{tail}", None)
