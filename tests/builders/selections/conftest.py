from __future__ import annotations

from pathlib import Path

import pytest

from builders.selections.localizer import Localizer, load
from generation.core.raw import RawFolder
from tests.support.raw_conservation import make_raw
from tests.support.tiny_blip2 import save_tiny_blip2


@pytest.fixture(scope="session")
def checkpoints(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("blip2")
    return {backbone: save_tiny_blip2(folder / backbone, backbone) for backbone in ("opt", "t5")}


@pytest.fixture(scope="session")
def localizer(checkpoints: dict[str, Path]) -> Localizer:
    return load(str(checkpoints["t5"]), device="cpu")


@pytest.fixture(scope="session")
def raw(tmp_path_factory: pytest.TempPathFactory) -> RawFolder:
    """Three pairs of twelve."""
    return RawFolder.open(make_raw(tmp_path_factory.mktemp("raw") / "unfinished", limit=3))
