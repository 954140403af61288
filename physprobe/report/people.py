"""The report's section on people, the same for all benchmarks."""

from __future__ import annotations

from functools import partial

from physprobe.analysis.answers import Answers
from physprobe.analysis.layout import people_only
from physprobe.analysis.people.study import findings_on_people
from physprobe.analysis.people.table import People
from physprobe.report.model import Content, ReportOptions, Section, section


def people_section(answers: Answers, benchmark: str, people: People, options: ReportOptions) -> Section:
    """Make the section on people's answers to a benchmark.

    Args:
        answers: loaded with those of people.
    """
    return section("people", "People", partial(_content, answers, benchmark, people, options))


def _content(answers: Answers, benchmark: str, people: People, options: ReportOptions) -> Content:
    findings = findings_on_people(answers, benchmark, people, **options.bootstrap)
    frame = people_only(answers.frame)
    text = (
        f"{frame['participant'].nunique()} people gave {len(frame):,} answers to "
        f"{frame['question_id'].nunique():,} questions. They stand as “people” in the tables above, and here "
        "one by one; they are part of no mean over models."
    )
    return text, findings, ()
