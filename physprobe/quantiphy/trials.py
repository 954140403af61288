"""Several trials of one model on the same questions, at a temperature above 0 (paper appendix A.1)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from physprobe.errors import UserError
from physprobe.quantiphy.metrics import Items, is_invalid, item_mra
from physprobe.quantiphy.official import macro_mra


@dataclass(frozen=True)
class Trials:
    """What K trials agree and disagree on.

    Attributes:
        macro: (K,) headline MRA of each trial, NaN where a category is empty.
        mean, spread: of ``macro``: mean, and standard deviation over trials (K - 1 in the denominator).
        item_spread: mean over questions of the standard deviation of an item's MRA over trials.
        failure_rate: share of answers, over all trials, that are unread or zero.
        ever_failed, always_failed: share of questions that failed in at least one, or in all trials.
    """

    macro: NDArray[np.float64]
    mean: float
    spread: float
    item_spread: float
    failure_rate: float
    ever_failed: float
    always_failed: float

    def as_json(self) -> dict[str, Any]:
        """Return the fields, None for what is undefined."""
        numbers = {name: value for name, value in vars(self).items() if name != "macro"}
        known = {name: None if math.isnan(value) else value for name, value in numbers.items()}
        return {"macro": [None if math.isnan(value) else value for value in self.macro.tolist()], **known}


def summarise_trials(trials: Sequence[Items], ids: Sequence[ArrayLike]) -> Trials:
    """Compare trials of one model.

    Args:
        trials: K >= 2, each over the same questions. ids: of each trial's questions, (N,) str each.

    Raises:
        UserError: fewer than two trials, a question twice in a trial, or trials over different questions.
    """
    if len(trials) < 2:
        raise UserError("a spread needs at least two trials")
    names = [np.asarray(each, dtype=np.str_) for each in ids]
    orders = [np.argsort(each, kind="stable") for each in names]
    first = names[0][orders[0]]
    if len(np.unique(first)) < len(first):
        raise UserError("a question occurs twice in the first trial: trials can't be matched")
    for number, (each, order) in enumerate(zip(names, orders, strict=True), 1):
        if not np.array_equal(each[order], first):
            raise UserError(f"trial {number} answers other questions than the first: trials can't be matched")
    ordered = [trial.select(order) for trial, order in zip(trials, orders, strict=True)]
    failed = np.stack([is_invalid(trial) for trial in ordered])
    mra = np.stack([item_mra(trial) for trial in ordered])
    macro = np.array([macro_mra(trial.prediction, trial.truth, trial.codes.category) for trial in ordered])
    scored = mra[:, ~np.isnan(mra[0])]
    return Trials(
        macro=macro,
        mean=float(macro.mean()),
        spread=float(macro.std(ddof=1)),
        item_spread=float(scored.std(axis=0, ddof=1).mean()) if scored.size else float("nan"),
        failure_rate=float(failed.mean()),
        ever_failed=float(failed.any(axis=0).mean()),
        always_failed=float(failed.all(axis=0).mean()),
    )
