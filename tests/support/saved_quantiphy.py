"""Results folders of quantiphy tasks, from answers given in a test: no data set and no video is needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pandas as pd

from physprobe.harness.quantiphy.marking import mark
from physprobe.quantiphy.codes import read_codes
from tests.support.saved_answers import save_run

Row = Mapping[str, Any]

# Of a task with one category: no mean of four.
SCORES = ("mra_questions", "share_zero", "rate_invalid", "rate_unread")


def asked(
    number: int, video_type: str = "S2SX", inference: str = "SS", truth: float | None = 2.0, **changes: Any
) -> dict[str, Any]:
    """A row as a task hands it to ``mark``; three questions a video."""
    source = changes.get("video_source", "simulation")
    codes = read_codes(pd.Series([inference]), pd.Series([video_type]), pd.Series([source]))
    return {
        "question_id": f"q{number:03d}",
        "video_id": f"v{number // 3:03d}",
        "video_source": source,
        "video_type": video_type,
        "inference_type": inference,
        "fps": 24.0,
        "question": f"What is number {number} in m?",
        "prior": "diameter of the ball = 0.2 m",
        "depth_info": "",
        "truth": truth,
        "unit": "m",
        "unit_stated": True,
        "category": str(codes.category[0]),
        "background": str(codes.background[0]),
        "objects": str(codes.objects[0]),
        "source": "ours",
        "seen": True,
        "style": "direct",
        "factor": 1.0,
        **changes,
    }


def right(row: Row) -> str:
    return f"{row['truth']} {row['unit']}"


def save_quantiphy(
    folder: Path,
    model: str,
    tasks: Mapping[str, Sequence[Row]],
    answer: Callable[[Row], str] = right,
    **options: Any,
) -> Path:
    """Save one model's answers to some tasks, marked as the tasks do; return the results file."""
    told = partial(save_run, benchmark="quantiphy", scores=SCORES, marked=mark)
    with patch("physprobe.harness.quantiphy.videos.num_frames", return_value=12):
        return told(folder, model, tasks, answer, **options)
