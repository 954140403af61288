"""When to ask a failing server again. No randomness: the jitter comes from a hash."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

# HTTP statuses after which the same request may succeed later.
TRANSIENT = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})

_SECONDS = re.compile(r"\d{1,9}(\.\d{1,9})?")


def backoff(attempt: int, base: float, cap: float, key: str) -> float:
    """Return the wait after a failed attempt: exponential, with a jitter that spreads requests.

    Args:
        attempt: 0 for the first. base: nominal wait after it. cap: upper bound. Both in seconds.
        key: of the request; the jitter is a function of it and of ``attempt``.

    Returns:
        Seconds, from half the nominal wait up to the whole of it.
    """
    nominal = min(base * 2.0 ** min(attempt, 60), cap)
    digest = hashlib.sha256(f"{key}:{attempt}".encode()).digest()
    return nominal * (0.5 + int.from_bytes(digest[:4], "big") / 2**33)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Read the Retry-After header: seconds or an HTTP date, against the server's own clock if it tells it.

    Returns:
        Seconds from now, not negative; None when the header is missing or means nothing.
    """
    value = headers.get("retry-after", "").strip()
    if _SECONDS.fullmatch(value):
        return float(value)
    until = _date(value)
    if until is None:
        return None
    now = _date(headers.get("date", "")) or datetime.now(timezone.utc)
    return max(0.0, (until - now).total_seconds())


def _date(value: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=timezone.utc)
