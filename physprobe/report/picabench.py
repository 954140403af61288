"""The report's part on PICABench."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pandas as pd

from physprobe.analysis.answers import Answers
from physprobe.analysis.picabench.leaderboard import by_factor, leaderboard, majority
from physprobe.report.figures.common import ranking
from physprobe.report.model import Content, Figure, Reference, ReportOptions, Section, Strip, section
from physprobe.report.wording import percent
from physprobe.text import quantity

STRIPS = (Strip("accuracy"), Strip("iou"))


def sections(answers: Answers, options: ReportOptions) -> Iterator[Section]:
    """Make the sections, in the order of the page; those that lack answers say what to run.

    Args:
        answers: to PICABench.
    """
    yield section("leaderboard", "Leaderboard", partial(_leaderboard, answers.frame, options), STRIPS)
    yield section("factors", "By what is asked", partial(_factors, answers.frame, options))


def _leaderboard(frame: pd.DataFrame, options: ReportOptions) -> Content:
    findings = leaderboard(frame, **options.bootstrap)
    table = findings[0].table
    best, always = table.iloc[0], majority(frame)
    text = (
        f"{best['model']} is first: {percent(best['accuracy'])} of {quantity(best['n'], 'question')} on "
        f"{quantity(best['images'], 'edited image')} answered rightly, where always saying the same gets "
        f"{percent(always)}."
    )
    if pd.notna(best["iou"]):
        text += f" Its boxes overlap the annotated ones with a mean IoU of {best['iou']:.2f}."
    always_same = (Reference("always the same", always),)
    figure = Figure(
        "leaderboard",
        "Models by accuracy",
        "Dots: models. Bars: 95% intervals over edited images. Dashed: what always saying the same gets.",
        partial(ranking, table=table, scores=[("accuracy", "accuracy", always_same), ("iou", "box IoU", ())]),
        shown=False,
    )
    return text, findings, (figure,)


def _factors(frame: pd.DataFrame, options: ReportOptions) -> Content:
    findings = by_factor(frame, **options.bootstrap)
    text = (
        "What the questions are about: the law that an edit may break, how hard it is, and the kind of edit."
    )
    return text, findings, ()
