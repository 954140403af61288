"""The real client, pointed at the local Hub, that waits for nothing and can be killed at any request."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from huggingface_hub import constants, set_client_factory
from huggingface_hub.utils import _http

from tests.support.hub_server.faults import WRITES
from tests.support.hub_server.running import WRITER


class Killed(BaseException):
    """Stands for a kill: nobody catches it, and nobody may clean up on the Hub because of it."""


def use_hub(patch: pytest.MonkeyPatch, url: str, cache: Path, token: str = WRITER) -> list[float]:
    """Point the client of this process to a Hub; return the list that our own waits are noted in."""
    waits: list[float] = []
    patch.setenv("HF_ENDPOINT", url)
    patch.setenv("HF_TOKEN", token)
    patch.setattr(constants, "HF_HUB_OFFLINE", False)
    patch.setattr(constants, "HF_HUB_DISABLE_XET", True)
    patch.setattr(constants, "HF_HUB_CACHE", str(cache))
    patch.setattr(constants, "HF_TOKEN_PATH", str(cache / "no-token"))
    patch.setattr(constants, "HF_STORED_TOKENS_PATH", str(cache / "no-tokens"))
    patch.setattr(_http, "time", SimpleNamespace(sleep=lambda seconds: None))
    patch.setattr("physprobe.hub.patience.time", SimpleNamespace(sleep=waits.append))
    return waits


@contextmanager
def killing(number: int, answered: bool) -> Iterator[None]:
    """Let the client's ``number``-th write (from 1) kill it: before it is sent, or once it is answered."""
    count = 0

    def note(method: str) -> None:
        nonlocal count
        count += method in WRITES
        if method in WRITES and count == number:
            raise Killed

    def on_request(request: Any) -> None:
        if not answered:
            note(request.method)

    def on_response(response: Any) -> None:
        if answered:
            note(response.request.method)

    def factory() -> Any:
        client = _http.default_client_factory()
        client.event_hooks = {
            "request": [*client.event_hooks["request"], on_request],
            "response": [on_response],
        }
        return client

    set_client_factory(factory)
    try:
        yield
    finally:
        set_client_factory(_http.default_client_factory)
