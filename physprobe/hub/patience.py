"""Asks the Hub again after what may pass, and says in one line what does not.

The client retries some of its requests by itself and others not at all (create_repo, commits, branches, tags,
the check of a card's YAML), depending on its version; so each step is repeated here as well, within bounds.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from huggingface_hub.errors import (
    HfHubHTTPError,
    HFValidationError,
    LocalEntryNotFoundError,
    LocalTokenNotFoundError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)

from physprobe.errors import UserError
from physprobe.waiting import TRANSIENT, backoff, retry_after

T = TypeVar("T")

_LONGEST = 300  # of a message that isn't ours

_LOGIN = "log in with  hf auth login  or set HF_TOKEN to a token that may write"

# What the client's HTTP library, which depends on its version, raises when a connection fails or is cut.
_NETWORK = (
    ("httpx2", "TransportError"),
    ("httpx", "TransportError"),
    ("requests", "ConnectionError"),
    ("requests", "Timeout"),
    ("requests.exceptions", "ChunkedEncodingError"),
)


class HubError(UserError):
    """The Hub said no, or did not answer.

    Attributes:
        status: of HTTP, None when there was no reply.
    """

    def __init__(self, message: str, status: int | None = None) -> None:
        """Word the error; keep the status for those who can do something about it."""
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class Patience:
    """How often to try and how long to wait.

    Attributes:
        attempts: at each step. base_s, cap_s: of the exponential back-off between them, in seconds.
        longest_s: a Retry-After that asks for more than this ends the step, in seconds.
        sleep: waits that many seconds.
    """

    attempts: int = 8
    base_s: float = 1.0
    cap_s: float = 60.0
    longest_s: float = 1800.0
    sleep: Callable[[float], None] = lambda seconds: time.sleep(seconds)

    def persist(self, step: str, act: Callable[[], T]) -> T:
        """Do a step until it succeeds.

        Args:
            step: what is done, for people: "create the branch".
            act: does it. It is called again after failures that do not tell whether the Hub acted on the
                request; so it has to look first whether the step is done already.

        Raises:
            HubError: it can't succeed, or did not in all attempts.
        """
        for attempt in range(self.attempts):
            try:
                return act()
            except UserError:
                raise
            except Exception as raised:
                error = _root(raised)
                if not _is_of_the_hub(error):
                    raise
                wait = max(_asked_wait(error), backoff(attempt, self.base_s, self.cap_s, step))
                if attempt + 1 == self.attempts or not _may_pass(error) or wait > self.longest_s:
                    raise HubError(_worded(step, error, attempt + 1), _status(error)) from raised
            self.sleep(wait)
        raise AssertionError("unreachable: attempts is positive")


def _root(error: Exception) -> Exception:
    """Return what made the upload of a file fail: the client packs it into a RuntimeError."""
    return (
        error.__cause__ if type(error) is RuntimeError and isinstance(error.__cause__, Exception) else error
    )


def _is_of_the_hub(error: Exception) -> bool:
    # ValueError: the client refuses what it was given, or got. RuntimeError: Xet, which takes large files.
    kinds = (HfHubHTTPError, ValueError, LocalEntryNotFoundError, LocalTokenNotFoundError)
    return isinstance(error, kinds) or type(error) is RuntimeError or _is_network(error)


def _is_network(error: Exception) -> bool:
    # A reply that was cut, or an error page, where the client expects JSON.
    broken = (ConnectionError, TimeoutError, json.JSONDecodeError, OfflineModeIsEnabled)
    return isinstance(error, (*broken, *_network_errors()))


def _network_errors() -> Iterator[type[Exception]]:
    for module, name in _NETWORK:
        if module in sys.modules:
            yield getattr(sys.modules[module], name)


def _may_pass(error: Exception) -> bool:
    if isinstance(error, OfflineModeIsEnabled | LocalTokenNotFoundError):
        return False
    status = _status(error)
    if status is None and isinstance(error, ValueError):
        return isinstance(error, json.JSONDecodeError)
    return status is None or status in TRANSIENT


def _status(error: Exception) -> int | None:
    return getattr(getattr(error, "response", None), "status_code", None)


def _asked_wait(error: Exception) -> float:
    headers: Any = getattr(getattr(error, "response", None), "headers", None)
    return (headers is not None and retry_after(headers)) or 0.0


def _worded(step: str, error: Exception, attempts: int) -> str:
    status = _status(error)
    if isinstance(error, OfflineModeIsEnabled):
        return f"can't {step}: HF_HUB_OFFLINE is set; unset it"
    if isinstance(error, LocalTokenNotFoundError):
        return f"no token for the Hub: {_LOGIN}"
    if isinstance(error, HFValidationError):
        return f"the name of the repository is not allowed: {_first_line(error)}"
    if isinstance(error, RevisionNotFoundError):
        return f"can't {step}: there is no such revision"
    if isinstance(error, RepositoryNotFoundError):
        return f"can't {step}: there is no such repository, or it is private: check the name, or {_LOGIN}"
    if status == 401:
        return f"the Hub does not accept the token: {_LOGIN}"
    if status == 403:
        return f"can't {step}: the token lacks the right to ({_server_message(error)}); {_LOGIN}"
    reason = f"HTTP {status}: {_server_message(error)}" if status else _one_line(error)
    if _may_pass(error):
        return f"can't {step}: {reason}, {attempts} times; run the same command again, it continues"
    return f"can't {step}: {reason}"


def _server_message(error: Exception) -> str:
    return " ".join(str(getattr(error, "server_message", None) or _first_line(error)).split())


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:_LONGEST] or type(error).__name__


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".:")
