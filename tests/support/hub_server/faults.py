"""What goes wrong: around the application, so that it knows nothing of it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

WRITES = frozenset({"POST", "PUT", "DELETE"})


@dataclass(frozen=True)
class Seen:
    """One request that arrived, and what was done with it: "served", "500", "429", "cut" or "lost"."""

    method: str
    path: str
    outcome: str

    @property
    def is_write(self) -> bool:
        return self.method in WRITES


@dataclass
class _Planned:
    outcome: str
    method: str
    part: str
    times: int
    retry_after: str = ""


class _CutError(ConnectionError):
    """Closes the connection in the middle of a reply."""


@dataclass
class Faults:
    """Switches. Planned faults come first; then a seeded share of the writes fails.

    Attributes:
        share: of writes that are answered with 500 and not done. lost_share: that are done, but not answered.
        before, after: called with (method, path) around each request, for those who watch.
    """

    share: float = 0.0
    lost_share: float = 0.0
    seed: int = 0
    seen: list[Seen] = field(default_factory=list)
    before: Callable[[str, str], None] | None = None
    after: Callable[[str, str], None] | None = None
    _planned: list[_Planned] = field(default_factory=list)
    _random: random.Random | None = None

    def fail(self, part: str = "", times: int = 1, method: str = "") -> None:
        """Answer the next requests whose path holds ``part`` with 500; nothing is done."""
        self._planned.append(_Planned("500", method, part, times))

    def rate_limit(self, part: str = "", times: int = 1, retry_after: str = "7", method: str = "") -> None:
        """Answer the next requests with 429 and Retry-After; nothing is done."""
        self._planned.append(_Planned("429", method, part, times, retry_after))

    def cut_upload(self, times: int = 1, part: str = "/upload/") -> None:
        """Take a part of the next uploads, then close the connection; nothing is kept."""
        self._planned.append(_Planned("cut", "PUT", part, times))

    def lose_answer(self, part: str = "", times: int = 1, method: str = "") -> None:
        """Do what the next requests ask, and close the connection instead of saying so."""
        self._planned.append(_Planned("lost", method, part, times))

    def count(self, method: str, part: str = "") -> int:
        """Count requests that were served."""
        return sum(s.outcome == "served" and s.method == method and part in s.path for s in self.seen)

    def clear(self) -> None:
        """Forget what was seen and planned."""
        self.seen.clear()
        self._planned.clear()
        self.share = self.lost_share = 0.0

    def around(self, app: ASGIApp) -> ASGIApp:
        async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                return await app(scope, receive, send)
            method, path = scope["method"], scope["path"]
            if self.before:
                self.before(method, path)
            plan = self._choose(method, path)
            self.seen.append(Seen(method, path, plan.outcome))
            await _play(plan, app, scope, receive, send)
            if self.after:
                self.after(method, path)

        return wrapped

    def _choose(self, method: str, path: str) -> _Planned:
        for plan in self._planned:
            if plan.times and plan.part in path and plan.method in ("", method):
                plan.times -= 1
                return plan
        self._random = self._random or random.Random(self.seed)
        drawn = self._random.random() if method in WRITES else 1.0
        outcome = (
            "500" if drawn < self.share else "lost" if drawn < self.share + self.lost_share else "served"
        )
        return _Planned(outcome, method, path, 0)


async def _play(plan: _Planned, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    if plan.outcome == "500":
        await _drain(receive)
        await PlainTextResponse("Internal Error", 500)(scope, receive, send)
    elif plan.outcome == "429":
        await _drain(receive)
        reply = JSONResponse({"error": "rate limited"}, 429, {"Retry-After": plan.retry_after})
        await reply(scope, receive, send)
    elif plan.outcome == "cut":
        await receive()
        await _hang_up(send)
    elif plan.outcome == "lost":
        await app(scope, receive, _swallow)
        await _hang_up(send)
    else:
        await app(scope, receive, send)


async def _drain(receive: Receive) -> None:
    while (await receive()).get("more_body"):
        pass


async def _swallow(message: Message) -> None:
    """Stand in for the connection."""


async def _hang_up(send: Send) -> Any:
    headers = [(b"content-length", b"5000"), (b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b'{"', "more_body": True})
    raise _CutError("cut on purpose")
