from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from builders.build import build
from tests.support.raw_conservation import make_raw


@pytest.fixture(scope="session")
def raw_mini(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_raw(tmp_path_factory.mktemp("raw") / "mini")


@pytest.fixture(scope="session")
def raw_full(tmp_path_factory: pytest.TempPathFactory) -> Path:
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
