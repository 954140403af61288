"""Sweeps under a real Ray: on a cluster of one node with three slots, and by Ctrl-C on this machine alone.

Ray's processes take about 7 s of CPU to start, so one cluster serves most tests.
"""

from __future__ import annotations

import os
import secrets
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from physprobe.results import find_runs
from physprobe.sweep import attempts
from physprobe.sweep.privacy import home_without_cloud
from tests.support.evaluation import SCRIPTS, TOKEN, environment, make_dataset, write_config
from tests.support.judge_server import closed_port
from tests.support.stub_job import most_in_use
from tests.support.sweeps import StubSweep, alive

pytestmark = pytest.mark.slow

SLOTS = 3
NO_NETWORK = Path(__file__).parents[2] / "support" / "no_network"
MODELS = [
    {"name": "large", "adapter": "meeting", "parameters": 20},  # two slots
    {"name": "small", "adapter": "meeting", "parameters": 7, "tasks": ["stub", "other"]},
    {"name": "crashing", "adapter": "crashing", "parameters": 0.5, "retries": 1},
    {"name": "hanging", "adapter": "hanging", "parameters": 13, "retries": 0, "timeout_hours": 0.001},
]


@dataclass(frozen=True)
class Runs:
    """Four models on three slots, then once more when the crash is mended; and what was started by then."""

    sweep: StubSweep
    first: subprocess.CompletedProcess[str]
    started: dict[str, int]
    second: subprocess.CompletedProcess[str]
    started_in_all: dict[str, int]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Ray cluster that says it has three GPUs."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(SCRIPTS / "ray"), "start", "--head", "--block", "--node-ip-address=127.0.0.1"]
    command += [f"--port={port}", f"--num-gpus={SLOTS}", "--num-cpus=2", "--object-store-memory=80000000"]
    command += ["--include-dashboard=false", "--disable-usage-stats"]
    log = tmp_path_factory.mktemp("cluster") / "log"
    with log.open("wb") as file, pytest.MonkeyPatch.context() as patch, home_without_cloud() as home:
        patch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))  # of the cluster, and of the sweeps that use it
        # Where ray start would tell that its statistics are off.
        variables = {**os.environ, "HOME": str(home), "RAY_USAGE_STATS_REPORT_URL": closed_port()}
        ray = subprocess.Popen(command, stdout=file, stderr=file, env=variables)
        try:
            deadline = time.monotonic() + 240
            while b"Ray runtime started" not in log.read_bytes():
                assert ray.poll() is None, log.read_text()
                assert time.monotonic() < deadline, log.read_text()
                time.sleep(0.5)
            yield f"127.0.0.1:{port}"
        finally:
            ray.terminate()
            ray.wait(60)


@pytest.fixture(scope="module")
def runs(cluster: str, tmp_path_factory: pytest.TempPathFactory) -> Runs:
    folder = tmp_path_factory.mktemp("sweep")
    passed = {"pass_environment": ["STUB_SLOTS", "HF_TOKEN"]}
    sweep = StubSweep.make(folder, MODELS, cluster=cluster, defaults=passed)
    first = sweep.run(STUB_SLOTS=str(SLOTS))
    started = dict(sweep.starts())
    (folder / "mended").touch()
    second = sweep.run("--only", "crashing", "--only", "small", STUB_SLOTS=str(SLOTS))
    return Runs(sweep, first, started, second, dict(sweep.starts()))


def test_a_crash_and_a_hang_stop_no_other(runs: Runs) -> None:
    assert runs.first.returncode == 1, runs.first.stderr
    assert runs.started == {
        **{"large/stub": 1, "small/stub": 1, "small/other": 1},
        **{"crashing/stub": 2, "hanging/stub": 1},
    }
    made = runs.sweep.out.rglob("*_results.json")
    assert {"large/stub", "small/stub", "small/other"} <= {"/".join(path.parts[-4:-2]) for path in made}


def test_slots_are_never_used_twice(runs: Runs) -> None:
    """From the order in which the jobs themselves noted their starts and ends, and the slots they saw."""
    used: dict[str, set[str]] = {}
    for event in runs.sweep.events():
        devices = set(event["devices"].split(","))
        if event["event"] == "start":
            assert all(devices.isdisjoint(others) for others in used.values()), event
            used[event["job"]] = devices
        elif event["event"] == "end":
            del used[event["job"]]
        assert len(devices) == (2 if event["job"] == "large/stub" else 1)
        assert devices <= {str(number) for number in range(SLOTS)}
    assert used == {}
    assert most_in_use(runs.sweep.folder / "log") == SLOTS


def test_a_hang_is_ended_with_all_its_processes(runs: Runs) -> None:
    (child,) = runs.sweep.children()
    assert alive([child]) == []
    (attempt,) = attempts.read(runs.sweep.out / "hanging" / "log" / "stub.jsonl")
    assert attempt.reason == "timeout"


def test_the_summary_says_what_failed_and_how_to_go_on(runs: Runs) -> None:
    out, sweep = runs.first.stdout, runs.sweep
    summary = out.splitlines()[-6:]
    assert summary[0] == "5 jobs: 2 failed, 3 finished"
    assert summary[1:3] == [
        "failed: crashing/stub: RuntimeError: CUDA out of memory",
        f"  its log: {sweep.out / 'crashing' / 'log' / 'stub-2.log'}",
    ]
    assert summary[3].startswith("failed: hanging/stub: ended at its limit, after ")
    assert summary[5] == f"to run what is missing: physprobe sweep {sweep.folder / 'sweep.yaml'}"
    assert "crashing/stub: to be repeated (attempt 1 of 2)" in out
    assert runs.first.stderr == ""


def test_a_rerun_runs_only_what_is_missing(runs: Runs) -> None:
    assert runs.second.returncode == 0, runs.second.stderr
    assert runs.second.stdout.splitlines()[-1] == "3 jobs: 1 finished, 2 finished before"
    assert runs.started_in_all == {**runs.started, "crashing/stub": runs.started["crashing/stub"] + 1}


def test_the_token_reaches_the_jobs_and_no_file(runs: Runs) -> None:
    log = runs.sweep.out / "small" / "log" / "stub-1.log"
    assert "loading meeting, token [REDACTED]" in log.read_text()
    for path in runs.sweep.out.rglob("*"):
        assert not path.is_file() or TOKEN.encode() not in path.read_bytes(), path


def test_reference_models_are_evaluated_as_by_hand(
    cluster: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("references")
    variables = environment(make_dataset(folder))
    needed = {name: variables[name] for name in ("PHYSPROBE_DATA", "HF_DATASETS_CACHE", "HF_HUB_OFFLINE")}
    names = ("physprobe_oracle", "physprobe_chance")
    content = {
        "tasks": ["conservation"],
        "models": [{"adapter": name, "gpus": 1} for name in names],
        "defaults": {"environment": needed, "retries": 0},
        "out": str(folder / "out"),
        "cluster": cluster,
    }
    file = write_config(folder / "sweep.yaml", content)
    done = subprocess.run(
        [str(SCRIPTS / "physprobe"), "sweep", file], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    oracle, chance = (find_runs([folder / "out" / name])[0] for name in names)
    assert oracle.estimate("conservation", "accuracy_overall").value == 1.0
    assert chance.questions == {"conservation": 24}
    counted = folder.glob("out/physprobe_oracle/conservation/answers/*/expected-0.json")
    assert [path.read_text() for path in counted] == ['{"questions": 24, "reused": 0}\n']


def test_a_lost_worker_and_ctrl_c_leave_no_process(tmp_path: Path) -> None:
    """Of a sweep that has this machine to itself; one job runs, one waits for the only slot."""
    models = [{"name": name, "adapter": "hanging", "gpus": 1} for name in ("one", "two")]
    sweep = StubSweep.make(tmp_path, models, slots=1)
    guard = {"PYTHONPATH": str(NO_NETWORK), "NETWORK_LOG": str(tmp_path / "network.log")}
    process = subprocess.Popen(
        sweep.command(),
        env={**os.environ, **guard},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    wait_for(lambda: len(sweep.children()) == 1, process)
    all_processes = family(process)
    (worker,) = [
        each for each in all_processes if name_of(each).startswith("ray::") and "/stub" in name_of(each)
    ]
    worker.kill()
    wait_for(lambda: len(sweep.children()) == 2, process)
    assert alive(sweep.children()) == sweep.children()[1:]
    all_processes += family(process)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (130, "error: interrupted\n")
    assert out.splitlines()[-1] == f"stopped; to go on: physprobe sweep {tmp_path / 'sweep.yaml'}"
    assert alive([*(each.pid for each in all_processes), *sweep.children()]) == []
    assert sweep.starts().total() == 2
    assert not (tmp_path / "network.log").exists()


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 240
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.5)


def family(process: subprocess.Popen[str]) -> list[psutil.Process]:
    return psutil.Process(process.pid).children(recursive=True)


def name_of(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""
