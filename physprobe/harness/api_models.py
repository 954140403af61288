"""Models behind a server that counts and charges requests: not too fast, asked again, announced before.

lmms-eval's OpenAI-compatible adapters have no limit on requests a minute, wait one second after each failure
whatever the server says, and start at once however much a run will cost.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import math
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Any

from loguru import logger

from physprobe.errors import UserError
from physprobe.harness import options, processes
from physprobe.harness.replacing import replaced
from physprobe.waiting import TRANSIENT, backoff, retry_after

MANY = 1000  # requests; more are announced and have to be confirmed

# Modules of adapters that ask a server of others.
_ADAPTERS = frozenset(
    {"openai", "async_openai", "gemini", "litellm", "claude", "gpt4v", "batch_gpt4", "reka", "generation_api"}
)
_ATTEMPTS = 8
_FIRST_WAIT, _LONGEST_WAIT, _LONGEST_ASKED = 1.0, 60.0, 600.0  # seconds
_SAMPLE = 16  # requests that are looked at for an estimate
_PIXELS_PER_TOKEN = 28 * 28  # as Qwen2.5-VL counts
_CHARACTERS_PER_TOKEN = 4


def is_api(lm: Any) -> bool:
    """Whether a model's adapter asks a server."""
    return any(one.__module__.rpartition(".")[2] in _ADAPTERS for one in type(lm).__mro__)


class RateLimit:
    """Spreads requests evenly over time; for several threads."""

    def __init__(self, per_minute: float | None, clock: Callable[[], float] = time.monotonic) -> None:
        """Allow ``per_minute`` requests; None: any number."""
        self._gap = 60 / per_minute if per_minute else 0.0
        self._clock, self._lock, self._next = clock, Lock(), -math.inf

    def wait(self) -> float:
        """Reserve the next request's time and return how many seconds it is away."""
        with self._lock:
            now = self._clock()
            slot = max(now, self._next)
            self._next = slot + self._gap
            return slot - now


@contextmanager
def considerate(lm: Any) -> Iterator[None]:
    """In this block, let an API model keep to the limit on requests and wait as its server asks.

    Does nothing for models without an OpenAI client.
    """
    limit = options.current().requests_per_minute
    client = getattr(lm, "client", None)
    completions = getattr(getattr(client, "chat", None), "completions", None)
    if not is_api(lm) or completions is None:
        if limit is not None:
            logger.warning("--requests_per_minute has no effect: only OpenAI-compatible adapters heed it")
        yield
        return
    shared = RateLimit(limit / processes.asked() if limit else None)
    ask = _patient_async if inspect.iscoroutinefunction(completions.create) else _patient
    with (
        replaced(completions, "create", ask(completions.create, shared)),
        replaced(client, "max_retries", 0),  # of the client itself, which the limit would not see
        replaced(lm, "max_retries", 1),
    ):
        yield


def _patient(create: Callable[..., Any], limit: RateLimit) -> Callable[..., Any]:
    def asked(**payload: Any) -> Any:
        for attempt in range(_ATTEMPTS):
            time.sleep(limit.wait())
            try:
                return create(**payload)
            except Exception as error:
                time.sleep(_pause(error, attempt))
        raise AssertionError("the last attempt returns or raises")

    return asked


def _patient_async(create: Callable[..., Awaitable[Any]], limit: RateLimit) -> Callable[..., Awaitable[Any]]:
    async def asked(**payload: Any) -> Any:
        for attempt in range(_ATTEMPTS):
            await asyncio.sleep(limit.wait())
            try:
                return await create(**payload)
            except Exception as error:
                await asyncio.sleep(_pause(error, attempt))
        raise AssertionError("the last attempt returns or raises")

    return asked


def _pause(error: Exception, attempt: int) -> float:
    """Return how long to wait before asking again; raises the error where that is of no use."""
    import openai

    response = getattr(error, "response", None)
    broken = isinstance(error, (openai.APIConnectionError, json.JSONDecodeError))  # the way, or the reply
    transient = broken or (response is not None and response.status_code in TRANSIENT)
    asked = (retry_after(response.headers) or 0.0) if response is not None else 0.0
    if not transient or attempt == _ATTEMPTS - 1 or asked > _LONGEST_ASKED:
        raise error
    pause = max(asked, backoff(attempt, _FIRST_WAIT, _LONGEST_WAIT, str(error)))
    logger.info(f"the server of the model: {_first_line(error)}; asking again in {pause:.1f} s")
    return pause


@dataclass(frozen=True)
class Estimate:
    """What a run will ask a server, as far as a sample of its requests tells.

    Attributes:
        requests: how many. images: a request, on average. image_tokens, text_tokens: a request.
        output_tokens: at most, a request.
    """

    requests: int
    images: float
    image_tokens: float
    text_tokens: float
    output_tokens: float

    def told(self) -> str:
        """Tell it in one line."""
        each = self.image_tokens / self.images if self.images else 0
        sent = self.requests * (self.image_tokens + self.text_tokens)
        return (
            f"{self.requests:,} requests to an API model x {self.images:.1f} images x {each:.0f} tokens "
            f"(1 for 28 x 28 pixels; servers differ) + {self.text_tokens:.0f} of text: about "
            f"{_rounded(sent)} tokens sent, and up to {_rounded(self.requests * self.output_tokens)} received"
        )


def confirm(lm: Any, requests: Sequence[Any]) -> None:
    """Before many requests to an API model, say what they amount to, and go on only with ``--yes``.

    Args:
        lm: the model. requests: those that this process will ask.

    Raises:
        UserError: there are many, and no ``--yes``.
    """
    count = len(requests) * processes.asked()
    if count <= MANY or not is_api(lm):
        return
    told = estimate(lm, requests, count).told()
    if not options.current().yes:
        raise UserError(f"{told}; add --yes to go on")
    if processes.rank() == 0:
        print(f"estimate: {told}", flush=True)


def estimate(lm: Any, requests: Sequence[Any], count: int) -> Estimate:
    """Estimate from an even sample of requests; ``count`` is how many there are in all processes."""
    sample = requests[:: max(1, math.ceil(len(requests) / _SAMPLE))]
    found = [_looked_at(lm, request) for request in sample]
    images, image_tokens, characters, output = (
        sum(column) / len(found) for column in zip(*found, strict=True)
    )
    return Estimate(count, images, image_tokens, characters / _CHARACTERS_PER_TOKEN, output)


def _looked_at(lm: Any, request: Any) -> tuple[int, float, int, int]:
    """Return the number of images, their tokens, characters of text, and the longest answer of a request."""
    context, *_, doc_id, task, split = request.args
    row = lm.task_dict[task][split][doc_id]
    (settings,) = (part for part in request.args if isinstance(part, dict))
    (show,) = (part for part in request.args if callable(part))
    content = [part for message in show(row) for part in message["content"]] if not lm.is_simple else []
    visuals = show(row) if lm.is_simple else [part["url"] for part in content if part["type"] != "text"]
    text = context if lm.is_simple else "".join(p["text"] for p in content if p["type"] == "text")
    sizes = [size for visual in visuals for size in _sizes(lm, visual)]
    tokens = sum(width * height / _PIXELS_PER_TOKEN for width, height in sizes)
    return len(sizes), tokens, len(text), int(settings.get("max_new_tokens", 0))


def _sizes(lm: Any, visual: Any) -> list[tuple[int, int]]:
    """Return width and height of an image, or of the frames that the adapter takes out of a video."""
    if not isinstance(visual, str):
        return [visual.size]
    import av

    with av.open(visual) as container:
        size = container.streams.video[0].width, container.streams.video[0].height
    return [size] * int(getattr(lm, "max_frames_num", 1))


def _rounded(tokens: float) -> str:
    return f"{tokens / 1e6:,.1f} million" if tokens >= 1e5 else f"{tokens:,.0f}"


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
