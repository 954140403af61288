"""Make many items in worker processes; an item that fails or kills its worker doesn't stop the others."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import FrameType

from generation.core.orphans import die_with_parent
from generation.core.progress import ItemProgress
from generation.core.raw import RawWriter, flush
from physprobe.errors import UserError

_NAMED = 4  # failed items in the closing line


@dataclass(frozen=True)
class Item:
    """One unit of work. It is pickled to a worker process.

    Attributes:
        key: names the item; also its folder.
        make: writes the item's files into the given empty folder; a pure function of what it was built from.
        check: raises when the files in the given folder are not what they should be.
    """

    key: str
    make: Callable[[Path], None]
    check: Callable[[Path], None]


@dataclass(frozen=True)
class Failure:
    """Why an item is missing: one line, and the worker's traceback if it lived to tell."""

    key: str
    reason: str
    trace: str = ""


@dataclass(frozen=True)
class Summary:
    """What a run did: items made now, items found finished, seconds."""

    made: int
    reused: int
    seconds: float


class RunFailed(UserError):
    """Some items could not be made; the others are there."""

    exit_code = 1


class _WorkerTrace(Exception):
    """Carries a worker's traceback text to ``--debug``."""


def available_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_items(
    raw: RawWriter, items: Sequence[Item], workers: int, setup: Callable[[], None] | None = None
) -> Summary:
    """Make the items that ``raw`` lacks.

    Args:
        raw: where they go; see :func:`generation.core.raw.writing`.
        items: all items of the run; keys are unique.
        workers: worker processes, >= 1. The result doesn't depend on it.
        setup: called once in each worker before its first item (threads, renderer); pickled.

    Raises:
        RunFailed: after every item was tried; names the failed ones.
    """
    todo = [item for item in items if not raw.is_complete(item.key)]
    reused = len(items) - len(todo)
    with _on_signal(signal.SIGTERM, _leave), ItemProgress(len(items), reused) as progress:
        failures = _Pool(raw, progress, setup).run(todo, workers)
        if failures:
            raise _failed(failures, len(items))
        return Summary(len(todo), reused, progress.seconds)


def _failed(failures: Sequence[Failure], total: int) -> RunFailed:
    names = "; ".join(f"{failure.key} ({failure.reason})" for failure in failures[:_NAMED])
    more = f"; and {len(failures) - _NAMED} more, listed above" if len(failures) > _NAMED else ""
    head = f"{len(failures)} of {total} items failed: {names}{more}"
    error = RunFailed(f"{head}. The same command tries only these again")
    traces = [f"{failure.key}\n{failure.trace}" for failure in failures if failure.trace]
    error.__cause__ = _WorkerTrace("\n" + "\n".join(traces)) if traces else None
    return error


def _leave(number: int, frame: FrameType | None) -> None:
    """End the run on SIGTERM like Ctrl-C does: workers stopped, scratch removed, then exit code 143."""
    signal.signal(number, signal.SIG_IGN)  # a second one, as timeout(1) sends, must not break the clean-up
    print("error: terminated; the same command continues", file=sys.stderr)
    sys.exit(128 + number)


@contextmanager
def _on_signal(
    number: signal.Signals, handler: Callable[[int, FrameType | None], None] | int
) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():  # Python allows handlers only there
        yield
        return
    previous = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, previous)


class _Worker:
    """A process that makes one item after another, and the parent's end of its pipe."""

    def __init__(self, setup: Callable[[], None] | None) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, setup), daemon=True)
        # Inherited by the worker: Ctrl-C reaches the whole process group, but only the parent decides.
        with _on_signal(signal.SIGINT, signal.SIG_IGN):
            self.process.start()
        theirs.close()  # so that the pipe ends when the worker dies
        self.item: Item | None = None
        self.folder: Path | None = None

    def assign(self, item: Item, folder: Path) -> None:
        self.item, self.folder = item, folder
        # A worker that died idle breaks the pipe; collect() then tells which item it cost.
        with suppress(OSError):
            self.pipe.send((item, folder))

    def collect(self) -> Failure | None:
        """Return how the current item ended; the worker is unusable if it died."""
        assert self.item is not None
        try:
            failure: Failure | None = self.pipe.recv()
        except (EOFError, OSError):
            self.process.join()
            return Failure(self.item.key, f"its worker {_death(self.process.exitcode)}")
        return failure

    def stop(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _death(exit_code: int | None) -> str:
    if exit_code is not None and exit_code < 0:
        name = signal.Signals(-exit_code).name
        return f"was killed by {name}" + (" (out of memory?)" if name == "SIGKILL" else "")
    return f"died with exit code {exit_code}"


class _Pool:
    """Hands items to workers and puts finished ones in place."""

    def __init__(self, raw: RawWriter, progress: ItemProgress, setup: Callable[[], None] | None) -> None:
        self._raw, self._progress, self._setup = raw, progress, setup
        self._workers: list[_Worker] = []
        self._failures: list[Failure] = []

    def run(self, items: Sequence[Item], workers: int) -> list[Failure]:
        queue = deque(items)
        try:
            while queue or self._workers:
                while queue and len(self._workers) < workers:
                    self._workers.append(_Worker(self._setup))
                    self._assign(self._workers[-1], queue)
                ready = wait([worker.pipe for worker in self._workers])
                for worker in [worker for worker in self._workers if worker.pipe in ready]:
                    self._finish(worker, queue)
        finally:
            for worker in self._workers:
                worker.stop()
        return self._failures

    def _assign(self, worker: _Worker, queue: deque[Item]) -> None:
        item = queue.popleft()
        worker.assign(item, self._raw.begin(item.key))
        self._progress.started(item.key)

    def _finish(self, worker: _Worker, queue: deque[Item]) -> None:
        assert worker.item is not None
        assert worker.folder is not None
        key = worker.item.key
        failure = worker.collect() or self._commit(key, worker.folder)
        self._progress.finished(key, failure.reason if failure else "")
        if failure:
            self._failures.append(failure)
            shutil.rmtree(worker.folder, ignore_errors=True)
        if queue and worker.process.is_alive():
            self._assign(worker, queue)
        else:
            self._workers.remove(worker)
            worker.stop()

    def _commit(self, key: str, folder: Path) -> Failure | None:
        try:
            self._raw.commit(key, folder)
        except OSError as error:
            return _describe(key, error)
        return None


def _serve(pipe: Connection, setup: Callable[[], None] | None) -> None:
    die_with_parent()
    ready = setup is None
    while True:
        try:
            item, folder = pipe.recv()
        except EOFError:
            return
        try:
            if not ready and setup is not None:
                setup()
            ready = True
            item.make(folder)
            item.check(folder)
            flush(folder)
        except Exception as error:
            pipe.send(_describe(item.key, error))
        else:
            pipe.send(None)


def _describe(key: str, error: Exception) -> Failure:
    reason = str(error) if isinstance(error, UserError) else f"{type(error).__name__}: {error}"
    return Failure(key, " ".join(reason.split()), traceback.format_exc())
