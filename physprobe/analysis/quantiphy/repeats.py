"""How much answers change from one trial to the next (paper appendix A.1)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from physprobe.analysis.finding import Finding, made_by
from physprobe.analysis.quantiphy.selection import TITLES, Over, select
from physprobe.errors import UserError
from physprobe.quantiphy.codes import Codes
from physprobe.quantiphy.metrics import Items
from physprobe.quantiphy.trials import summarise_trials


def repeats(frame: pd.DataFrame, over: Over = "ours") -> tuple[Finding, ...]:
    """Compare several runs of a model on the same questions.

    Args:
        frame: of Answers loaded with ``reruns``.

    Returns:
        One finding: model, trials, mra (mean of their headline MRA), spread (its standard deviation over
        trials), lowest, highest, item_spread (mean over questions of the standard deviation of an item's
        MRA), invalid (share of answers unread or zero), ever_invalid, always_invalid (shares of questions),
        n (questions).

    Raises:
        UserError: no model has two runs, or its runs are over different questions.
    """
    chosen = select(frame, over)
    rows = []
    for model, part in chosen.groupby("model", observed=True, sort=True):
        runs = [run for _, run in part.groupby("run")]
        if len(runs) < 2:
            continue
        found = summarise_trials([_items(run) for run in runs], [run["question_id"] for run in runs])
        rows.append(
            {
                **{"model": str(model), "trials": len(runs), "mra": found.mean, "spread": found.spread},
                **{"lowest": found.macro.min(), "highest": found.macro.max()},
                **{"item_spread": found.item_spread, "invalid": found.failure_rate},
                **{"ever_invalid": found.ever_failed, "always_invalid": found.always_failed},
                "n": len(runs[0]),
            }
        )
    if not rows:
        raise UserError("no model has two runs of these questions: evaluate again with another --seed")
    notes = ("spread and item_spread: standard deviations over trials, K - 1 in the denominator",)
    title = f"Several trials, {TITLES[over]}"
    return (Finding(title, pd.DataFrame(rows), "questions", "none", made_by(repeats), notes),)


def _items(run: pd.DataFrame) -> Items:
    def texts(name: str) -> np.ndarray:
        return run[name].astype(str).to_numpy(dtype=np.str_)

    codes = Codes(texts("category"), texts("background"), texts("objects"))
    prediction, truth = (run[name].to_numpy(dtype=np.float64) for name in ("prediction", "truth"))
    return Items(run["video_id"].astype(str).to_numpy(dtype=object), prediction, truth, codes)
