"""How responses change when what is shown is taken away (paper section 4.3, Figure 3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

import numpy as np
import pandas as pd

from physprobe.statistics.bootstrap import cluster_bootstrap, cluster_sums


def transition_table(
    truth: Sequence[str],
    standard: Sequence[str],
    control: Sequence[str],
    clusters: Sequence[str],
    *,
    order: Sequence[str] = (),
    resamples: int = 10_000,
    seed: int = 0,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Cross standard responses with those to the same questions under a control, for each truth.

    Assumptions: clusters (pairs) are independent; the intervals speak of other pairs and the same models.

    Args:
        truth, standard, control: (N,) labels, one entry per model and question. clusters: (N,) pair ids.
        order: of the labels in the table; others follow, sorted.
        resamples, seed, confidence: see :func:`physprobe.statistics.bootstrap.cluster_bootstrap`.

    Returns:
        One row per truth, standard response (or "any") and control response that occur: count; share, among
        the answers with this truth and standard response, with low and high; n, what it is a share of. The
        rows with standard "any" are the paper's percentages: what is answered under the control, by truth.
    """
    data = pd.DataFrame({"truth": truth, "standard": standard, "control": control}, dtype=str)
    truths, standards, controls = (_in_order(data[name].unique(), order) for name in data.columns)
    groups = [(t, s) for t in truths for s in ("any", *standards)]
    inside = {
        (t, s): ((data["truth"] == t) & ((data["standard"] == s) | (s == "any"))).to_numpy()
        for t, s in groups
    }
    groups = [group for group in groups if inside[group].any()]
    answered = {c: (data["control"] == c).to_numpy() for c in controls}
    rows = list(product(groups, controls))
    counted = [inside[group] & answered[c] for group, c in rows] + [inside[group] for group, _ in rows]
    _, sums = cluster_sums(clusters, np.column_stack(counted))
    found = cluster_bootstrap(sums, resamples=resamples, seed=seed, confidence=confidence)
    totals = sums.sum(axis=0).astype(int)
    return pd.DataFrame(
        {
            "truth": [t for (t, _), _ in rows],
            "standard": [s for (_, s), _ in rows],
            "control": [c for _, c in rows],
            "count": totals[: len(rows)],
            "share": found.value,
            "low": found.low,
            "high": found.high,
            "n": totals[len(rows) :],
        }
    )


def _in_order(labels: Iterable[str], order: Sequence[str]) -> list[str]:
    there = set(labels)
    return [*(label for label in order if label in there), *sorted(there.difference(order))]
