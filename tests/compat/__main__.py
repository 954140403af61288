"""Loads small datasets with the versions of ``datasets`` that we promise, each in its own environment.

    python -m tests.compat [--work out/compat] [NAME ...]

From folders; and from a local Hub, two versions of one dataset, on line and off line. Environments are made
once below ``--work`` and kept. Exit code 1 if any fails.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from builders.build import build
from builders.conservation.schema import QUESTIONS
from builders.push import plan, push
from physprobe.hub.quiet import quiet_client
from physprobe.hub.repository import Repository
from tests.support import raw_conservation, raw_consistency, raw_quantiphy
from tests.support.edited_dataset import rebuilt, without_last
from tests.support.hub_server import local_hub
from tests.support.hub_server.client import use_hub

_BASE = ("av<16", "pillow", "pyyaml")
ENVIRONMENTS: Mapping[str, tuple[str, ...]] = {
    "3.6": ("datasets==3.6.0", *_BASE),
    "4.8": ("datasets>=4.8,<4.9", *_BASE),
    "5.2": ("datasets>=5.2,<5.3", *_BASE),
    "3.6-torchcodec": ("datasets==3.6.0", "torchcodec", "torch", *_BASE),
    "5.2-torchcodec": ("datasets>=5.2,<5.3", "torchcodec", "torch", *_BASE),
}
NAME = "lab/conservationbench"

_FOLDERS = Path(__file__).with_name("load_folder.py")
_PUBLISHED = Path(__file__).parents[1] / "builders" / "publishing" / "load_published.py"


def main() -> int:
    """Check the environments named on the command line, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", default=[*ENVIRONMENTS], choices=[*ENVIRONMENTS], metavar="NAME")
    parser.add_argument("--work", type=Path, default=Path("out/compat"))
    options = parser.parse_args()
    work = options.work.absolute()
    for name in ("data", "home"):
        shutil.rmtree(work / name, ignore_errors=True)
    quiet_client()
    folders = make_datasets(work / "data")
    with local_hub(work / "data" / "hub") as hub:
        versions = publish(folders[0], work / "data", hub.url)
        failed = [name for name in options.names if not passes(name, work, folders, hub.url, versions)]
    print(f"failed: {', '.join(failed)}" if failed else "all passed")
    return 1 if failed else 0


def make_datasets(place: Path) -> list[Path]:
    """Build a small dataset of each benchmark."""
    raws = {
        "conservationbench": raw_conservation.make_raw(place / "raw" / "conservationbench", limit=2),
        "quantiphy": raw_quantiphy.make_raw(place / "raw" / "quantiphy", limit=2),
        "physical-consistency": raw_consistency.make_raw(place / "raw" / "physical-consistency"),
    }
    return [build(raw, place / name, partial=True).out for name, raw in raws.items()]


def publish(whole: Path, place: Path, url: str) -> dict[str, list[str]]:
    """Publish a dataset and a larger version of it; return the ids of each, by tag."""
    fewer = rebuilt(whole, place / "fewer" / whole.name, QUESTIONS, without_last(3))
    versions = {"v1.0.0": fewer, "v1.1.0": whole}
    with pytest.MonkeyPatch.context() as patch:
        use_hub(patch, url, place / "cache")
        repository = Repository(NAME)
        for tag, folder in versions.items():
            push(plan(folder, repository, tag), repository, private=False)
    return {
        tag: pq.read_table(folder / QUESTIONS.name)[QUESTIONS.key].to_pylist()
        for tag, folder in versions.items()
    }


def passes(
    name: str, work: Path, folders: Sequence[Path], url: str, versions: Mapping[str, list[str]]
) -> bool:
    """Load everything in one environment."""
    python = environment(name, work)
    if python is None:
        return False
    print(f"== {name}", flush=True)
    home = work / "home" / name
    done = run([python, _FOLDERS, *folders], HF_HOME=str(home / "folders"), HF_HUB_OFFLINE="1")
    wanted = {**versions, "main": versions["v1.1.0"]}
    return done.returncode == 0 and all(
        loads_published(python, home / "hub", url, wanted, offline)
        for offline in (False, True)  # in this order: the first fills the cache
    )


def loads_published(
    python: Path, home: Path, url: str, wanted: Mapping[str, list[str]], offline: bool
) -> bool:
    """Load all versions from the Hub, or from what the client kept of it."""
    command = [python, _PUBLISHED, NAME, *(tag for tag in wanted if tag != "main")]
    variables = {"HF_HOME": str(home), "HF_HUB_OFFLINE": str(int(offline)), "HF_ENDPOINT": url}
    done = run(command, subprocess.PIPE, **variables)
    found = json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else {}
    right = all(found.get(tag, {}).get("ids") == ids for tag, ids in wanted.items())
    print(f"{NAME} {'off' if offline else 'on'} line: {'as published' if right else 'WRONG'}", flush=True)
    return right


def run(command: Sequence[object], out: int | None = None, **variables: str) -> subprocess.CompletedProcess:
    """Run a program without the variables that change what the clients do."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("HF_", "PYTHONPATH"))}
    variables = {**kept, "HF_HUB_DISABLE_XET": "1", **variables}
    return subprocess.run([str(word) for word in command], env=variables, stdout=out, check=False)


def environment(name: str, work: Path) -> Path | None:
    """Make an environment, unless it is there; return its Python, None if its packages can't be had."""
    place = work / name
    python = place / "bin" / "python"
    if not (place / ".complete").exists():
        shutil.rmtree(place, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
        command = [
            python,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            *ENVIRONMENTS[name],
        ]
        if subprocess.run(command, check=False).returncode != 0:
            print(f"== {name}: can't install {' '.join(ENVIRONMENTS[name])}", flush=True)
            return None
        (place / ".complete").touch()
    return python


if __name__ == "__main__":
    sys.exit(main())
