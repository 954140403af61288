"""What a person sees of a sweep: a live table on a terminal, else a line for each change; and a summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from physprobe.sweep.attempts import Attempt, seconds_between
from physprobe.sweep.states import JobState, State, Watch
from physprobe.text import duration, quantity

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live
    from rich.table import Table

# Worth a row each; of the others only the number is shown.
_SHOWN: tuple[State, ...] = ("running", "to be repeated", "failed")
_ORDER: tuple[State, ...] = (*_SHOWN, "waiting", "finished", "finished before")


class Display:
    """Shows the states of the jobs as they change."""

    def __init__(self, watch: Watch, console: Console) -> None:
        """Show on ``console`` what ``watch`` sees."""
        self.states: list[JobState] = watch.look({})
        self._watch, self._console = watch, console
        self._live: Live | None = None

    @contextmanager
    def showing(self) -> Iterator[None]:
        """Keep the table on the screen in this block."""
        from rich.live import Live

        if not self._console.is_terminal:
            yield
            return
        with Live(
            table(self.states),
            console=self._console,
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        ) as self._live:
            yield

    def look(self, outcomes: Mapping[str, Attempt]) -> None:
        """Look again and show what has changed."""
        before, self.states = self.states, self._watch.look(outcomes)
        if self._live is not None:
            self._live.update(table(self.states), refresh=True)
            return
        for old, new in zip(before, self.states, strict=True):
            if (old.state, old.tries) != (new.state, new.tries):
                self._console.print(change(new), markup=False, highlight=False, soft_wrap=True)


def table(states: Sequence[JobState]) -> Table | str:
    """Return what is running and what has failed, and how many jobs are in which state."""
    from rich.table import Table

    if not any(state.state in _SHOWN for state in states):
        return counts(states)
    shown = Table(caption=counts(states))
    for heading in ("job", "state"):
        shown.add_column(heading, no_wrap=heading == "job")
    for heading in ("answered", "time", "attempt", "GPUs"):
        shown.add_column(heading, justify="right", no_wrap=True)
    for state in sorted(states, key=lambda each: _ORDER.index(each.state)):
        if state.state in _SHOWN:
            shown.add_row(
                state.job.name, state.state, _answered(state), duration(state.seconds), *_where(state)
            )
    return shown


def counts(states: Sequence[JobState]) -> str:
    """Say how many jobs are in which state."""
    found = Counter(state.state for state in states)
    return ", ".join(f"{found[name]} {name}" for name in _ORDER if found[name])


def change(state: JobState) -> str:
    """Say in a line what has become of a job."""
    line = f"{state.job.name}: {state.state}"
    if state.state in ("running", "to be repeated"):
        line += f" (attempt {state.tries} of {state.job.settings.retries + 1})"
    if state.state in ("finished", "failed", "to be repeated") and state.seconds:
        line += f" after {duration(state.seconds)}"
    error = explanation(state.attempt) if state.state in ("failed", "to be repeated") else ""
    return f"{line}: {error}" if error else line


def explanation(attempt: Attempt | None) -> str:
    """Say why an attempt failed."""
    if attempt is None:
        return ""
    if attempt.reason == "timeout":
        ran = duration(seconds_between(attempt.started, attempt.ended))
        return f"ended at its limit, after {ran} (timeout_hours); its last line: {attempt.error or 'none'}"
    if attempt.reason == "stopped":
        return "what watched it was killed, or lost with its machine"
    if attempt.code is not None and attempt.code < 0:
        return f"killed by signal {-attempt.code}; its last line: {attempt.error or 'none'}"
    return attempt.error or f"exit code {attempt.code}"


def summary(states: Sequence[JobState], again: str) -> list[str]:
    """Return the lines that tell at the end what failed, where its log is, and how to run it again.

    Args:
        states: of all jobs. again: the command that runs what is missing.
    """
    lines = [f"{quantity(len(states), 'job')}: {counts(states)}"]
    failed = [state for state in states if state.state == "failed"]
    for state in failed:
        lines.append(f"failed: {state.job.name}: {explanation(state.attempt)}")
        if state.attempt is not None and state.attempt.log:
            lines.append(f"  its log: {state.attempt.log}")
    if failed:
        lines.append(f"to run what is missing: {again}")
    return lines


def _answered(state: JobState) -> str:
    return f"{state.progress.done:,} of {state.progress.total:,}" if state.progress else "-"


def _where(state: JobState) -> tuple[str, str]:
    devices = state.attempt.devices if state.attempt else ""
    return f"{state.tries} of {state.job.settings.retries + 1}", devices or "-"
