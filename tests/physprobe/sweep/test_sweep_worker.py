"""What Ray runs, without Ray."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from physprobe.sweep import attempts
from physprobe.sweep.completion import is_complete
from physprobe.sweep.config import load_sweep
from physprobe.sweep.jobs import Job, plan
from physprobe.sweep.worker import Assignment, job_environment, run_attempt, secret_arguments
from tests.support.sweeps import StubSweep


def stub(folder: Path, adapter: str = "steady", **more: Any) -> Job:
    made = StubSweep.make(folder, [{"name": "model", "adapter": adapter, "gpus": 1, **more}])
    (job,) = plan(load_sweep(made.folder / "sweep.yaml"), made.out)
    job.folder.mkdir(parents=True)
    job.logs.mkdir()
    return job


def run(job: Job) -> attempts.Attempt:
    return run_attempt(Assignment(job, "key", dict(os.environ), True))


def test_a_success_is_marked(tmp_path: Path) -> None:
    job = stub(tmp_path)
    attempt = run(job)
    assert attempt.succeeded
    assert attempt.log == str(tmp_path / "out" / "model" / "log" / "stub-1.log")
    assert is_complete(job, "key")
    assert attempts.read(job.attempts) == [attempt]


def test_a_success_without_results_is_none(tmp_path: Path) -> None:
    job = stub(tmp_path, "silent")
    attempt = run(job)
    assert not attempt.succeeded
    assert attempt.may_be_repeated
    assert attempt.error == f"exit code 0, but no *_results.json in {job.folder}"
    assert not is_complete(job, "key")
    assert attempts.read(job.attempts) == [attempt]


def test_bad_use_is_not_tried_again(tmp_path: Path) -> None:
    attempt = run(stub(tmp_path, "refusing"))
    assert (attempt.code, attempt.error) == (2, "unknown task 'stub'")
    assert not attempt.may_be_repeated


def test_each_attempt_has_a_log_of_its_own(tmp_path: Path) -> None:
    job = stub(tmp_path, "crashing")
    assert [run(job).number, run(job).number] == [1, 2]
    assert {path.name for path in job.logs.iterdir()} == {"stub.jsonl", "stub-1.log", "stub-2.log"}


def test_a_machine_without_the_folder_says_so(tmp_path: Path) -> None:
    job = stub(tmp_path)
    job.logs.rmdir()
    attempt = run(job)
    assert "a cluster needs a shared folder" in attempt.error
    assert not attempt.may_be_repeated


PRESENT = {
    "CUDA_VISIBLE_DEVICES": "3",
    "OMP_NUM_THREADS": "1",
    "RAY_JOB_ID": "1",
    "PATH": "/bin",
    "A": "node",
}
GIVEN = {"CUDA_VISIBLE_DEVICES": "2,3", "RAY_AUTH_TOKEN": "x", "A": "user", "B": "user"}


@pytest.mark.parametrize(("gpus", "devices"), [(1, "3"), (0, "")])
@pytest.mark.parametrize("whole", [True, False])
def test_a_job_sees_its_gpus_and_nothing_of_ray(tmp_path: Path, gpus: int, devices: str, whole: bool) -> None:
    job = stub(tmp_path, gpus=gpus, environment={"A": "sweep"})
    found = job_environment(PRESENT, Assignment(job, "key", GIVEN, whole))
    expected = {"CUDA_VISIBLE_DEVICES": devices, "A": "sweep", "B": "user", **job.environment}
    assert found == (expected if whole else {**expected, "PATH": "/bin"})


def test_gpus_that_the_user_hides_stay_hidden(tmp_path: Path) -> None:
    assignment = Assignment(stub(tmp_path), "key", {"CUDA_VISIBLE_DEVICES": "-1"}, True)
    assert job_environment(PRESENT, assignment)["CUDA_VISIBLE_DEVICES"] == ""


def test_threads_that_the_user_sets_stay_set(tmp_path: Path) -> None:
    assignment = Assignment(stub(tmp_path), "key", {"OMP_NUM_THREADS": "8"}, False)
    assert job_environment(PRESENT, assignment)["OMP_NUM_THREADS"] == "8"


def test_secret_arguments_are_masked_longest_first(tmp_path: Path) -> None:
    arguments = {"api_key": "sk-1", "hf_token": "sk-1-longer", "pretrained": "a/b"}
    assert secret_arguments(stub(tmp_path, arguments=arguments)) == ("sk-1-longer", "sk-1")
