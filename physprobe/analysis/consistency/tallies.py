"""Counts per scene family: all that scores of a model in a part of the data, and their intervals, need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from physprobe.consistency.metrics import SCORES, count_rows, score_totals
from physprobe.consistency.vocabulary import LABELS, SUITES
from physprobe.errors import UserError
from physprobe.statistics.bootstrap import Float, Method, cluster_bootstrap, cluster_sums, resample_totals


@dataclass(frozen=True)
class Tally:
    """Counts of one model.

    Attributes:
        families: names, sorted. sums: (F, WIDTH) of :func:`physprobe.consistency.metrics.count_rows`.
        n: answers.
    """

    families: tuple[str, ...]
    sums: Float
    n: int

    def values(self) -> dict[str, float]:
        """Return all scores, NaN over nothing."""
        return dict(zip(SCORES, score_totals(self.sums.sum(axis=0)).tolist(), strict=True))

    def drawn(self, resamples: int, seed: int) -> Float:
        """Return all scores of resamples of the families, (R, 11)."""
        return score_totals(resample_totals(self.sums, resamples, seed=seed))


def tally(frame: pd.DataFrame) -> Tally:
    """Count answers of one model, or of people.

    Raises:
        UserError: two answers to one question.
    """
    twice = frame[["run", "question_id"]].duplicated().to_numpy()
    if twice.any():
        double = frame.iloc[int(np.argmax(twice))]
        raise UserError(
            f"{double['model']} has two answers to question {double['question_id']!r}: give each run once"
        )
    families, sums = cluster_sums(frame["family_id"].astype(str).tolist(), _rows(frame))
    return Tally(families, sums, len(frame))


def suites_of(frame: pd.DataFrame) -> list[str]:
    """Name the suites that were asked, in their order.

    Raises:
        UserError: none was.
    """
    there = set(frame["suite"].astype(str))
    if not there:
        raise UserError("these results hold no answers to physical_consistency")
    return [suite for suite in SUITES if suite in there]


def parts(
    frame: pd.DataFrame, by: Sequence[str] = ("model", "suite")
) -> Iterator[tuple[tuple[str, ...], pd.DataFrame]]:
    """Yield the answers of each combination of levels that occurs, with its levels, in order."""
    for levels, part in frame.groupby(list(by), observed=True, sort=True):
        yield tuple(map(str, levels)), part


def estimates(
    counted: Tally, columns: Mapping[str, str], *, resamples: int, seed: int, method: Method = "percentile"
) -> dict[str, float]:
    """Return scores with bounds, as cells of a row.

    Args:
        columns: score -> its column.

    Returns:
        For each column its value, and "COLUMN_low" and "COLUMN_high".
    """
    places = [SCORES.index(score) for score in columns]
    found = cluster_bootstrap(
        counted.sums,
        lambda totals: score_totals(totals)[..., places],
        resamples=resamples,
        seed=seed,
        method=method,
    )
    cells: dict[str, float] = {}
    for name, value, low, high in zip(columns.values(), *found, strict=True):
        cells |= {name: float(value), f"{name}_low": float(low), f"{name}_high": float(high)}
    return cells


def _rows(frame: pd.DataFrame) -> Float:
    truth, predicted = (_places(frame[name]) for name in ("category", "predicted"))
    says = frame["says_consistent"]
    decision = np.where(says.isna(), 2, np.where(says.fillna(False).astype(bool), 0, 1))
    return count_rows(
        truth,
        predicted,
        decision.astype(np.intp),
        frame["iou"].to_numpy(dtype=np.float64),
        frame["invalid"].to_numpy(dtype=bool),
    )


def _places(labels: pd.Series) -> np.ndarray:
    """Return places in LABELS, one past the end where there is none."""
    known = {label: place for place, label in enumerate(LABELS)}
    return np.array([known.get(label, len(LABELS)) for label in labels.astype(object)], dtype=np.intp)
