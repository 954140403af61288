from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from builders.build import build
from builders.conservation.schema import QUESTIONS
from tests.support.edited_dataset import rebuilt, without_last
from tests.support.hub_server import LocalHub, local_hub
from tests.support.hub_server.client import use_hub
from tests.support.raw_conservation import make_raw


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of two pairs."""
    folder = tmp_path_factory.mktemp("whole")
    return build(make_raw(folder / "raw", limit=2), folder / "conservationbench", partial=True).out


@pytest.fixture(scope="session")
def fewer(whole: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same dataset before its last three questions were added."""
    return rebuilt(whole, tmp_path_factory.mktemp("fewer") / "conservationbench", QUESTIONS, without_last(3))


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[LocalHub]:
    with local_hub(tmp_path / "hub") as running:
        yield running


@pytest.fixture
def waits(hub: LocalHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that we would have waited, in order."""
    return use_hub(monkeypatch, hub.url, tmp_path / "cache")
