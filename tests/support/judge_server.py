"""An OpenAI-compatible server on 127.0.0.1 that plays judges, well and badly behaved.

Each model name plays a list of behaviours, one a request, the last one for good.
"""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from tests.support.serving import local_listener, serving

Behaviour = Callable[[dict[str, Any]], Awaitable[Response]]

_MAX_HANG = 20


@dataclass(frozen=True)
class Seen:
    """One request that arrived."""

    model: str
    body: dict[str, Any]
    authorization: str | None
    at: float

    @property
    def prompt(self) -> str:
        return self.body["messages"][-1]["content"]


def completion(content: Any, finish: str | None = "stop") -> dict[str, Any]:
    message = {"role": "assistant", "content": content}
    return {
        "object": "chat.completion",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    }


def says(content: Any, finish: str | None = "stop") -> Behaviour:
    async def play(_: dict[str, Any]) -> Response:
        return JSONResponse(completion(content, finish))

    return play


def replies(choose: Callable[[str], str]) -> Behaviour:
    """Reply as a function of the prompt."""

    async def play(body: dict[str, Any]) -> Response:
        return JSONResponse(completion(choose(body["messages"][-1]["content"])))

    return play


def slow(seconds: float, content: str) -> Behaviour:
    async def play(_: dict[str, Any]) -> Response:
        await asyncio.sleep(seconds)
        return JSONResponse(completion(content))

    return play


def hangs() -> Behaviour:
    return slow(_MAX_HANG, "too late")


def drips() -> Behaviour:
    """Send a byte now and then, so that no gap between bytes is long."""

    async def body() -> Any:
        for _ in range(_MAX_HANG * 50):
            yield b" "
            await asyncio.sleep(0.02)

    async def play(_: dict[str, Any]) -> Response:
        return StreamingResponse(body(), media_type="application/json")

    return play


def status(code: int, text: str = "no", **headers: str) -> Behaviour:
    async def play(_: dict[str, Any]) -> Response:
        return Response(text, code, {name.replace("_", "-"): value for name, value in headers.items()})

    return play


def raw(body: bytes, code: int = 200) -> Behaviour:
    async def play(_: dict[str, Any]) -> Response:
        return Response(body, code, media_type="application/json")

    return play


def cuts() -> Behaviour:
    """Promise a long body, then close the connection."""

    async def play(_: dict[str, Any]) -> Response:
        return StreamingResponse(_half(), headers={"content-length": "5000"}, media_type="application/json")

    return play


async def _half() -> Any:
    yield b'{"choices": [{"message": '
    raise ConnectionAbortedError("cut on purpose")


@dataclass
class JudgeServer:
    """The running server: tell it what to play, look at what it saw."""

    url: str
    plays: dict[str, list[Behaviour]] = field(default_factory=lambda: defaultdict(list))
    seen: list[Seen] = field(default_factory=list)
    most_at_once: Counter[str] = field(default_factory=Counter)
    _now: Counter[str] = field(default_factory=Counter)

    def play(self, model: str, *behaviours: Behaviour) -> None:
        self.plays[model] = list(behaviours)

    def count(self, model: str) -> int:
        return sum(request.model == model for request in self.seen)

    async def handle(self, request: Request) -> Response:
        body = await request.json()
        model = body["model"]
        number = self.count(model)
        self.seen.append(Seen(model, body, request.headers.get("authorization"), time.monotonic()))
        if not self.plays[model]:
            return Response("no such model", 404)
        behaviours = self.plays[model]
        self._now[model] += 1
        self.most_at_once[model] = max(self.most_at_once[model], self._now[model])
        try:
            return await behaviours[min(number, len(behaviours) - 1)](body)
        finally:
            self._now[model] -= 1


@contextmanager
def judge_server() -> Iterator[Callable[[], JudgeServer]]:
    """Run a server in a thread of this process; each call of what this gives starts it afresh."""
    listener, root = local_listener()
    url = f"{root}/v1"
    current = [JudgeServer(url)]

    def fresh() -> JudgeServer:
        current[0] = JudgeServer(url)
        return current[0]

    async def handle(request: Request) -> Response:
        return await current[0].handle(request)

    app = Starlette(routes=[Route("/v1/chat/completions", handle, methods=["POST"])])
    with serving(app, listener, "judge server"):
        yield fresh


@contextmanager
def hanging_up_server() -> Iterator[str]:
    """Run a server that closes every connection at once, without a word."""
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(0.05)
    done = threading.Event()

    def accept() -> None:
        while not done.is_set():
            try:
                listener.accept()[0].close()
            except TimeoutError:
                continue

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
    finally:
        done.set()
        thread.join(5)
        listener.close()


def closed_port() -> str:
    """Return the URL of a port on which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
