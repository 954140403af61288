"""Every benchmark's dataset is published whole from a Hub that fails, and verified from there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from builders.benchmarks import BENCHMARKS
from builders.build import build
from builders.push import plan, push
from builders.verify import verify
from physprobe.hub.repository import Repository
from tests.support import raw_consistency, raw_quantiphy
from tests.support.hub_server import LocalHub

pytestmark = pytest.mark.usefixtures("waits")

# Conservationbench is pushed in test_push.py; here are the others, each from a small raw folder.
RAW: dict[str, Callable[[Path], Path]] = {
    "quantiphy": lambda path: raw_quantiphy.make_raw(path, limit=1),
    "physical-consistency": lambda path: raw_consistency.make_raw(path, limit=2),
}


def test_every_benchmark_is_pushed_somewhere() -> None:
    assert {"conservationbench", *RAW} == set(BENCHMARKS)


@pytest.mark.parametrize("name", RAW)
def test_push_and_verify(hub: LocalHub, tmp_path: Path, name: str) -> None:
    folder = build(RAW[name](tmp_path / "raw"), tmp_path / name, partial=True).out
    repository = Repository(f"lab/{name}")
    hub.faults.share = 0.2
    hub.faults.cut_upload()
    hub.faults.rate_limit("/commit/main")
    push(plan(folder, repository, "v1.0.0"), repository, private=False)
    assert len([branch for _, branch, _ in hub.store.moves if branch == "main"]) == 1
    published = repository.download("v1.0.0")
    assert verify(published).problems == ()
    assert "Version 1.0.0" in (published / "README.md").read_text(encoding="utf-8")
