"""How the MRA of single questions is spread (paper appendix A.3, Figure 10)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from physprobe.analysis.finding import Finding, bootstrap_over, made_by
from physprobe.analysis.quantiphy.selection import TITLES, Over, select
from physprobe.analysis.quantiphy.tallies import THRESHOLDS
from physprobe.statistics.bootstrap import cluster_bootstrap, cluster_sums

LEVELS = np.arange(THRESHOLDS + 1) / THRESHOLDS
_QUARTILES = {"lower_quartile": 0.25, "median": 0.5, "upper_quartile": 0.75}


def distribution(
    frame: pd.DataFrame, over: Over = "ours", *, resamples: int = 10_000, seed: int = 0
) -> tuple[Finding, ...]:
    """Describe the distribution of each model's item MRA, which is one of 0, 0.1, ..., 1.

    Returns:
        Two findings. Models, the highest mean first: model, n, mean and zero (share of questions with MRA 0),
        each with low and high, quartiles (the lowest level that at least that share does not exceed). And
        model, level, count, share, n.
    """
    chosen = select(frame, over)
    rows, levels = [], []
    for model, part in chosen.groupby("model", observed=True, sort=True):
        met = np.rint(part["mra"].to_numpy(dtype=np.float64) * THRESHOLDS).astype(np.int64)
        counts = np.bincount(met, minlength=len(LEVELS))
        rows.append({"model": model, **_described(part, met, counts, resamples, seed)})
        shares = {"count": counts, "share": counts / len(part), "n": len(part)}
        levels.append(pd.DataFrame({"model": str(model), "level": LEVELS, **shares}))
    order = pd.DataFrame(rows).sort_values("mean", ascending=False, kind="stable")
    where = (bootstrap_over("videos", resamples), made_by(distribution))
    notes = ("mean: over questions, and not over categories as in the leaderboard",)
    return (
        Finding(
            f"Distribution of item MRA, {TITLES[over]}",
            order.reset_index(drop=True),
            "questions",
            *where,
            notes,
        ),
        Finding("Questions by item MRA", pd.concat(levels, ignore_index=True), "questions", "none", where[1]),
    )


def _described(
    part: pd.DataFrame, met: np.ndarray, counts: np.ndarray, resamples: int, seed: int
) -> dict[str, object]:
    ones = np.ones(len(part))
    _, sums = cluster_sums(
        part["video_id"].astype(str).tolist(), np.stack([met / 1, met == 0, ones, ones], axis=1)
    )
    value, low, high = cluster_bootstrap(sums, resamples=resamples, seed=seed)
    reached = np.cumsum(counts) / len(part)
    quartiles = {name: float(LEVELS[np.argmax(reached >= share)]) for name, share in _QUARTILES.items()}
    return {
        "n": len(part),
        **{
            f"mean{end}": bound[0] / THRESHOLDS
            for end, bound in (("", value), ("_low", low), ("_high", high))
        },
        **quartiles,
        **{f"zero{end}": bound[1] for end, bound in (("", value), ("_low", low), ("_high", high))},
    }
