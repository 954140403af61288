"""Scores by what is asked for: quantity, unit, and type of inference."""

from __future__ import annotations

import pandas as pd

from physprobe.analysis.finding import Finding, bootstrap_over, made_by
from physprobe.analysis.quantiphy.selection import TITLES, Over, select
from physprobe.analysis.quantiphy.tallies import Tally, score_table, tally

# Column -> its heading. Inference: given and asked quantity, each static (S, a size) or dynamic (D).
_FACTORS = {"kind": "quantity", "inference": "inference", "unit": "unit"}
_SHOWN = ("mra_questions", "unread")


def by_kind(
    frame: pd.DataFrame, over: Over = "ours", *, resamples: int = 10_000, seed: int = 0
) -> tuple[Finding, ...]:
    """Score models by the quantity asked for, the type of inference, and the unit of the answer.

    Returns:
        Two findings, the mean over models and each model: asked (which of the three), level, model, n,
        videos, mra_questions and unread with low and high.
    """
    chosen = select(frame, over)
    where = (bootstrap_over("videos", resamples), made_by(by_kind))
    notes = (
        "inference: given and asked quantity, S static (a size), D dynamic (a velocity or acceleration)",
        "questions of one unit or kind differ in more than that",
    )
    return (
        Finding(
            f"Mean over models by what is asked, {TITLES[over]}",
            _table(chosen, True, resamples, seed),
            "answers",
            *where,
            notes,
        ),
        Finding(
            f"Models by what is asked, {TITLES[over]}",
            _table(chosen, False, resamples, seed),
            "questions",
            *where,
        ),
    )


def _table(chosen: pd.DataFrame, pool: bool, resamples: int, seed: int) -> pd.DataFrame:
    made = []
    for column, heading in _FACTORS.items():
        for level, part in chosen.groupby(column, observed=True, sort=True):
            counted: Tally = tally(part)
            table = score_table(counted.pooled() if pool else counted, _SHOWN, resamples=resamples, seed=seed)
            table.insert(0, "level", level)
            table.insert(0, "asked", heading)
            made.append(table.drop(columns="model") if pool else table)
    return pd.concat(made, ignore_index=True)
