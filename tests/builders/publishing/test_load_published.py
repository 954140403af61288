"""What ``load_dataset`` gives from the Hub: main, a pinned version after a newer one, and off line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from builders.push import plan, push
from physprobe.hub.repository import Repository
from tests.support.hub_server import LocalHub, local_hub
from tests.support.hub_server.client import use_hub

NAME = "lab/conservationbench"
_SCRIPT = Path(__file__).with_name("load_published.py")


def load(url: str, home: Path, offline: bool, *revisions: str) -> dict[str, Any]:
    """Load in a process of its own: the client reads its environment once."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    environment |= {"HF_ENDPOINT": url, "HF_HOME": str(home), "HF_HUB_OFFLINE": "1" if offline else "0"}
    environment["HF_HUB_DISABLE_XET"] = "1"
    command = [sys.executable, str(_SCRIPT), NAME, *revisions]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


def ids(dataset: Path) -> list[str]:
    return pq.read_table(dataset / "questions")["question_id"].to_pylist()


def publish(dataset: Path, tag: str) -> None:
    repository = Repository(NAME)
    push(plan(dataset, repository, tag), repository, private=False)


def test_versions_and_off_line(
    fewer: Path, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    with local_hub(tmp_path / "hub", page_size=1000) as hub:
        use_hub(monkeypatch, hub.url, tmp_path / "cache")
        publish(fewer, "v1.0.0")
        before = load(hub.url, home, False)
        assert before["main"]["ids"] == ids(fewer)
        publish(whole, "v1.1.0")
        online = load(hub.url, home, False, "v1.0.0", "v1.1.0")
        _check(hub, online, fewer, whole)
    offline = load(hub.url, home, True, "v1.0.0", "v1.1.0")  # nobody listens there any more
    assert {tag: offline[tag] for tag in ("v1.0.0", "v1.1.0")} == {
        tag: online[tag] for tag in ("v1.0.0", "v1.1.0")
    }
    assert offline["main"]["ids"] == online["main"]["ids"]


def _check(hub: LocalHub, found: dict[str, Any], fewer: Path, whole: Path) -> None:
    assert found["main"] == found["v1.1.0"]
    assert found["main"]["splits"] == ["test"]
    assert found["main"]["ids"] == found["streamed"]["v1.1.0"] == ids(whole)
    assert found["v1.0.0"]["ids"] == found["streamed"]["v1.0.0"] == ids(fewer)
    assert len(ids(whole)) == len(ids(fewer)) + 3
    assert found["main"]["videos"] == found["v1.0.0"]["videos"]
    assert (found["main"]["frames"], found["main"]["size"]) == (24, [64, 48])
    assert hub.faults.count("GET", "/resolve/") > 0
