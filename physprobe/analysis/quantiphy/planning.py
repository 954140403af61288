"""How many videos a study needs, given how the models at hand go together."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from physprobe.analysis.finding import Finding, made_by
from physprobe.analysis.layout import models_only
from physprobe.analysis.planning import DIFFERENCES, NO_INTERVAL, NOTES, chosen_models, plan
from physprobe.analysis.quantiphy.selection import TITLES, Over, select
from physprobe.analysis.quantiphy.tallies import tally


def power(
    frame: pd.DataFrame,
    over: Over = "ours",
    *,
    differences: Sequence[float] = DIFFERENCES,
    models: Sequence[str] = (),
    level: float = 0.8,
    alpha: float = 0.05,
) -> tuple[Finding, ...]:
    """Say how many videos are needed to see a difference of d points of MRA between two models.

    As :func:`physprobe.analysis.planning.power`, with videos for pairs: a paired t test of each video's mean
    MRA is planned for, with as many questions on a video as here.

    Returns:
        One finding: score, test, correlation (which), value, points, videos_needed, power_now (with the
        videos at hand), n (videos at hand), and remark as there.

    Raises:
        UserError: as there.
    """
    counted = tally(select(models_only(frame), over))
    sums = {"mra_questions": counted.of_questions()[:, chosen_models(counted.models, models)]}
    table = plan(sums, differences, level, alpha, "videos")
    title = f"Videos needed for power {level:g} at level {alpha:g}, {TITLES[over]}"
    return (Finding(title, table, "videos at hand", NO_INTERVAL, made_by(power), NOTES),)
