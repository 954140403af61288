from __future__ import annotations

import os
import sys
from typing import Any

import pytest
from tqdm import tqdm

from physprobe.errors import UserError
from physprobe.harness import processes
from physprobe.harness.failures import EvaluationFailed

LAUNCHED = {"ACCELERATE_MIXED_PRECISION": "no", "MASTER_ADDR": "127.0.0.1"}
VARIABLES = ("WORLD_SIZE", "RANK", "ACCELERATE_USE_CPU", "PMI_SIZE", *LAUNCHED)


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def set_all(environment: pytest.MonkeyPatch, variables: dict[str, str]) -> None:
    for name, value in variables.items():
        environment.setenv(name, value)


@pytest.mark.parametrize(
    "variables",
    [
        {},
        {"MASTER_ADDR": "127.0.0.1"},  # set by a scheduler
        {"ACCELERATE_MIXED_PRECISION": "no"},  # accelerate, asked for one
        {**LAUNCHED, "WORLD_SIZE": "2", "RANK": "1"},
        {**LAUNCHED, "PMI_SIZE": "2"},
    ],
)
def test_runs_of_as_many_processes_as_asked_for(
    environment: pytest.MonkeyPatch, variables: dict[str, str]
) -> None:
    set_all(environment, variables)
    processes.refuse_lone_process()


def test_the_only_process_of_several_is_refused(environment: pytest.MonkeyPatch) -> None:
    set_all(environment, LAUNCHED)
    with pytest.raises(UserError, match=r"python -m torch\.distributed\.run --nproc_per_node N"):
        processes.refuse_lone_process()
    environment.setattr(processes, "_inherited", lambda name: True)  # a scheduler's, and one was asked for
    processes.refuse_lone_process()


def test_a_process_that_no_launcher_started_is_refused(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("WORLD_SIZE", "4")
    with pytest.raises(UserError, match="WORLD_SIZE=4 asks for several processes"):
        processes.refuse_lone_process()


def test_processes_that_are_not_connected_are_an_error(environment: pytest.MonkeyPatch) -> None:
    processes.check_number()
    set_all(environment, {"WORLD_SIZE": "2", "RANK": "0"})
    with pytest.raises(
        EvaluationFailed, match=r"2 processes were asked for \(WORLD_SIZE\) and 1 are connected"
    ):
        processes.check_number()


@pytest.mark.parametrize(
    ("count", "accelerator", "expected"), [("1", False, None), ("2", False, "true"), ("2", True, None)]
)
def test_gloo_is_used_without_an_accelerator_only(
    environment: pytest.MonkeyPatch, count: str, accelerator: bool, expected: str | None
) -> None:
    environment.setenv("WORLD_SIZE", count)
    environment.setenv("ACCELERATE_USE_CPU", "")
    environment.delenv("ACCELERATE_USE_CPU")
    environment.setattr(processes, "_has_accelerator", lambda: accelerator)
    processes.connect_over_cpu()
    assert os.environ.get("ACCELERATE_USE_CPU") == expected


def test_one_of_several_processes_leaves_at_once(environment: pytest.MonkeyPatch) -> None:
    left: list[int] = []
    environment.setattr(os, "_exit", left.append)
    environment.setenv("WORLD_SIZE", "2")
    processes.leave(3)
    assert left == [3]
    environment.setenv("WORLD_SIZE", "1")
    with pytest.raises(SystemExit) as stop:
        processes.leave(1)
    assert stop.value.code == 1
    assert left == [3]


def test_alone_a_process_gathers_its_own() -> None:
    assert processes.gather({"asked": 1}) == [{"asked": 1}]


def test_an_inherited_variable_is_told_from_a_new_one(environment: pytest.MonkeyPatch) -> None:
    if not sys.platform.startswith("linux"):
        pytest.skip("needs /proc")
    environment.setenv("PHYSPROBE_SET_JUST_NOW", "1")
    assert not processes._inherited("PHYSPROBE_SET_JUST_NOW")


def test_there_is_one_bar(capsys: pytest.CaptureFixture[str]) -> None:
    with processes.one_bar("Outer", 4, 1) as bar:
        for _ in tqdm(range(3), desc="Inner", disable=False):
            bar.update()
    shown: Any = capsys.readouterr().err
    assert "Outer: 100%" in shown
    assert "Inner" not in shown
    assert not tqdm(range(1), disable=False).disable
