"""A dataset that can't tell which one it is, is told of once, at the start."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from loguru import logger

from physprobe import data
from physprobe.harness import conservation, consistency, datasets, quantiphy

MANIFEST = {"dataset_version": "1.0.0", "configs": {"questions": {"sha256": "a"}}}
MODULES = {"conservationbench": conservation, "quantiphy": quantiphy, "physical-consistency": consistency}


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[str]]:
    """What is logged by a process with a folder of empty datasets."""
    lines: list[str] = []
    number = logger.add(lines.append, format="{message}", level="WARNING")
    monkeypatch.setattr(datasets, "_warned", set())
    monkeypatch.setattr(data, "load_config", lambda *arguments: None)
    monkeypatch.setenv("PHYSPROBE_DATA", str(tmp_path))
    monkeypatch.delenv("RANK", raising=False)
    for name in MODULES:
        (tmp_path / name).mkdir()
    yield lines
    logger.remove(number)


@pytest.mark.parametrize("name", MODULES)
def test_each_benchmark_warns_once(name: str, told: list[str], tmp_path: Path) -> None:
    for _ in range(2):
        place = MODULES[name].DATASET_PATH
    assert place == str(tmp_path / name)
    (line,) = told
    assert line.startswith(f"{tmp_path / name} has no readable manifest.json: results will not say which")
    assert line.count("\n") == 1


@pytest.mark.parametrize("content", ["{", "{}", "[]"])
def test_a_manifest_that_says_nothing_is_none(content: str, told: list[str], tmp_path: Path) -> None:
    (tmp_path / "quantiphy" / "manifest.json").write_text(content)
    assert quantiphy.DATASET_PATH
    assert len(told) == 1


def test_no_word_of_a_dataset_that_tells(told: list[str], tmp_path: Path) -> None:
    (tmp_path / "quantiphy" / "manifest.json").write_text(json.dumps(MANIFEST))
    assert quantiphy.DATASET_PATH
    assert told == []


def test_of_several_processes_one_warns(told: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "1")
    assert quantiphy.DATASET_PATH
    assert told == []


def test_the_hub_is_not_asked_for_it(told: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PHYSPROBE_DATA", "lab")
    place = conservation.DATASET_PATH
    assert place == "lab/conservationbench"
    assert told == []
