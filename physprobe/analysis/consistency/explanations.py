"""Whether explanations are right, by the panel's ratings (section 6)."""

from __future__ import annotations

import pandas as pd

from physprobe.analysis.consistency.tallies import parts, suites_of
from physprobe.analysis.finding import Finding, bootstrap_over, made_by
from physprobe.consistency.rubric import RATINGS
from physprobe.errors import UserError
from physprobe.statistics.bootstrap import cluster_bootstrap, cluster_sums


def explanations(frame: pd.DataFrame, *, resamples: int = 10_000, seed: int = 0) -> tuple[Finding, ...]:
    """Say how often a majority of judges calls an explanation of a violated image correct.

    Args:
        frame: of Answers.

    Returns:
        One finding: model, suite, n (rated images), correct with low and high, partial, incorrect, split
        (shares), unrated (violated images without a rating).

    Raises:
        UserError: nothing is rated.
    """
    suites_of(frame)
    rows = []
    for (model, suite), part in parts(frame[frame["iou"].notna()]):
        rating = part["rating"].astype(object)
        rated = part[rating.isin([*RATINGS, "split"])]
        if len(rated):
            cells = _shares(rated, resamples, seed)
            rows.append(
                {"model": model, "suite": suite, "n": len(rated), **cells, "unrated": len(part) - len(rated)}
            )
    if not rows:
        raise UserError(
            "no explanations are rated: configure judges (PHYSPROBE_JUDGES or PHYSPROBE_JUDGE_URL) and "
            "evaluate physical_consistency with --log_samples; kept answers are used again"
        )
    return (
        Finding(
            "Explanations, rated by a panel of judges",
            pd.DataFrame(rows),
            "violated images whose explanation is rated",
            bootstrap_over("scene families", resamples),
            made_by(explanations),
            (
                "a rating needs more than half of the judges; split: none has; no explanation is incorrect",
                "judges are models that see texts, not images",
            ),
        ),
    )


def _shares(rated: pd.DataFrame, resamples: int, seed: int) -> dict[str, float]:
    rating = rated["rating"].astype(object)
    rows = [[float(each == "correct"), 1.0] for each in rating]
    _, sums = cluster_sums(rated["family_id"].astype(str).tolist(), rows)
    found = cluster_bootstrap(sums, resamples=resamples, seed=seed)
    value, low, high = (float(each[0]) for each in found)
    others = {name: float((rating == name).mean()) for name in ("partial", "incorrect", "split")}
    return {"correct": value, "correct_low": low, "correct_high": high, **others}
