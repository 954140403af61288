"""How a request to a judge fails, and when to stop asking."""

from __future__ import annotations

from dataclasses import dataclass

from physprobe.judging.votes import Fault
from physprobe.waiting import TRANSIENT

# With these every further request would fail too: wrong key, no access, no such model or path.
_HOPELESS = frozenset({401, 403, 404})


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
        return self.status is None or self.status in TRANSIENT

    @property
    def hopeless(self) -> bool:
        """Tell whether any other request to the same judge will fail too."""
        return self.status in _HOPELESS


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
