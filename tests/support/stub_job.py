"""Stands in for ``python -m physprobe.lmms_eval`` in tests of sweeps; what it does is in its adapter's name.

Every start and end is a line of $STUB_LOG, written whole, so that the file's order is that of the events.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path


def main() -> None:
    words = sys.argv[1:]
    options = {name: value for name, value in pairwise(words) if name.startswith("--")}
    adapter, output = options["--model"], Path(options["--output_path"])
    _note("start", output)
    try:
        _act(adapter, output)
    finally:
        _note("end", output)


def _act(adapter: str, output: Path) -> None:
    print(f"loading {adapter}, token {os.environ.get('HF_TOKEN')}", flush=True)
    if adapter == "hanging":
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        child = subprocess.Popen(["sleep", "600"], start_new_session=True)
        _note("child", output, pid=child.pid)
        time.sleep(600)
    if adapter == "crashing" and not Path(os.environ["STUB_MENDED"]).exists():
        sys.exit("Traceback (most recent call last):\nRuntimeError: CUDA out of memory\n")
    if adapter == "refusing":
        print("error: unknown task 'stub'", file=sys.stderr)
        sys.exit(2)
    if adapter == "meeting":
        _await_full_slots(int(os.environ["STUB_SLOTS"]))
    if adapter != "silent":
        (output / "model").mkdir(parents=True, exist_ok=True)
        (output / "model" / f"{time.time_ns()}_results.json").write_text("{}")


def _await_full_slots(slots: int) -> None:
    """Stay until jobs have held all slots at one time, for at most two minutes."""
    deadline = time.monotonic() + 120
    while most_in_use(Path(os.environ["STUB_LOG"])) < slots and time.monotonic() < deadline:
        time.sleep(0.2)


def most_in_use(log: Path) -> int:
    """Return how many slots were held at one time at most."""
    used, most = 0, 0
    for event in map(json.loads, log.read_text().splitlines()):
        used += {"start": 1, "end": -1}.get(event["event"], 0) * len(event["devices"].split(","))
        most = max(most, used)
    return most


def _note(event: str, output: Path, **more: object) -> None:
    devices = os.environ.get("CUDA_VISIBLE_DEVICES", "")
    line = {"event": event, "job": f"{output.parent.name}/{output.name}", "devices": devices, **more}
    file = os.open(os.environ["STUB_LOG"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    os.write(file, (json.dumps(line) + "\n").encode())
    os.close(file)


if __name__ == "__main__":
    main()
