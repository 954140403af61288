"""How many pairs a study needs, given how the models at hand go together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from physprobe.analysis.finding import Finding, made_by
from physprobe.analysis.layout import models_only
from physprobe.analysis.selection import Over, select
from physprobe.analysis.tallies import tally
from physprobe.errors import UserError, unknown_name
from physprobe.statistics.bootstrap import Float
from physprobe.statistics.power import (
    discordant_share,
    pairs_needed,
    pairs_needed_for_means,
    power_for_means,
    power_of,
)

DIFFERENCES = (1.0, 2.0, 5.0, 10.0, 15.0, 20.0)
_SCORES = {"accuracy_strict_pair": "strict_pair", "accuracy_overall": "accuracy"}
NO_INTERVAL = "none: a plan for a two-sided test"
NOTES = (
    "low (25%) and high (75%): quartiles of the correlation over all pairs of models, not an interval",
    "assumes two models about as good as these are on average",
)
_QUANTILES = {"low (25%)": 0.25, "median": 0.5, "high (75%)": 0.75}


@dataclass(frozen=True)
class _Observed:
    """Scores of models on pairs, and how they go together.

    Attributes:
        share, deviation: means over models of a score and of its standard deviation over pairs. n: pairs.
        binary: whether each pair is simply right or wrong. correlations: by name.
    """

    share: float
    deviation: float
    n: int
    binary: bool
    correlations: Mapping[str, float]


def power(
    frame: pd.DataFrame,
    over: Over = "standard",
    *,
    differences: Sequence[float] = DIFFERENCES,
    models: Sequence[str] = (),
    level: float = 0.8,
    alpha: float = 0.05,
) -> tuple[Finding, ...]:
    """Say how many pairs are needed to see a difference of d points between two models.

    The correlation over pairs between the two models' scores is taken from what was observed: for two named
    models theirs, else the quartiles over all pairs of models. Where a pair is simply right or wrong (strict
    pair accuracy in one setting) McNemar's test is planned for, else a paired t test of the pair's mean.

    Args:
        frame: of Answers. differences: in points (percent). models: two names, or none for all. level: power.
            alpha: two-sided.

    Returns:
        One finding: score, test, correlation (which), value, points, pairs_needed, power_now (with the pairs
        at hand), n (pairs at hand), and, where nothing can be said of some, remark (why, in words).

    Raises:
        UserError: a model is unknown; fewer than two models; a difference outside (0, 100).
    """
    counted = tally(select(models_only(frame), over))
    chosen = chosen_models(counted.models, models)
    sums = {name: counted.of(score)[:, chosen] for score, name in _SCORES.items()}
    table = plan(sums, differences, level, alpha)
    title = f"Pairs needed for power {level:g} at level {alpha:g}, {over} questions"
    return (Finding(title, table, "pairs at hand", NO_INTERVAL, made_by(power), NOTES),)


def chosen_models(known: Sequence[str], named: Sequence[str]) -> list[int]:
    """Return the places of two named models, or of all.

    Raises:
        UserError: a model is unknown; fewer than two models; another number of names.
    """
    for name in named:
        if name not in known:
            raise unknown_name("model", name, known)
    if len(known) < 2 or len(named) not in (0, 2):
        raise UserError("power needs the results of two models or more; name two of them, or none for all")
    return [known.index(name) for name in named] or list(range(len(known)))


def plan(
    sums: Mapping[str, Float], differences: Sequence[float], level: float, alpha: float, unit: str = "pairs"
) -> pd.DataFrame:
    """Say for each score and difference how many clusters two models must be compared on.

    Args:
        sums: score -> (C, M, 2), what counts for it in each cluster and model, and out of how many.
        differences, level, alpha: as for :func:`power`. unit: what a cluster is.

    Raises:
        UserError: a difference outside (0, 100); fewer than two clusters that all models have.
    """
    if not all(0 < points < 100 for points in differences):
        raise UserError("a difference is in points between 0 and 100")
    rows = [
        {"score": name, **planned}
        for name, each in sums.items()
        for planned in _plan(_observe(each, unit), differences, level, alpha)
    ]
    table = pd.DataFrame(rows).rename(columns={"pairs_needed": f"{unit}_needed"})
    return table if table["remark"].any() else table.drop(columns="remark")


def _observe(sums: Float, unit: str) -> _Observed:
    """Describe counts (C, M, 2); clusters that a model lacks are left out."""
    asked = sums[:, :, 1]
    whole = (asked > 0).all(axis=1)
    shares = sums[whole, :, 0] / asked[whole]
    if len(shares) < 2:
        raise UserError(f"power needs two {unit} or more that all these models have answered")
    spread = shares.std(axis=0, ddof=1)
    varied = shares[:, spread > 0]
    matrix = np.corrcoef(varied, rowvar=False).reshape(varied.shape[1], varied.shape[1])
    found = matrix[np.triu_indices(len(matrix), 1)]
    names = {"observed": 0.5} if shares.shape[1] == 2 else _QUANTILES
    known = {name: float(np.quantile(found, q)) if len(found) else float("nan") for name, q in names.items()}
    binary = bool((asked[whole] == 1).all() and np.isin(shares, (0, 1)).all())
    return _Observed(float(shares.mean()), float(spread.mean()), len(shares), binary, known)


def _plan(
    seen: _Observed, differences: Sequence[float], level: float, alpha: float
) -> Iterator[dict[str, object]]:
    for name, value in seen.correlations.items():
        for points in differences:
            planner = _mcnemar if seen.binary else _t_test
            try:
                (needed, now), remark = planner(seen, value, points / 100, level, alpha), ""
            except _Unknowable as error:
                needed, now, remark = float("nan"), float("nan"), str(error)
            yield {
                **{"test": "McNemar" if seen.binary else "paired t", "correlation": name, "value": value},
                **{"points": points, "pairs_needed": needed, "power_now": now, "n": seen.n},
                "remark": remark,
            }


class _Unknowable(Exception):
    """Why nothing can be said of a difference."""


def _check_room(seen: _Observed, correlation: float, difference: float) -> None:
    if np.isnan(correlation):
        raise _Unknowable("fewer than two of these models have scores that vary: no correlation is known")
    if difference / 2 > min(seen.share, 1 - seen.share):
        raise _Unknowable(
            f"with a mean score of {seen.share:.1%} two models can't differ that much around it"
        )


def _mcnemar(
    seen: _Observed, phi: float, difference: float, level: float, alpha: float
) -> tuple[float, float]:
    _check_room(seen, phi, difference)
    low, high = seen.share - difference / 2, seen.share + difference / 2
    try:
        share = max(discordant_share(low, high, phi), difference)
    except ValueError as error:
        raise _Unknowable("two models that differ that much can't go together so closely") from error
    needed = pairs_needed(difference, share, power=level, alpha=alpha)
    return float(needed), power_of(seen.n, difference, share, alpha=alpha)


def _t_test(
    seen: _Observed, correlation: float, difference: float, level: float, alpha: float
) -> tuple[float, float]:
    _check_room(seen, correlation, difference)
    deviation = seen.deviation * float(np.sqrt(2 * (1 - correlation)))
    if not deviation > 0:
        raise _Unknowable("these models go together wholly: their difference does not vary")
    needed = pairs_needed_for_means(difference, deviation, power=level, alpha=alpha)
    return float(needed), power_for_means(seen.n, difference, deviation, alpha=alpha)
