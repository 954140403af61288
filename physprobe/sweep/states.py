"""In which state each job of a sweep is, read from the records of their attempts."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from physprobe.sweep import attempts
from physprobe.sweep.attempts import Attempt
from physprobe.sweep.jobs import Job
from physprobe.sweep.progress import AnswerCounter, Progress

State = Literal["waiting", "running", "to be repeated", "finished", "finished before", "failed"]


@dataclass(frozen=True)
class JobState:
    """One job now.

    Attributes:
        job: which. state: in which it is. attempt: the last of this sweep; None before the first.
        tries: attempts of this sweep. progress: of a running job; None when not known.
    """

    job: Job
    state: State
    attempt: Attempt | None = None
    tries: int = 0
    progress: Progress | None = None

    @property
    def seconds(self) -> float:
        """How long the last attempt has been running, or ran."""
        if self.attempt is None:
            return 0.0
        return attempts.seconds_between(self.attempt.started, self.attempt.ended or attempts.now())


class Watch:
    """Looks at the jobs of a sweep."""

    def __init__(self, jobs: Sequence[Job], finished_before: Collection[str]) -> None:
        """Watch ``jobs``, of which those named were finished by an earlier sweep."""
        self._jobs, self._before = jobs, frozenset(finished_before)
        self._earlier = {job.name: len(attempts.read(job.attempts)) for job in jobs}
        self._counters: dict[str, tuple[int, AnswerCounter]] = {}

    def look(self, outcomes: Mapping[str, Attempt]) -> list[JobState]:
        """Return the state of each job.

        Args:
            outcomes: how jobs have ended for good, by name.
        """
        return [self._look(job, outcomes.get(job.name)) for job in self._jobs]

    def _look(self, job: Job, outcome: Attempt | None) -> JobState:
        if job.name in self._before:
            return JobState(job, "finished before")
        tried = attempts.read(job.attempts)[self._earlier[job.name] :]
        if outcome is not None:
            state: State = "finished" if outcome.succeeded else "failed"
            return JobState(job, state, outcome, len(tried))
        if not tried:
            return JobState(job, "waiting")
        if tried[-1].ended:
            return JobState(job, _before_word(tried, job), tried[-1], len(tried))
        return JobState(job, "running", tried[-1], len(tried), self._progress(job, tried[-1]))

    def _progress(self, job: Job, attempt: Attempt) -> Progress | None:
        if self._counters.get(job.name, (0,))[0] != attempt.number:
            since = attempts.timestamp(attempt.started)
            self._counters[job.name] = attempt.number, AnswerCounter(job.folder, since)
        return self._counters[job.name][1].look()


def _before_word(tried: Sequence[Attempt], job: Job) -> State:
    """Return the state of a job whose last attempt has ended, before Ray has said so."""
    if tried[-1].succeeded:
        return "running"  # its marker is still to be written
    stopped = tried[-1].reason == "stopped"  # not by us, but with the process or machine that watched it
    again = (tried[-1].may_be_repeated or stopped) and len(tried) <= job.settings.retries
    return "to be repeated" if again else "failed"
