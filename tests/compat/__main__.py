"""Loads small datasets with the versions of ``datasets`` that we promise, each in its own environment.

    python -m tests.compat [--work out/compat] [NAME ...]

Environments are made once below ``--work`` and kept. Exit code 1 if any version fails.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from builders.build import build
from tests.support import raw_conservation, raw_quantiphy

_BASE = ("av<16", "pillow", "pyyaml")
ENVIRONMENTS: Mapping[str, tuple[str, ...]] = {
    "3.6": ("datasets==3.6.0", *_BASE),
    "4.8": ("datasets>=4.8,<4.9", *_BASE),
    "5.2": ("datasets>=5.2,<5.3", *_BASE),
    "3.6-torchcodec": ("datasets==3.6.0", "torchcodec", "torch", *_BASE),
    "5.2-torchcodec": ("datasets>=5.2,<5.3", "torchcodec", "torch", *_BASE),
}
_SCRIPT = Path(__file__).with_name("load_folder.py")


def main() -> int:
    """Check the environments named on the command line, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", default=[*ENVIRONMENTS], choices=[*ENVIRONMENTS], metavar="NAME")
    parser.add_argument("--work", type=Path, default=Path("out/compat"))
    options = parser.parse_args()
    folders = make_datasets(options.work.absolute())
    failed = [name for name in options.names if not passes(name, options.work.absolute(), folders)]
    print(f"failed: {', '.join(failed)}" if failed else "all passed")
    return 1 if failed else 0


def make_datasets(work: Path) -> list[Path]:
    """Build a small dataset of each benchmark anew."""
    shutil.rmtree(work / "data", ignore_errors=True)
    raws = {
        "conservationbench": raw_conservation.make_raw(work / "data/raw/conservationbench", limit=2),
        "quantiphy": raw_quantiphy.make_raw(work / "data/raw/quantiphy", limit=2),
    }
    return [build(raw, work / "data" / name, partial=True).out for name, raw in raws.items()]


def passes(name: str, work: Path, folders: list[Path]) -> bool:
    """Load the datasets in one environment."""
    python = environment(name, work)
    if python is None:
        return False
    variables = {key: value for key, value in os.environ.items() if not key.startswith(("HF_", "PYTHONPATH"))}
    variables |= {"HF_HOME": str(work / "home" / name), "HF_HUB_OFFLINE": "1"}
    shutil.rmtree(work / "home" / name, ignore_errors=True)
    print(f"== {name}", flush=True)
    return subprocess.run([python, _SCRIPT, *folders], env=variables, check=False).returncode == 0


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
