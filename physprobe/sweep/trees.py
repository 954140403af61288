"""Trees of processes that die as a whole, also where some have started sessions of their own (Linux)."""

from __future__ import annotations

import ctypes
import signal
import sys
from contextlib import suppress

import psutil

_SET_CHILD_SUBREAPER, _SET_DEATH_SIGNAL = 36, 1  # of prctl(2)
_LAST_WAIT_S = 5.0


def adopt_orphans() -> None:
    """Become the parent of descendants whose own parent dies, so that none gets lost."""
    _prctl(_SET_CHILD_SUBREAPER, 1)


def die_with_parent() -> None:
    """Have this process killed when its parent dies, however that comes about."""
    _prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)


def take_signals() -> None:
    """Block no signal: what starts us may have done so, and children inherit it."""
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    signal.signal(signal.SIGINT, signal.default_int_handler)


def end_descendants(grace_s: float) -> None:
    """End all descendants of this process: politely, then after ``grace_s`` seconds by force."""
    _signal_all(signal.SIGTERM)
    psutil.wait_procs(_descendants(), timeout=grace_s)
    _signal_all(signal.SIGKILL)
    psutil.wait_procs(_descendants(), timeout=_LAST_WAIT_S)


def _signal_all(number: signal.Signals) -> None:
    for process in _descendants():
        with suppress(psutil.NoSuchProcess):
            process.send_signal(number)


def _descendants() -> list[psutil.Process]:
    return psutil.Process().children(recursive=True)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
