"""Runs of the real commands on a small dataset, as a user would start them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from builders.build import build
from physprobe.results import Run, find_runs
from tests.support.raw_conservation import make_raw

TOKEN = "hf_" + "s3cretT0ken" * 3
SCRIPTS = Path(sys.executable).parent


@dataclass(frozen=True)
class Finished:
    """A finished command: its exit code, and what it wrote to each stream and to its output folder."""

    code: int
    out: str
    err: str
    output: Path

    @property
    def error(self) -> str:
        """The last line on standard error."""
        return self.err.strip().splitlines()[-1]

    def run(self, name: str = "") -> Run:
        """The only run below the output folder, or below its subfolder ``name``."""
        (only,) = find_runs([self.output / name])
        return only


def make_dataset(folder: Path) -> Path:
    """Build the mini dataset and return what PHYSPROBE_DATA should be."""
    build(make_raw(folder / "raw"), folder / "datasets" / "conservationbench")
    return folder / "datasets"


def execute(command: Sequence[str], datasets: Path, output: Path, **variables: str) -> Finished:
    """Run a command with our datasets, no network and a token in the environment."""
    done = subprocess.run(
        [*command],
        env=environment(datasets, **variables),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    return Finished(done.returncode, done.stdout, done.stderr, output)


def environment(datasets: Path, **variables: str) -> dict[str, str]:
    """Return the environment of :func:`execute`."""
    return {
        **os.environ,
        "PHYSPROBE_DATA": str(datasets),
        "HF_DATASETS_CACHE": str(datasets.parent / "cache"),
        "HF_HUB_OFFLINE": "1",
        "HF_TOKEN": TOKEN,
        "COLUMNS": "200",
        **variables,
    }


def write_config(path: Path, content: Sequence[Mapping[str, object]] | Mapping[str, object]) -> str:
    """Write a YAML file, such as several evaluations for ``--config``, which runs them in one process."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump(content))
    return str(path)
