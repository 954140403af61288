"""Each patch mends what is wrong in the stock version.

When a fault is gone from stock lmms-eval, its test here fails: then the patch can go.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from physprobe.harness.patches import PATCHES
from tests.support.evaluation import SCRIPTS, execute

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def found(datasets_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[bool]]:
    """By patch: whether the stock version is right, and whether ours is."""
    folder = tmp_path_factory.mktemp("probes")
    command = [str(SCRIPTS / "python"), "-m", "tests.support.patch_probes", str(folder)]
    root = str(Path(__file__).parents[2])
    done = execute(command, datasets_folder, folder, PYTHONPATH=root)
    assert done.code == 0, done.err[-3000:]
    return json.loads(done.out.splitlines()[-1])


def test_each_patch_is_tried(found: dict[str, list[bool]]) -> None:
    assert list(found) == [patch.name for patch in PATCHES]


@pytest.mark.parametrize("name", [patch.name for patch in PATCHES])
def test_stock_is_wrong_and_ours_is_right(found: dict[str, list[bool]], name: str) -> None:
    stock, ours = found[name]
    assert ours
    assert not stock, f"lmms-eval has mended {name!r}: drop the patch"
