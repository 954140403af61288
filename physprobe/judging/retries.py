"""When to ask a failing endpoint again, and when to stop. No randomness: the jitter comes from a hash."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

from physprobe.judging.votes import Fault

_TRANSIENT = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
# With these every further request would fail too: wrong key, no access, no such model or path.
_HOPELESS = frozenset({401, 403, 404})
_SECONDS = re.compile(r"\d{1,9}(\.\d{1,9})?")


@dataclass(frozen=True)
class Failure:
    """Why a request brought no reply.

    Attributes:
        fault: the kind. detail: one word for people. status: of HTTP, for "http_status".
    """

    fault: Fault
    detail: str
    status: int | None = None

    @property
    def transient(self) -> bool:
        """Tell whether the same request may succeed later."""
        return self.status is None or self.status in _TRANSIENT

    @property
    def hopeless(self) -> bool:
        """Tell whether any other request to the same judge will fail too."""
        return self.status in _HOPELESS


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


class Breaker:
    """Stops asking a judge that fails item after item."""

    def __init__(self, limit: int) -> None:
        """Open after ``limit`` failed items in a row."""
        self._limit = limit
        self._failed = 0
        self.cause: Failure | None = None

    @property
    def open(self) -> bool:
        """Tell whether the judge must not be asked any more."""
        return self.cause is not None

    def record(self, failure: Failure | None) -> None:
        """Count an item that failed, or (None) one that succeeded."""
        self._failed = self._failed + 1 if failure else 0
        if failure and (failure.hopeless or self._failed >= self._limit):
            self.cause = self.cause or failure
