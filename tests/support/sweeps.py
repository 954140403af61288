"""Sweeps of stub jobs, run as a user would run them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import yaml

from tests.support.evaluation import SCRIPTS, TOKEN

STUB = Path(__file__).with_name("stub_job.py")


@dataclass(frozen=True)
class StubSweep:
    """A sweep whose jobs are stubs, in a folder of its own."""

    folder: Path

    @classmethod
    def make(cls, folder: Path, models: Sequence[Mapping[str, Any]], **more: Any) -> StubSweep:
        """Write the sweep, and the "interpreter" that runs a stub in place of lmms_eval."""
        folder.mkdir(parents=True, exist_ok=True)
        python = folder / "python"
        python.write_text(f'#!/bin/sh\nexec {sys.executable} -S {STUB} "$@"\n')
        python.chmod(0o755)
        environment = {"STUB_LOG": str(folder / "log"), "STUB_MENDED": str(folder / "mended")}
        defaults = {"python": str(python), "environment": environment, **more.pop("defaults", {})}
        content = {"out": str(folder / "out"), "tasks": ["stub"], "models": list(models), **more}
        (folder / "sweep.yaml").write_text(yaml.safe_dump({**content, "defaults": defaults}))
        return cls(folder)

    @property
    def out(self) -> Path:
        return self.folder / "out"

    def command(self, *options: str) -> list[str]:
        return [str(SCRIPTS / "physprobe"), "sweep", str(self.folder / "sweep.yaml"), *options]

    def run(self, *options: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run it to its end."""
        return subprocess.run(
            self.command(*options),
            env={**os.environ, "HF_TOKEN": TOKEN, "COLUMNS": "200", **variables},
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )

    def events(self) -> list[dict[str, Any]]:
        """What the stubs noted, in order."""
        log = self.folder / "log"
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []

    def starts(self) -> Counter[str]:
        """How often each job was started."""
        return Counter(event["job"] for event in self.events() if event["event"] == "start")

    def children(self) -> list[int]:
        """The processes that hanging stubs have started in sessions of their own."""
        return [event["pid"] for event in self.events() if event["event"] == "child"]


def alive(pids: Sequence[int]) -> list[int]:
    """Those of the processes that have not ended."""
    return [pid for pid in pids if psutil.pid_exists(pid) and psutil.Process(pid).status() != "zombie"]
