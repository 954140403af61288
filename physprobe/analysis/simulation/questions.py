"""The questions that simulated models are asked: the paper's 23,040, and the controls."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import NamedTuple

import pandas as pd

from physprobe.conservation.vocabulary import (
    CONDITIONS,
    DOMAINS,
    FRAME_COUNTS,
    PROMPT_STYLES,
    TRANSFORMATION,
)

PAIRS_PER_DOMAIN = 48

# The paper's three ways to pick frames (section 3.3).
EXTRACTIONS = ("uniform", "model", "human")


class Control(NamedTuple):
    """A task beside the full one: what is shown, whether "I don't know" is offered."""

    task: str
    media: str
    idk: bool


FULL = Control("conservation_full", "frames", False)
CONTROLS = (
    Control("conservation_empty_image", "white", False),
    Control("conservation_text_only", "nothing", False),
    Control("conservation_idk", "frames", True),
    Control("conservation_idk_empty_image", "white", True),
    Control("conservation_idk_text_only", "nothing", True),
)
STATIC = Control("conservation_static", "image", False)


def questions() -> pd.DataFrame:
    """Return all questions of one model, task by task: 23,040 of the full task and 2,112 of controls.

    Returns:
        task, question_id, pair_id, video_id, domain, condition, prompt_style, frame_count, extraction, media,
        idk_offered, truth, and "transformation" (helpful, mandatory). Half of each domain's non-conserving
        clips gain.
    """
    full = _asked(product(PROMPT_STYLES, FRAME_COUNTS, EXTRACTIONS), FULL)
    standard = [_asked([("direct", 7, "uniform")], control) for control in CONTROLS]
    static = _asked([("static", 1, "last")], STATIC)
    static = static[static["transformation"] == "helpful"]
    return pd.concat([full, *standard, static], ignore_index=True)


def _asked(settings: Iterable[tuple[str, int, str]], control: Control) -> pd.DataFrame:
    clips = _clips()
    setting = pd.DataFrame(list(settings), columns=["prompt_style", "frame_count", "extraction"])
    asked = clips.merge(setting, how="cross")
    style, count, way = (asked[name].astype(str) for name in setting)
    return asked.assign(
        task=control.task,
        question_id=asked["video_id"]
        + "__"
        + (style if control is STATIC else style + "_" + count + "_" + way),
        media=control.media,
        idk_offered=control.idk,
    )


def _clips() -> pd.DataFrame:
    rows = []
    for domain, number, condition in product(DOMAINS, range(PAIRS_PER_DOMAIN), CONDITIONS):
        pair = f"{domain}_simulated_{number:02d}"
        changed = "moved_more" if number % 2 == 0 else "moved_less"
        rows.append(
            {
                "pair_id": pair,
                "video_id": f"{pair}_{condition}",
                "domain": domain,
                "condition": condition,
                "truth": "same" if condition == "conserving" else changed,
                "transformation": TRANSFORMATION[domain],
            }
        )
    return pd.DataFrame(rows)
