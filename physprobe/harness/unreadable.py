"""Models of which too many answers can't be read: flagged, and left out of analyses over many models.

The paper leaves out models with "persistently high fail rates" (section 4.1) and names no number. The default
here: more answers are unread than read. $PHYSPROBE_UNREADABLE sets another share.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from typing import Any

from physprobe.errors import UserError

VARIABLE = "PHYSPROBE_UNREADABLE"
DEFAULT = 0.5


def threshold() -> float:
    """Return the share of unread answers above which a model is flagged.

    Raises:
        UserError: the variable is no share.
    """
    value = os.environ.get(VARIABLE, "").strip()
    try:
        share = float(value) if value else DEFAULT
    except ValueError:
        share = math.nan
    if not 0 <= share <= 1:
        raise UserError(f"{VARIABLE}={value}: must be a share from 0 to 1, such as 0.2")
    return share


def unreadable(unread: Iterable[bool], above: float | None = None) -> dict[str, Any]:
    """Say for a results file whether a model is flagged.

    Args:
        unread: whether each answer is, at least one. above: the threshold; default: :func:`threshold`.

    Returns:
        threshold, rate (share of unread answers), flagged (whether the rate is above the threshold).
    """
    found = list(unread)
    limit, rate = threshold() if above is None else above, sum(found) / len(found)
    return {"threshold": limit, "rate": rate, "flagged": rate > limit}
