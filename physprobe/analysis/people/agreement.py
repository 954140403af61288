"""How well people do, and how far they agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from importlib import import_module
from itertools import combinations

import numpy as np
import pandas as pd

from physprobe.analysis.answers import Answers
from physprobe.analysis.finding import Finding, bootstrap_over, made_by
from physprobe.analysis.layout import Layout, layout_of, people_only
from physprobe.analysis.people.table import Box, PersonAnswer
from physprobe.statistics.agreement import fleiss_kappa
from physprobe.statistics.bootstrap import cluster_bootstrap, cluster_sums

# IoU from which on two boxes count as the same.
OVERLAPS = (0.5, 0.75)

# Benchmark -> what ranks its models; it ranks people as well.
_RANKINGS = {
    "conservation": "physprobe.analysis.leaderboard",
    "quantiphy": "physprobe.analysis.quantiphy.leaderboard",
    "consistency": "physprobe.analysis.consistency.suites",
}
_ALL = "all"


def people(
    answers: Answers, benchmark: str, *, resamples: int = 10_000, seed: int = 0
) -> tuple[Finding, ...]:
    """Score each participant as a model is scored, and measure how far participants agree.

    Args:
        answers: loaded with people's. benchmark: which.

    Returns:
        The benchmark's ranking, of participants; then, where answers are one of a few claims, Fleiss' kappa
        (all, and by the layout's grouping): group, kappa with low and high, agreement (share of pairs of
        answers that agree), raters, n (questions); where they are numbers, how far they are apart: spread
        (standard deviation over participants of log10 of the answer, mean over questions) with low and high,
        factor (10 ** spread), raters (mean), n (questions).
    """
    layout, frame = layout_of(benchmark), people_only(answers.frame)
    ranked = frame.assign(model=frame["participant"].astype("category"))
    ranking = import_module(_RANKINGS[benchmark]).leaderboard
    (scores, *_) = ranking(ranked, resamples=resamples, seed=seed)
    agreed = _claims(layout, frame, resamples, seed) if layout.claim else _numbers(frame, resamples, seed)
    count = frame["participant"].nunique()
    named = Finding(
        f"{count} participants, scored as models are",
        scores.table.rename(columns={"model": "participant"}),
        scores.counts,
        scores.interval,
        made_by(people),
        scores.notes,
    )
    return (named, agreed)


def _claims(layout: Layout, frame: pd.DataFrame, resamples: int, seed: int) -> Finding:
    claims = frame[layout.claim].astype(object).where(~frame["unread"], "unread")
    groups = [(_ALL, frame.index)]
    if layout.grouping:
        parts = frame.groupby(layout.grouping, observed=True, sort=True)
        groups += [(str(name), part.index) for name, part in parts]
    rows, left = [], 0
    for name, index in groups:
        table = pd.crosstab(frame.loc[index, "question_id"].astype(str), claims[index])
        raters, complete = _complete(table)
        left = max(left, len(table) - len(complete))
        if raters < 2:
            continue
        found = fleiss_kappa(complete.to_numpy(), resamples=resamples, seed=seed)
        told = asdict(found)
        items = told.pop("items")
        rows.append({"group": name, **told, "n": items})
    columns = ["group", "kappa", "low", "high", "agreement", "raters", "n"]
    notes = (f"{left} questions were answered by another number of people and are left out",) if left else ()
    return Finding(
        "Agreement of people (Fleiss' kappa)",
        pd.DataFrame(rows, columns=columns),
        "questions",
        bootstrap_over("questions", resamples),
        made_by(people),
        ("an unread answer is a claim of its own", *notes),
    )


def _complete(table: pd.DataFrame) -> tuple[int, pd.DataFrame]:
    """Keep the questions that the most frequent number of people, at least two, answered."""
    answered = table.sum(axis=1)
    several = answered[answered > 1]
    if several.empty:
        return 0, table.iloc[:0]
    raters = int(several.mode().max())
    return raters, table[answered == raters]


def _numbers(frame: pd.DataFrame, resamples: int, seed: int) -> Finding:
    size = frame["prediction"].abs().where(lambda value: value > 0)
    logs = np.log10(size).groupby(frame["question_id"].astype(str))
    apart = pd.DataFrame({"spread": logs.std(ddof=1), "raters": logs.count()})
    apart = apart[apart["raters"] > 1]
    video = frame["video_id"].astype(str).groupby(frame["question_id"].astype(str)).first()
    table = pd.DataFrame(columns=["spread", "low", "high", "factor", "raters", "n"])
    if len(apart):
        rows = np.column_stack([apart["spread"], np.ones(len(apart))])
        _, sums = cluster_sums(video[apart.index].tolist(), rows)
        value, low, high = (
            float(bound[0]) for bound in cluster_bootstrap(sums, resamples=resamples, seed=seed)
        )
        row = {"spread": value, "low": low, "high": high, "factor": 10**value}
        table = pd.DataFrame([{**row, "raters": float(apart["raters"].mean()), "n": len(apart)}])
    return Finding(
        "How far people's numbers are apart",
        table,
        "questions that two or more people answered",
        bootstrap_over("videos", resamples),
        made_by(people),
        ("spread: standard deviation over people of log10 of the answer; 0.3 is a factor of two",),
    )


def box_agreement(
    answers: Sequence[PersonAnswer], truths: Mapping[str, Box], *, resamples: int = 10_000, seed: int = 0
) -> Finding:
    """Compare people's boxes with each other, and with the true ones.

    Args:
        answers: of people to one benchmark; those without a box do not count. truths: question -> true box.

    Returns:
        against ("people" or "truth"), mean IoU, and the shares of pairs of boxes with an IoU of at least 0.5
        and 0.75 (each question counts the same), with low and high, pairs, n (questions).
    """
    boxes: dict[str, list[Box]] = {}
    for answer in answers:
        if answer.box:
            boxes.setdefault(answer.question_id, []).append(answer.box)
    between = {name: list(combinations(drawn, 2)) for name, drawn in boxes.items()}
    against = {
        name: [(box, truths[name]) for box in drawn] for name, drawn in boxes.items() if name in truths
    }
    rows = [
        *_overlap_row("people", between, resamples, seed),
        *_overlap_row("truth", against, resamples, seed),
    ]
    return Finding(
        "Agreement of boxes (IoU)",
        pd.DataFrame(rows),
        "questions",
        bootstrap_over("questions", resamples),
        made_by(box_agreement),
    )


def _overlap_row(
    name: str, pairs: Mapping[str, Sequence[tuple[Box, Box]]], resamples: int, seed: int
) -> Iterator[dict[str, object]]:
    from physprobe.consistency.boxes import iou

    known = {question: found for question, found in pairs.items() if found}
    if not known:
        return
    overlaps = [np.array([iou(*pair) for pair in found]) for found in known.values()]
    means = np.array([[o.mean(), *((o >= least).mean() for least in OVERLAPS)] for o in overlaps])
    value, low, high = cluster_bootstrap(
        np.hstack([means, np.ones_like(means)]), resamples=resamples, seed=seed
    )
    row: dict[str, object] = {"against": name}
    for k, heading in enumerate(("iou", *(f"iou_{least:g}" for least in OVERLAPS))):
        row |= {heading: value[k], f"{heading}_low": low[k], f"{heading}_high": high[k]}
    yield {**row, "pairs": sum(len(found) for found in known.values()), "n": len(known)}
