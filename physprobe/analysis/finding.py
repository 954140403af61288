"""What an analysis returns: a table that says where it comes from."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd


@dataclass(frozen=True)
class Finding:
    """One table of an analysis.

    Attributes:
        title: one line. table: plain columns (texts, whole numbers, floats with NaN for what is undefined);
            estimates stand with "low" and "high", their 95% interval, and with "n".
        counts: what n counts. interval: what makes the intervals. function: dotted name of what made it.
        notes: assumptions and omissions that a reader must know.
    """

    title: str
    table: pd.DataFrame
    counts: str
    interval: str
    function: str
    notes: tuple[str, ...] = ()


MODEL_T = "t interval over models"

_METHODS = {"bca": "BCa"}


def made_by(function: object) -> str:
    """Return the dotted name of a function."""
    return f"{getattr(function, '__module__', '')}.{getattr(function, '__qualname__', '')}"


def bootstrap_over(clusters: str, resamples: int, method: str = "percentile") -> str:
    """Say in words what made an interval: which clusters were drawn, how often, and by which method."""
    return f"bootstrap over {clusters} ({_METHODS.get(method, method)}, {resamples:,} resamples)"


def pair_bootstrap(resamples: int, method: str = "percentile") -> str:
    """Say in words what made an interval of conservationbench."""
    return bootstrap_over("pairs", resamples, method)
