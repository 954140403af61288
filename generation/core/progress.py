"""Progress of a run on standard error: a live bar on a terminal, one line per item elsewhere."""

from __future__ import annotations

import sys
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from physprobe.text import duration


class ItemProgress:
    """Counts items, with the ones in work, the pace and the time left."""

    def __init__(self, total: int, done: int = 0) -> None:
        """Prepare the count.

        Args:
            total: items of the run.
            done: how many of them were there before.
        """
        self._total, self._before, self._done = total, done, done
        self._running: dict[str, float] = {}
        console = Console(stderr=True)
        self._live = console.is_terminal
        self._bar = Progress(
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[pace]}"),
            TextColumn("[dim]{task.description}"),
            console=console,
            disable=not self._live,
        )
        self._start = self._bar.get_time()
        self._task = self._bar.add_task("", total=total, completed=done, pace="")

    def __enter__(self) -> ItemProgress:
        """Show the bar."""
        self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, trace: TracebackType | None) -> None:
        """Leave the bar as it is."""
        self._bar.stop()

    @property
    def seconds(self) -> float:
        """Time since the start."""
        return self._bar.get_time() - self._start

    def started(self, key: str) -> None:
        """Note that an item is in work."""
        self._running[key] = self.seconds
        self._refresh()

    def finished(self, key: str, failure: str = "") -> None:
        """Note that an item ended, and why it failed if it did."""
        took = self.seconds - self._running.pop(key)
        self._done += 1
        self._refresh()
        if failure:
            self._say(f"{key} FAILED: {failure}")
        elif not self._live:
            self._say(f"{key} in {duration(took)}, {self._pace()}")

    def _say(self, line: str) -> None:
        counted = f"[{self._done}/{self._total}] {line}"
        if self._live:
            self._bar.console.print(counted, markup=False, highlight=False)
        else:
            print(counted, file=sys.stderr, flush=True)

    def _pace(self) -> str:
        made = self._done - self._before
        if not made:
            return ""
        each = self.seconds / made
        return f"{60 / each:.1f} items/min, {duration(each * (self._total - self._done))} left"

    def _refresh(self) -> None:
        self._bar.update(
            self._task, completed=self._done, description=" ".join(self._running), pace=self._pace()
        )
