"""Real processes: what is started is ended, whatever it does."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from physprobe.sweep import attempts
from physprobe.sweep.attempts import Attempt
from physprobe.sweep.supervisor import Order
from tests.support.sweeps import alive

# Starts a process in a session of its own, as torch.distributed.run does, that ignores SIGTERM.
FAMILY = """
import subprocess, sys, time
deaf = "from signal import *; signal(SIGTERM, SIG_IGN); print(flush=True); import time; time.sleep(600)"
command = [sys.executable, "-S", "-c", deaf]
started = subprocess.Popen(command, start_new_session=True, stdout=subprocess.PIPE)
started.stdout.readline()
print("CHILD", started.pid, flush=True)
"""


class Supervised:
    """One attempt, watched by a real supervisor; this process is its owner."""

    def __init__(
        self, folder: Path, *command: str, timeout_s: float = 60, secrets: tuple[str, ...] = ()
    ) -> None:
        self.record, self.log = folder / "job.jsonl", folder / "job-1.log"
        attempt = Attempt(1, attempts.now(), "here", "0", str(self.log))
        order = Order([*command], dict(os.environ), timeout_s, str(self.record), attempt, secrets)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "physprobe.sweep.supervisor"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self.process.stdin is not None
        self.process.stdin.write(order.dumps().encode())
        self.process.stdin.flush()

    def ended(self) -> Attempt:
        """Wait for its end."""
        assert self.process.stdout is not None
        assert self.process.stdout.read() == b""
        self.process.stdout.close()
        self.process.wait()
        (attempt,) = attempts.read(self.record)
        return attempt

    def children(self) -> list[int]:
        """The processes that FAMILY has started, once it has."""
        wait_for(lambda: self.log.exists() and "\nCHILD" in self.log.read_text())
        lines = self.log.read_text().splitlines()
        return [int(line.split()[1]) for line in lines if line.startswith("CHILD")]

    def let_go(self) -> None:
        """End ownership, as a process that is killed does."""
        assert self.process.stdin is not None
        self.process.stdin.close()


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "it took more than a minute"
        time.sleep(0.1)


def python(text: str) -> tuple[str, ...]:
    return (sys.executable, "-S", "-c", text)


def test_a_job_that_ends_well_leaves_a_log_and_a_record(tmp_path: Path) -> None:
    attempt = Supervised(tmp_path, "sh", "-c", "echo key s3cret; echo told >&2", secrets=("s3cret",)).ended()
    assert attempt.succeeded
    assert (attempt.reason, attempt.code, attempt.error) == ("exited", 0, "")
    log = (tmp_path / "job-1.log").read_text()
    assert log.startswith("$ sh -c 'echo key [REDACTED]; echo told >&2'\n# attempt 1, started ")
    assert log.endswith(" on here, devices 0\n\nkey [REDACTED]\ntold\n")


def test_a_job_that_fails_says_why(tmp_path: Path) -> None:
    attempt = Supervised(tmp_path, "sh", "-c", "echo error: no such checkpoint; exit 3").ended()
    assert (attempt.reason, attempt.code, attempt.error) == ("exited", 3, "no such checkpoint")
    assert attempt.may_be_repeated


def test_a_job_that_can_t_be_started_is_bad_use(tmp_path: Path) -> None:
    attempt = Supervised(tmp_path, str(tmp_path / "python")).ended()
    assert (attempt.code, attempt.error) == (2, f"{tmp_path / 'python'}: No such file or directory")
    assert not attempt.may_be_repeated


def test_what_a_job_leaves_behind_is_ended_with_it(tmp_path: Path) -> None:
    supervised = Supervised(tmp_path, *python(FAMILY))
    attempt = supervised.ended()
    assert attempt.succeeded
    assert alive(supervised.children()) == []


def test_a_job_past_its_limit_is_ended(tmp_path: Path) -> None:
    attempt = Supervised(tmp_path, "sh", "-c", "echo working; sleep 600", timeout_s=0.5).ended()
    assert (attempt.reason, attempt.code, attempt.error) == ("timeout", None, "working")
    assert attempt.may_be_repeated


def test_a_job_whose_owner_is_gone_is_ended_with_all_its_processes(tmp_path: Path) -> None:
    supervised = Supervised(tmp_path, *python(FAMILY + "time.sleep(600)"))
    children = supervised.children()
    assert alive(children) == children
    supervised.let_go()
    attempt = supervised.ended()
    assert attempt.reason == "stopped"
    assert not attempt.may_be_repeated
    assert alive(children) == []


@pytest.mark.parametrize("code", ["import os, signal; os.kill(os.getpid(), signal.SIGKILL)"])
def test_a_signal_is_told_from_an_exit_code(tmp_path: Path, code: str) -> None:
    attempt = Supervised(tmp_path, *python(code)).ended()
    assert (attempt.reason, attempt.code) == ("exited", -9)
