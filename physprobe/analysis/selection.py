"""Which answers an analysis looks at."""

from __future__ import annotations

from typing import Literal

import pandas as pd

from physprobe.conservation.vocabulary import DOMAINS
from physprobe.errors import UserError

Over = Literal["standard", "full"]

FULL_TASK = "conservation_full"

# The tasks of the standard condition, one a domain.
STANDARD_TASKS: tuple[str, ...] = tuple(f"conservation_{domain}" for domain in DOMAINS)

GROUPS = {"helpful": ("number", "length"), "mandatory": ("volume", "size")}
GROUP_TITLES = {"helpful": "number and length", "mandatory": "volume and size"}


def select(frame: pd.DataFrame, over: Over) -> pd.DataFrame:
    """Choose the answers of the standard condition, or all those of the full task.

    Args:
        frame: of :class:`~physprobe.analysis.answers.Answers`. over: "standard" (7 uniform frames, direct
            prompt; from the domain tasks, or from the full task where a model has not answered those), or
            "full" (every prompt style, frame count and extraction).

    Raises:
        UserError: there are none.
    """
    chosen = standard(frame) if over == "standard" else frame[frame["task"] == FULL_TASK]
    if chosen.empty:
        task = FULL_TASK if over == "full" else "conservation"
        raise UserError(
            f"these results hold no answers to {task}: evaluate with --tasks {task} --log_samples"
        )
    return chosen


def standard(frame: pd.DataFrame) -> pd.DataFrame:
    """Choose each model's answers in the standard condition; may be empty."""
    asked = (
        frame["task"].isin([*STANDARD_TASKS, FULL_TASK])
        & (frame["prompt_style"] == "direct")
        & (frame["frame_count"] == 7)
        & (frame["extraction"] == "uniform")
    )
    chosen = frame[asked]
    own = chosen["task"] != FULL_TASK
    domains = chosen["model"].astype(str) + "/" + chosen["domain"].astype(str)
    return chosen[own | ~domains.isin(domains[own])]


def control(frame: pd.DataFrame, task: str) -> pd.DataFrame:
    """Choose the answers to one control task.

    Raises:
        UserError: there are none.
    """
    chosen = frame[frame["task"] == task]
    if chosen.empty:
        raise UserError(
            f"these results hold no answers to {task}: evaluate with --tasks {task} --log_samples"
        )
    return chosen


def domains_in(frame: pd.DataFrame) -> list[str]:
    """List the domains that occur, in the order of the benchmark."""
    there = set(frame["domain"].unique())
    return [domain for domain in DOMAINS if domain in there]
