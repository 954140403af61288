"""Serves an application on 127.0.0.1 from a thread of this process."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

_START_SECONDS = 10


@contextmanager
def serving(app: Any, listener: socket.socket, name: str) -> Iterator[None]:
    """Serve an ASGI application while this is entered.

    Args:
        listener: see :func:`local_listener`; closed at the end. name: for messages.
    """
    config = uvicorn.Config(app, log_level="critical", lifespan="off", timeout_graceful_shutdown=0)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    deadline = time.monotonic() + _START_SECONDS
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.005)
    try:
        assert server.started, f"the {name} did not start"
        yield
    finally:
        server.should_exit = True
        thread.join(_START_SECONDS)
        listener.close()
    assert not thread.is_alive(), f"the {name} did not stop"


def local_listener() -> tuple[socket.socket, str]:
    """Bind a socket to a free port; also return its URL."""
    # Of this protocol by name, or asyncio leaves delays of 40 ms in each answer (TCP_NODELAY).
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    return listener, f"http://127.0.0.1:{listener.getsockname()[1]}"
