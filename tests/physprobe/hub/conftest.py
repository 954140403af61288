from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.hub_server import LocalHub, local_hub
from tests.support.hub_server.client import use_hub


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[LocalHub]:
    with local_hub(tmp_path / "hub") as running:
        yield running


@pytest.fixture(autouse=True)
def waits(hub: LocalHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that we would have waited, in order."""
    return use_hub(monkeypatch, hub.url, tmp_path / "cache")
