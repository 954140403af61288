"""One attempt at a job, watched by a process that outlives whoever asked for it.

Run as ``python -m physprobe.sweep.supervisor``. Standard input holds one JSON line (:class:`Order`) and then
stays open for as long as the attempt is wanted: when it ends, because its owner was stopped or killed, so
does the job with all its processes. Standard output says nothing, and is closed when all is over.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from physprobe.harness.secrets import mask
from physprobe.sweep import attempts, trees
from physprobe.sweep.attempts import Attempt
from physprobe.sweep.logs import LogWriter, last_error

_POLL_S = 0.2
_GRACE_S = {"timeout": 10.0, "stopped": 5.0, "exited": 1.0}
_BAD_USE = 2


@dataclass(frozen=True)
class Order:
    """What to run.

    Attributes:
        command: of the job. environment: all its variables. timeout_s: after which it is ended.
        record: of the job's attempts. attempt: this one. secrets: to be masked in its log.
    """

    command: list[str]
    environment: Mapping[str, str]
    timeout_s: float
    record: str
    attempt: Attempt
    secrets: tuple[str, ...]

    def dumps(self) -> str:
        """Write it as one line."""
        return json.dumps(asdict(self)) + "\n"

    @classmethod
    def loads(cls, line: bytes) -> Order:
        """Read what :meth:`dumps` has written."""
        content = json.loads(line)
        return cls(
            **{**content, "attempt": Attempt(**content["attempt"]), "secrets": tuple(content["secrets"])}
        )


def main() -> None:
    """Leave the parent, for it may take its children with it; then run what standard input orders."""
    order = Order.loads(sys.stdin.buffer.readline())
    if os.fork():
        os._exit(0)
    os.setsid()
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    trees.take_signals()
    trees.adopt_orphans()
    supervise(order, sys.stdin.buffer)


def supervise(order: Order, owner: IO[bytes]) -> None:
    """Run a job to its end, to its limit, or until ``owner`` is closed; write its log and record."""
    attempts.append(Path(order.record), asdict(order.attempt))
    log = Path(order.attempt.log)
    with log.open("ab") as file:
        writer = LogWriter(file, order.secrets)
        writer.write(_heading(order))
        start = file.tell()
        ending = _run(order, owner, writer)
        writer.close()
    failed = ending["reason"] == "timeout" or (ending["reason"] == "exited" and ending["code"] != 0)
    if failed and not ending.get("error"):
        ending["error"] = last_error(log.read_bytes()[start:])
    attempts.append(Path(order.record), {"number": order.attempt.number, "ended": attempts.now(), **ending})


def _run(order: Order, owner: IO[bytes], writer: LogWriter) -> dict[str, Any]:
    try:
        process = subprocess.Popen(
            order.command,
            env=dict(order.environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=trees.die_with_parent,
        )
    except OSError as error:
        return {"reason": "exited", "code": _BAD_USE, "error": f"{order.command[0]}: {error.strerror}"}
    copying = threading.Thread(target=_copy, args=(process.stdout, writer), daemon=True)
    copying.start()
    reason = _wait(process, order.timeout_s, owner)
    trees.end_descendants(_GRACE_S[reason])
    copying.join(timeout=_GRACE_S["stopped"])
    return {"reason": reason, "code": process.poll() if reason == "exited" else None}


def _wait(process: subprocess.Popen[bytes], timeout_s: float, owner: IO[bytes]) -> str:
    unwanted = threading.Event()
    threading.Thread(target=_await_end, args=(owner, unwanted), daemon=True).start()
    deadline = time.monotonic() + timeout_s
    while process.poll() is None:
        if unwanted.wait(_POLL_S):
            return "stopped"
        if time.monotonic() > deadline:
            return "timeout"
    return "exited"


def _await_end(owner: IO[bytes], ended: threading.Event) -> None:
    while os.read(owner.fileno(), 4096):  # a buffered read would not let this process end
        pass
    ended.set()


def _copy(source: IO[bytes], writer: LogWriter) -> None:
    descriptor = source.fileno()
    while data := os.read(descriptor, 65_536):
        writer.write(data.decode(errors="replace"))


def _heading(order: Order) -> str:
    attempt = order.attempt
    devices = f", devices {attempt.devices}" if attempt.devices else ""
    return (
        f"$ {mask(shlex.join(order.command), order.secrets)}\n"
        f"# attempt {attempt.number}, started {attempt.started} on {attempt.host}{devices}\n\n"
    )


if __name__ == "__main__":
    main()
