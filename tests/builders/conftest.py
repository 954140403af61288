from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from builders.build import build
from generation.conservation.design import PRESETS
from physprobe.conservation.vocabulary import DOMAINS
from tests.support.raw_conservation import make_raw


@pytest.fixture(scope="session")
def raw_mini(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_raw(tmp_path_factory.mktemp("raw") / "mini")


@contextmanager
def whole_designs() -> Iterator[None]:
    """Let the preset "full" be the whole design of every domain."""
    with pytest.MonkeyPatch.context() as patch:
        full = PRESETS["full"].model_copy(update={"pairs": dict.fromkeys(DOMAINS)})
        patch.setitem(PRESETS, "full", full)
        yield


@pytest.fixture
def four_domains() -> Iterator[None]:
    """For tests that build or verify ``raw_full``."""
    with whole_designs():
        yield


@pytest.fixture(scope="session")
def raw_full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with whole_designs():
        return make_raw(tmp_path_factory.mktemp("raw") / "full", preset="full")


@pytest.fixture(scope="session")
def built_mini(raw_mini: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built once; use ``dataset`` to damage it."""
    return build(raw_mini, tmp_path_factory.mktemp("built") / "conservationbench").out


@pytest.fixture
def dataset(built_mini: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built_mini, tmp_path / "conservationbench"))


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import datasets

    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "hf_cache")
