"""What a reader of a table must know of single runs, and which of them can't stand beside the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from physprobe.results import Run

if TYPE_CHECKING:
    from rich.table import Table


@dataclass(frozen=True)
class Caveats:
    """Runs of one task, and what is to be said of them.

    Attributes:
        whole: runs that can be compared. apart: those that can't, for other questions were asked.
        said: sentences, each with the runs that it is about; they are marked (a), (b), ...
    """

    whole: tuple[Run, ...]
    apart: tuple[Run, ...]
    said: tuple[tuple[str, tuple[Run, ...]], ...]

    @property
    def runs(self) -> tuple[Run, ...]:
        """All runs, those that can be compared first."""
        return (*self.whole, *self.apart)

    def rows(self, table: Table) -> Iterator[tuple[Run, str]]:
        """Yield all runs with their marks, and draw a line before those that can't be compared."""
        for run in self.whole:
            yield run, self._mark(run)
        if self.apart:
            table.add_section()
        for run in self.apart:
            yield run, self._mark(run)

    def lines(self) -> list[str]:
        """Explain the marks."""
        return [f"({letter}) {text}" for letter, text, _ in self._lettered()]

    def _mark(self, run: Run) -> str:
        return "".join(f" ({letter})" for letter, _, about in self._lettered() if run in about)

    def _lettered(self) -> Iterator[tuple[str, str, tuple[Run, ...]]]:
        for number, (text, about) in enumerate(self.said):
            yield _letters(number), text, about


def caveats(runs: Sequence[Run], task: str, benchmark: str) -> Caveats:
    """Find what is to be said of runs of a task or group.

    Args:
        runs: that have scores of it. benchmark: whose it is, as results files name it.
    """
    asked = list(dict.fromkeys(leaf for run in runs for leaf in run.tasks(task)))
    reasons = {run.path: _why_apart(run, task, asked) for run in runs}
    apart = tuple(run for run in runs if reasons[run.path])
    found: dict[str, list[Run]] = {}
    for run in runs:
        told = (*reasons[run.path], *_damages(run, task), *_of_dataset(run, task, benchmark))
        for text in told:
            found.setdefault(text, []).append(run)
    whole = tuple(run for run in runs if run not in apart)
    return Caveats(whole, apart, tuple((text, tuple(about)) for text, about in found.items()))


def _why_apart(run: Run, task: str, asked: Sequence[str]) -> list[str]:
    count = run.count(task)
    missing = [leaf for leaf in asked if leaf not in run.tasks(task)]
    reasons = []
    if count.asked < count.whole:
        reasons.append(f"only {count.asked} of {count.whole} questions were asked (--limit): not comparable")
    if missing:
        reasons.append(f"without {', '.join(missing)}: not comparable with models that were asked these")
    return reasons


def _damages(run: Run, task: str) -> list[str]:
    found = filter(None, map(run.damage, run.tasks(task)))
    return [f"{damage}; the scores here are those that were saved with all answers" for damage in found]


def _of_dataset(run: Run, task: str, benchmark: str) -> list[str]:
    if benchmark in run.identified or _is_of_others(benchmark, task):
        return []
    return ["dataset unknown (no manifest.json was beside it): it may not be that of the others"]


def _is_of_others(benchmark: str, task: str) -> bool:
    """Whether a task asks a dataset that is not the benchmark's own."""
    from physprobe.analysis.layout import LAYOUTS, layout_of

    return benchmark in LAYOUTS and bool(layout_of(benchmark).dataset_of(task))


def _letters(number: int) -> str:
    """Count a, b, ..., z, aa, ab, ..."""
    rest, last = divmod(number, 26)
    return (_letters(rest - 1) if rest else "") + chr(ord("a") + last)
