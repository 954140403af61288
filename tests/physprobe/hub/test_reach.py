"""A Hub that does not answer is given up after seconds, in one line that says what to do."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import datasets
import huggingface_hub
import pytest
from huggingface_hub import constants

from physprobe.data import dataset_identity, load_config
from physprobe.errors import UserError
from physprobe.hub import reach

NAME = "no-such-lab/conservationbench"


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[float]:
    """A process that has not asked the Hub yet, which is at a closed port; its waits are counted."""
    waited: list[float] = []
    monkeypatch.setattr(reach, "_answered", set())
    monkeypatch.setattr(reach, "_away", "")
    monkeypatch.setattr(reach.time, "sleep", waited.append)
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path)
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setenv("PHYSPROBE_DATA", "no-such-lab")
    return waited


def test_a_hub_that_is_away_is_not_asked_again_and_again(waits: list[float]) -> None:
    with pytest.raises(UserError) as error:
        load_config("conservationbench", "questions")
    told = str(error.value)
    assert told.startswith(f"can't load questions/test of {NAME}: the Hub can't be reached (")
    assert "Connection refused" in told
    assert told.endswith(
        "set PHYSPROBE_DATA to a folder of built datasets, or check your network and the name"
    )
    assert "\n" not in told
    assert waits == [1, 2]
    assert not constants.HF_HUB_OFFLINE


def test_its_label_costs_no_more(waits: list[float]) -> None:
    assert dataset_identity("conservationbench").version == ""
    assert waits == [1, 2]


def test_clients_look_into_their_caches_meanwhile(waits: list[float]) -> None:
    with reach.briefly_asked(NAME) as away:
        assert "Connection refused" in away
        assert constants.HF_HUB_OFFLINE
        assert datasets.config.HF_HUB_OFFLINE
        with reach.briefly_asked(NAME) as inner:
            assert inner == away
    assert not constants.HF_HUB_OFFLINE
    assert not datasets.config.HF_HUB_OFFLINE


def test_a_hub_that_answers_is_asked_once(monkeypatch: pytest.MonkeyPatch, waits: list[float]) -> None:
    asked: list[str] = []

    def head(url: str, **options: Any) -> object:
        asked.append(url)
        if len(asked) == 1:
            raise TimeoutError
        return object()

    monkeypatch.setattr(huggingface_hub.utils, "get_session", lambda: SimpleNamespace(head=head))
    for _ in range(2):
        with reach.briefly_asked(NAME) as away:
            assert away == ""
            assert not constants.HF_HUB_OFFLINE
    assert asked == [f"http://127.0.0.1:9/datasets/{NAME}/resolve/main/README.md"] * 2
    assert waits == [1]
    assert reach.stay_off_line() == ""
    assert "HF_HUB_OFFLINE" not in os.environ


def test_off_line_it_is_not_asked(monkeypatch: pytest.MonkeyPatch, waits: list[float]) -> None:
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with reach.briefly_asked(NAME) as away:
        assert away == ""
    assert waits == []


def test_a_process_can_stay_off_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    with reach.briefly_asked(NAME) as away:
        pass
    assert reach.stay_off_line() == away
    assert os.environ["HF_HUB_OFFLINE"] == "1"
    assert constants.HF_HUB_OFFLINE
    assert datasets.config.HF_HUB_OFFLINE
