"""Which answers an analysis looks at."""

from __future__ import annotations

from typing import Literal

import pandas as pd

from physprobe.analysis.quantiphy.schema import PUBLIC_TASK, STANDARD_TASKS
from physprobe.errors import UserError

Over = Literal["ours", "public"]

TITLES = {"ours": "our questions", "public": "the public validation questions"}

# Of a video, and of the questions on it, without its background.
_SEGMENTED = "_segmented"


def select(frame: pd.DataFrame, over: Over = "ours") -> pd.DataFrame:
    """Choose the scored answers in the standard condition.

    Args:
        frame: of :class:`~physprobe.analysis.answers.Answers`. over: our questions on whole videos, or the
            public validation questions.

    Raises:
        UserError: there are none.
    """
    tasks = STANDARD_TASKS if over == "ours" else (PUBLIC_TASK,)
    chosen = scored(frame[frame["task"].isin(tasks)])
    if chosen.empty:
        task = "quantiphy" if over == "ours" else PUBLIC_TASK
        raise UserError(
            f"these results hold no answers to {task}: evaluate with --tasks {task} --log_samples"
        )
    return chosen


def scored(frame: pd.DataFrame) -> pd.DataFrame:
    """Leave out answers to questions without a known truth, or of no category."""
    return frame[frame["mra"].notna()]


def control(frame: pd.DataFrame, task: str) -> pd.DataFrame:
    """Choose the scored answers to one control task; may be empty."""
    return scored(frame[frame["task"] == task])


def whole(names: pd.Series) -> pd.Series:
    """Name videos or questions as those with the background."""
    return names.astype(str).str.replace(_SEGMENTED, "", regex=False)
