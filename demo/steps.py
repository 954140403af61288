"""Running the public commands one after the other, and skipping what is already there."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from physprobe.errors import UserError

# Soft wrapping leaves commands in one piece, to copy.
console = Console(highlight=False, soft_wrap=True)


@dataclass(frozen=True)
class Workspace:
    """Where the demo keeps its output, and the environment its commands run in.

    Attributes:
        root: output folder, for example ``out/demo``.
    """

    root: Path

    @property
    def datasets(self) -> Path:
        """The folder of built datasets, which ``PHYSPROBE_DATA`` points to."""
        return self.root / "datasets"

    def environment(self) -> dict[str, str]:
        """The variables of every command: our datasets, no network, no chatter."""
        return {
            **os.environ,
            "PHYSPROBE_DATA": str(self.datasets),
            "HF_HUB_OFFLINE": "1",
            "HF_DATASETS_CACHE": str(self.root / "cache" / "datasets"),
            "PHYSPROBE_VIDEOS": str(self.root / "cache" / "videos"),
            "TOKENIZERS_PARALLELISM": "false",
            "LOGURU_LEVEL": "ERROR",
        }


def heading(text: str) -> None:
    """Print the title of a step."""
    console.print(f"\n[bold]{text}[/bold]")


def run(workspace: Workspace, arguments: Sequence[str], *, log: Path | None = None) -> None:
    """Run ``python -m ARGUMENTS`` and stop the demo with its last lines when it fails.

    Args:
        workspace: gives the environment.
        arguments: module name and its arguments, as a user would type them after ``python -m``.
        log: when given, output goes to this file instead of the terminal.

    Raises:
        UserError: the command failed.
    """
    shown = " ".join(shlex.quote(_relative(a)) for a in arguments)
    console.print(f"[dim]$ python -m {shown}[/dim]")
    command = [sys.executable, "-m", *arguments]
    start = time.perf_counter()
    if log is None:
        code = subprocess.run(command, env=workspace.environment(), check=False).returncode
    else:
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("wb") as sink:
            code = subprocess.run(
                command, env=workspace.environment(), stdout=sink, stderr=subprocess.STDOUT, check=False
            ).returncode
    if code != 0:
        tail = "" if log is None else "\n" + "\n".join(log.read_text(errors="replace").splitlines()[-15:])
        raise UserError(f"`python -m {shown}` failed with exit code {code}{tail}")
    console.print(f"[dim]  {time.perf_counter() - start:.0f} s[/dim]")


def is_current(stamp: Path, key: Mapping[str, str]) -> bool:
    """Whether ``stamp`` says that its step was finished for exactly this input."""
    return stamp.is_file() and json.loads(stamp.read_text()) == dict(key)


def mark_current(stamp: Path, key: Mapping[str, str]) -> None:
    """Record that a step was finished for this input."""
    temporary = stamp.with_suffix(".tmp")
    temporary.write_text(json.dumps(dict(key), indent=1, sort_keys=True) + "\n")
    temporary.replace(stamp)


def _relative(argument: str) -> str:
    return argument.replace(f"{Path.cwd()}{os.sep}", "")
