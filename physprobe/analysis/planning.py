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
        at hand), n (pairs at hand).

    Raises:
        UserError: a model is unknown; fewer than two models; a difference outside (0, 100).
    """
    counted = tally(select(models_only(frame), over))
    for name in models:
        if name not in counted.models:
            raise unknown_name("model", name, counted.models)
    if len(counted.models) < 2 or len(models) not in (0, 2):
        raise UserError("power needs the results of two models or more; name two of them, or none for all")
    if not all(0 < points < 100 for points in differences):
        raise UserError("a difference is in points between 0 and 100")
    chosen = [counted.models.index(name) for name in models] or list(range(len(counted.models)))
    rows = [
        {"score": name, **planned}
        for score, name in _SCORES.items()
        for planned in _plan(_observe(counted.of(score)[:, chosen]), differences, level, alpha)
    ]
    notes = (
        "low (25%) and high (75%): quartiles of the correlation over all pairs of models, not an interval",
        "assumes two models about as good as these are on average; empty where they can't differ so much",
    )
    title = f"Pairs needed for power {level:g} at level {alpha:g}, {over} questions"
    interval = "none: a plan for a two-sided test"
    return (Finding(title, pd.DataFrame(rows), "pairs at hand", interval, made_by(power), notes),)


def _observe(sums: Float) -> _Observed:
    """Describe counts (C, M, 2); pairs that a model lacks are left out."""
    asked = sums[:, :, 1]
    whole = (asked > 0).all(axis=1)
    shares = sums[whole, :, 0] / asked[whole]
    if len(shares) < 2:
        raise UserError("power needs two pairs or more that all these models have answered")
    spread = shares.std(axis=0, ddof=1)
    varied = shares[:, spread > 0]
    matrix = np.corrcoef(varied, rowvar=False).reshape(varied.shape[1], varied.shape[1])
    found = matrix[np.triu_indices(len(matrix), 1)]
    names = {"observed": 0.5} if shares.shape[1] == 2 else _QUANTILES
    known = {name: float(np.quantile(found, q)) if len(found) else float("nan") for name, q in names.items()}
    binary = bool((asked[whole] == 1).all())
    return _Observed(float(shares.mean()), float(spread.mean()), len(shares), binary, known)


def _plan(
    seen: _Observed, differences: Sequence[float], level: float, alpha: float
) -> Iterator[dict[str, object]]:
    for name, value in seen.correlations.items():
        for points in differences:
            planner = _mcnemar if seen.binary else _t_test
            needed, now = planner(seen, value, points / 100, level, alpha)
            yield {
                **{"test": "McNemar" if seen.binary else "paired t", "correlation": name, "value": value},
                **{"points": points, "pairs_needed": needed, "power_now": now, "n": seen.n},
            }


def _mcnemar(
    seen: _Observed, phi: float, difference: float, level: float, alpha: float
) -> tuple[float, float]:
    low, high = seen.share - difference / 2, seen.share + difference / 2
    if np.isnan(phi) or low < 0 or high > 1:
        return float("nan"), float("nan")
    try:
        share = max(discordant_share(low, high, phi), difference)
    except ValueError:
        return float("nan"), float("nan")
    needed = pairs_needed(difference, share, power=level, alpha=alpha)
    return float(needed), power_of(seen.n, difference, share, alpha=alpha)


def _t_test(
    seen: _Observed, correlation: float, difference: float, level: float, alpha: float
) -> tuple[float, float]:
    deviation = seen.deviation * float(np.sqrt(2 * (1 - correlation)))
    if not deviation > 0 or not difference / 2 <= min(seen.share, 1 - seen.share):
        return float("nan"), float("nan")
    needed = pairs_needed_for_means(difference, deviation, power=level, alpha=alpha)
    return float(needed), power_for_means(seen.n, difference, deviation, alpha=alpha)
