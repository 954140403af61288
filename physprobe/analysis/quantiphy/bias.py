"""Are answers too large or too small?"""

from __future__ import annotations

from dataclasses import asdict

import pandas as pd

from physprobe.analysis.finding import Finding, bootstrap_over, made_by
from physprobe.analysis.quantiphy.schema import KINDS
from physprobe.analysis.quantiphy.selection import TITLES, Over, select
from physprobe.statistics.calibration import signed_log_ratio

_ALL = "all"


def bias(
    frame: pd.DataFrame, over: Over = "ours", *, resamples: int = 10_000, seed: int = 0
) -> tuple[Finding, ...]:
    """Measure by which factor answers are off on average, and how far single ones are.

    As in the MRA, the sign of an answer does not count.

    Returns:
        One finding, all quantities and then each: quantity, model, log_ratio (mean of log10(answer / truth))
        with low and high, factor (10 ** log_ratio), spread (standard deviation of the log ratio), over (share
        of answers above the truth), n, excluded (unread or zero).
    """
    chosen = select(frame, over)
    rows = []
    for kind in (_ALL, *KINDS):
        part = chosen if kind == _ALL else chosen[chosen["kind"] == kind]
        for model, answers in part.groupby("model", observed=True, sort=True):
            videos = answers["video_id"].astype(str).tolist()
            found = signed_log_ratio(
                answers["prediction"].abs(), answers["truth"], videos, resamples=resamples, seed=seed
            )
            rows.append({"quantity": kind, "model": str(model), **asdict(found)})
    table = pd.DataFrame(rows).rename(columns={"share_over": "over"})
    return (
        Finding(
            f"Bias of answers, {TITLES[over]}",
            table,
            "answers that are read and not zero",
            bootstrap_over("videos", resamples),
            made_by(bias),
            ("log_ratio 0: unbiased; 0.3: twice too large; spread 0.3: typically off by a factor of two",),
        ),
    )
