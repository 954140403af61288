"""The record of a run that every results file carries: enough to say what made it, and to make it again."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from importlib import metadata
from pathlib import Path
from typing import Any

import physprobe
from physprobe.harness import options, processes
from physprobe.harness.answers.identity import hub_commit, parsed
from physprobe.harness.secrets import is_secret, mask, masked_command, secret_values

_PACKAGES = (
    *("physprobe", "lmms-eval", "torch", "transformers", "accelerate", "tokenizers", "vllm", "sglang"),
    *("openai", "qwen-vl-utils", "decord", "av", "pillow", "datasets", "huggingface-hub", "pyarrow"),
    *("numpy", "scipy"),
)


@dataclass(frozen=True)
class Beginning:
    """When a run began."""

    started: str = field(default_factory=lambda: datetime.now(timezone.utc).isoformat(timespec="seconds"))
    clock: float = field(default_factory=time.monotonic)


def run_record(
    results: Mapping[str, Any], model: object, arguments: str | Mapping[str, Any] | None, began: Beginning
) -> dict[str, Any]:
    """Describe a finished evaluation, in plain JSON and without secrets.

    Args:
        results: as lmms-eval's ``simple_evaluate`` returns them. model: its registered name, or the object.
        arguments: ``--model_args``. began: when.

    Returns:
        model, model_args (name -> value), revision (commit of weights from the Hub, else what was asked for,
        else ""), tasks (task or group -> version), packages (name -> version, "python" among them),
        git (commit and dirty of the checkout that physprobe runs from; None where it is installed),
        hardware (cpu, cores, gpus), wall_s (loading the model included), started (UTC), processes, command.
    """
    given = parsed(arguments or "")
    record = {
        "model": model if isinstance(model, str) else type(model).__name__,
        "model_args": {name: value for name, value in given.items() if not is_secret(name)},
        "revision": hub_commit(given) or str(given.get("revision") or ""),
        "tasks": dict(results.get("versions", {})),
        "packages": _packages(),
        "git": _git(Path(physprobe.__file__).resolve().parents[1]),
        "hardware": {"cpu": _cpu(), "cores": os.cpu_count(), "gpus": _gpus()},
        "wall_s": round(time.monotonic() - began.clock, 3),
        "started": began.started,
        "processes": processes.asked(),
        "command": masked_command(_command()),
    }
    return json.loads(mask(json.dumps(record, default=str), secret_values(os.environ)))


def _command() -> list[str]:
    given = options.current().given  # lmms-eval's own sys.argv lacks our options
    return ["lmms_eval", *given] if given else sys.argv


def _packages() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def _git(checkout: Path) -> dict[str, Any] | None:
    if not (checkout / ".git").exists():
        return None
    try:
        commit = _ask_git(checkout, "rev-parse", "HEAD")
        return {"commit": commit, "dirty": bool(_ask_git(checkout, "status", "--porcelain"))}
    except (OSError, subprocess.SubprocessError):
        return None


def _ask_git(checkout: Path, *arguments: str) -> str:
    command = ["git", "-C", str(checkout), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout.strip()


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()


def _gpus() -> list[str]:
    torch = sys.modules.get("torch")  # whoever uses a GPU has imported it
    if torch is None or not torch.cuda.is_available():
        return []
    return [torch.cuda.get_device_name(number) for number in range(torch.cuda.device_count())]
