"""Asks models behind OpenAI-compatible endpoints (POST .../chat/completions), many at a time, within bounds.

Runs in a thread of its own, so that it works from any thread and inside a running event loop; an interrupt of
the caller cancels every request. Time-outs are by the wall clock and hold for a server that drips bytes.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import anyio
import httpx
from anyio.from_thread import start_blocking_portal

from physprobe.harness.secrets import MASK
from physprobe.judging.cache import Reply
from physprobe.judging.config import Judge, Limits
from physprobe.judging.retries import Breaker, Failure
from physprobe.waiting import backoff, retry_after

_MAX_BODY = 4_000_000

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Request:
    """One question to one judge.

    Attributes:
        key: its identity; also the source of its jitter. prompt: the user message.
    """

    key: str
    prompt: str


Result = Reply | Failure
OnResult = Callable[[Request, Result], None]


@dataclass(frozen=True)
class Errand:
    """The requests to one judge.

    Attributes:
        judge: behind an endpoint. api_key: or None. requests: to be asked, in this order.
        on_result: called once for each request that was finished, from the transport's thread.
    """

    judge: Judge
    api_key: str | None
    requests: Sequence[Request]
    on_result: OnResult

    def __repr__(self) -> str:
        """Name the judge and keep the key out of logs and tracebacks."""
        return f"Errand({self.judge.name!r}, {len(self.requests)} requests)"


def ask_endpoints(errands: Sequence[Errand], limits: Limits) -> None:
    """Ask all judges at once, each at most ``limits.concurrency`` questions at a time.

    A request that fails for good reports a Failure. Requests that the deadline of the run cuts off report
    nothing.
    """
    with start_blocking_portal() as portal:
        portal.call(_ask_all, errands, limits)


async def _ask_all(errands: Sequence[Errand], limits: Limits) -> None:
    with anyio.move_on_after(limits.run_deadline_s):
        async with anyio.create_task_group() as tasks:
            for errand in errands:
                tasks.start_soon(_run_errand, errand, limits)


async def _run_errand(errand: Errand, limits: Limits) -> None:
    async with _client(errand, limits) as client:
        session = _Session(errand, limits, client)
        queue = iter(errand.requests)
        async with anyio.create_task_group() as tasks:
            for _ in range(min(limits.concurrency, len(errand.requests))):
                tasks.start_soon(_work, session, queue, errand.on_result)


async def _work(session: _Session, queue: Iterator[Request], on_result: OnResult) -> None:
    for request in queue:
        on_result(request, await session.ask(request))


def _client(errand: Errand, limits: Limits) -> httpx.AsyncClient:
    key = errand.api_key
    return httpx.AsyncClient(
        headers={"Authorization": f"Bearer {key}"} if key else {},
        timeout=limits.timeout_s,
        limits=httpx.Limits(max_connections=limits.concurrency),
    )


class _Attempt(NamedTuple):
    result: Result
    retry_after: float | None = None


class _Session:
    """The conversation with one judge: what all its requests share."""

    def __init__(self, errand: Errand, limits: Limits, client: httpx.AsyncClient) -> None:
        self._judge = errand.judge
        self._key = errand.api_key
        self._limits = limits
        self._client = client
        self._breaker = Breaker(limits.give_up_after)
        self._not_before = 0.0

    async def ask(self, request: Request) -> Result:
        """Ask until there is a reply, a failure for good, or no attempt or time left."""
        if self._breaker.cause:
            return Failure("not_asked", f"after {self._breaker.cause.detail}")
        trail: list[Result] = []
        with anyio.move_on_after(self._limits.deadline_s):
            await self._try(request, trail)
        result = trail[-1] if trail else Failure("not_asked", "deadline")
        self._breaker.record(result if isinstance(result, Failure) else None)
        return result

    async def _try(self, request: Request, trail: list[Result]) -> None:
        for attempt in range(self._limits.attempts):
            if not await self._sleep(self._not_before - anyio.current_time()):
                return
            result, wait = await self._once(request)
            trail.append(result)
            if isinstance(result, Reply) or not result.transient or self._breaker.open:
                return
            _log.debug("judge %s: %s %s, attempt %d", self._judge.name, *_told(result), attempt + 1)
            if attempt + 1 == self._limits.attempts:
                return
            if wait is not None:  # it holds for every request to this judge
                self._not_before = max(self._not_before, anyio.current_time() + wait)
            limits = self._limits
            if not await self._sleep(backoff(attempt, limits.backoff_s, limits.backoff_cap_s, request.key)):
                return

    async def _sleep(self, seconds: float) -> bool:
        """Wait, unless the deadline would come first: then return False at once."""
        if anyio.current_time() + seconds >= anyio.current_effective_deadline():
            return False
        await anyio.sleep(max(0.0, seconds))
        return True

    async def _once(self, request: Request) -> _Attempt:
        body = {
            "model": self._judge.served_name,
            "messages": [{"role": "user", "content": request.prompt}],
            "temperature": 0,
            "max_tokens": self._judge.max_tokens,
        }
        try:
            with anyio.fail_after(self._limits.timeout_s):
                return await self._post(body)
        except (TimeoutError, httpx.TimeoutException):
            return _Attempt(Failure("timeout", f"{self._limits.timeout_s:g} s"))
        except httpx.HTTPError as error:
            return _Attempt(Failure("connection", type(error).__name__))

    async def _post(self, body: Mapping[str, Any]) -> _Attempt:
        url = f"{self._judge.base_url}/chat/completions"
        async with self._client.stream("POST", url, json=body) as response:
            if not response.is_success:
                status = response.status_code
                return _Attempt(Failure("http_status", str(status), status), retry_after(response.headers))
            received = bytearray()
            async for piece in response.aiter_bytes():
                received += piece
                if len(received) > _MAX_BODY:
                    return _Attempt(Failure("bad_response", "too long"))
        result = parse_completion(bytes(received))
        if isinstance(result, Reply) and self._key:  # a server may echo it
            result = Reply(result.text.replace(self._key, MASK), result.finish_reason)
        return _Attempt(result)


def _told(failure: Failure) -> tuple[str, str]:
    return failure.fault, failure.detail


def parse_completion(body: bytes) -> Result:
    """Read the body of a chat completion; a message without content (thoughts alone) is an empty reply."""
    try:
        choice = json.loads(body)["choices"][0]
        content = choice["message"]["content"]
        finish = choice.get("finish_reason")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        return Failure("bad_response", "no chat completion")
    if content is not None and not isinstance(content, str):
        return Failure("bad_response", "content is no text")
    return Reply(content or "", finish if isinstance(finish, str) else "")
