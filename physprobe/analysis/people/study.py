"""All that can be said of people's answers to the benchmarks at hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from physprobe.analysis.answers import Answers, load_answers
from physprobe.analysis.finding import Finding
from physprobe.analysis.layout import LAYOUTS, layout_of
from physprobe.analysis.people.agreement import box_agreement, people
from physprobe.analysis.people.marking import true_boxes
from physprobe.analysis.people.table import People


def people_findings(
    places: Iterable[Path], given: People, *, resamples: int = 10_000, seed: int = 0
) -> Iterator[tuple[Answers, tuple[Finding, ...]]]:
    """Score people and measure their agreement, for each benchmark that they answered.

    Args:
        places: with models' answers to the same questions, as for
            :func:`physprobe.analysis.answers.load_answers`. given: people's answers.

    Yields:
        For each benchmark the answers of models and people, and findings on people.

    Raises:
        UserError: models' answers are missing, or people were asked other questions.
    """
    known = list(places)
    for benchmark in LAYOUTS:
        if not given.to(benchmark):
            continue
        answers = load_answers(known, benchmark, people=given, unreadable=True, limited=True)
        yield answers, findings_on_people(answers, benchmark, given, resamples=resamples, seed=seed)


def findings_on_people(
    answers: Answers, benchmark: str, given: People, *, resamples: int = 10_000, seed: int = 0
) -> tuple[Finding, ...]:
    """Score people and measure their agreement on one benchmark, with their boxes if they drew any.

    Args:
        answers: to the benchmark, loaded with those of people. given: people's answers.
    """
    findings = people(answers, benchmark, resamples=resamples, seed=seed)
    return (*findings, *_boxes(answers, benchmark, given, resamples, seed))


def _boxes(answers: Answers, benchmark: str, given: People, resamples: int, seed: int) -> tuple[Finding, ...]:
    drawn = given.to(benchmark)
    if not any(answer.box for answer in drawn):
        return ()
    truths = true_boxes(layout_of(benchmark), given, answers.sources)
    return (box_agreement(drawn, truths, resamples=resamples, seed=seed),)
