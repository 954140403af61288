"""One, two and three processes, one group of them killed: the same results, bit for bit.

Each start of lmms-eval takes 8 s of CPU a process, so all evaluations of a number of processes share one.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.support.evaluation import SCRIPTS, Finished, environment, execute, write_config

pytestmark = pytest.mark.slow

PYTHON, MODULE = str(SCRIPTS / "python"), "physprobe.lmms_eval"
LAUNCHERS = {
    1: [PYTHON, "-m", MODULE],
    2: [
        str(SCRIPTS / "accelerate"),
        "launch",
        "--multi_gpu",
        "--num_processes=2",
        "--main_process_port=0",
        "-m",
        MODULE,
    ],
    3: [PYTHON, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node=3", "-m", MODULE],
}
# By name: the number of questions of the group (None: all), of which the two tasks share or lack some.
EVALUATIONS = {"uneven": 7, "empty": 1, "whole": None}
LARGE = "conservation_full"
KILL_AT = 60  # answers


def entries(output: Path, answers: Path | None) -> list[dict[str, Any]]:
    """The evaluations of a run; the last is large, and takes answers from elsewhere if told."""
    entry = {"model": "physprobe_chance", "log_samples": True, "tasks": "conservation"}
    small = [
        {**entry, "limit": limit, "output_path": str(output / name)} for name, limit in EVALUATIONS.items()
    ]
    large = {**entry, "tasks": LARGE, "output_path": str(output / "large")}
    return [*small, {**large, "use_cache": str(answers)} if answers else large]


@pytest.fixture(scope="module")
def finished(datasets_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[int, Finished]:
    """The runs by their number of processes. The two are killed while they answer the large task.

    The three then take up the answers of the two.
    """
    root = tmp_path_factory.mktemp("processes")
    with ThreadPoolExecutor(2) as pool:
        single = pool.submit(_run, 1, datasets_folder, root / "1", None)
        killed = pool.submit(_run_and_kill, datasets_folder, root / "2")
        killed.result()
        resumed = _run(3, datasets_folder, root / "3", root / "2" / "large" / "answers")
        return {1: single.result(), 2: killed.result(), 3: resumed}


def _run(processes: int, datasets: Path, output: Path, answers: Path | None) -> Finished:
    config = write_config(output / "config.yaml", entries(output, answers))
    return execute([*LAUNCHERS[processes], "--config", config], datasets, output, **_watched(output))


def _run_and_kill(datasets: Path, output: Path) -> Finished:
    config = write_config(output / "config.yaml", entries(output, None))
    variables = environment(datasets, **_watched(output))
    with (output / "log").open("w") as log:
        process = subprocess.Popen([*LAUNCHERS[2], "--config", config], env=variables, stdout=log, stderr=log)
        _wait_for(lambda: len(kept(output / "large")) >= KILL_AT or process.poll() is not None)
        for each in [*psutil.Process(process.pid).children(recursive=True), process]:
            os.kill(each.pid, signal.SIGKILL)
    return Finished(process.wait(), (output / "log").read_text(), "", output)


def _wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def _watched(output: Path) -> dict[str, str]:
    guard = Path(__file__).parents[1] / "support" / "no_network"
    return {"PYTHONPATH": str(guard), "NETWORK_LOG": str(output / "network.log")}


def kept(output: Path) -> list[str]:
    return [line for file in output.glob("answers/*/*.jsonl") for line in file.read_text().split("\n")[:-1]]


def saved(output: Path) -> dict[str, Any]:
    """All that a run says about the model: metrics with intervals, scores by factor, samples files."""
    (results,) = output.glob("*_results.json")
    content = json.loads(results.read_text(), parse_constant=lambda name: pytest.fail(f"{name} in {results}"))
    found = {name: content[name] for name in ("results", "groups", "n-samples") if name in content}
    samples = {path.name.split("_samples_")[1]: path.read_text() for path in output.glob("*_samples_*")}
    return {**found, "scores": content["physprobe"]["conservation"], "samples": samples}


def answers(run: Finished, name: str) -> dict[str, int]:
    (results,) = (run.output / name).glob("*_results.json")
    return json.loads(results.read_text())["physprobe"]["answers"]


@pytest.mark.parametrize("name", EVALUATIONS)
@pytest.mark.parametrize("processes", [2, 3])
def test_results_do_not_depend_on_the_number_of_processes(
    finished: dict[int, Finished], processes: int, name: str
) -> None:
    for run in (finished[1], finished[3]):
        assert run.code == 0, run.err[-3000:]
    one, several = (saved(finished[n].output / name) for n in (1, processes))
    assert several == one
    assert {len(lines.splitlines()) for lines in one["samples"].values()} == {EVALUATIONS[name] or 12}


def test_requests_that_fill_up_processes_are_not_asked(finished: dict[int, Finished]) -> None:
    for name, limit in EVALUATIONS.items():
        for processes in (1, 2, 3):
            tally = answers(finished[processes], name)
            assert (tally["questions"], tally["asked"]) == (2 * (limit or 12),) * 2


def test_a_killed_run_is_taken_up_by_another_number_of_processes(finished: dict[int, Finished]) -> None:
    assert not list((finished[2].output / "large").glob("*_results.json"))  # it was killed in time
    tally = answers(finished[3], "large")
    assert KILL_AT <= tally["reused"] == len(kept(finished[2].output / "large")) - tally["asked"]
    assert tally["reused"] + tally["asked"] == tally["questions"] == answers(finished[1], "large")["asked"]
    assert saved(finished[3].output / "large") == saved(finished[1].output / "large")
    assert "answers were kept by earlier runs" in finished[3].out


def test_nothing_is_fetched_off_line(finished: dict[int, Finished]) -> None:
    for run in finished.values():
        assert not (run.output / "network.log").exists(), (run.output / "network.log").read_text()


def test_fewer_processes_than_asked_for_is_an_error(datasets_folder: Path, tmp_path: Path) -> None:
    """As accelerate does on CPUs."""
    launch = [str(SCRIPTS / "accelerate"), "launch", "--cpu", "--num_processes", "2", "-m", MODULE]
    asked = ["--model", "physprobe_oracle", "--tasks", "conservation"]
    alone = execute([*launch, *asked], datasets_folder, tmp_path)
    assert alone.code != 0
    assert "error: accelerate launch was asked for several processes and started one" in alone.err
