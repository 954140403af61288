"""Worker processes that don't outlive the run that started them, whatever kills it."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import threading
from multiprocessing.connection import wait

_PR_SET_PDEATHSIG = 1


def die_with_parent() -> None:
    """Make this multiprocessing child end at once when its parent process ends, even by SIGKILL.

    Linux does it in the kernel, so a child deep in native code dies too. Elsewhere a thread watches.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent.pid:  # it died before the kernel knew
            os._exit(1)
        return
    threading.Thread(target=_watch, args=(parent.sentinel,), daemon=True).start()


def _watch(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
