"""Examples of quantiphy: frames, question with its prior, and what a few models answered."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import pandas as pd

from physprobe.analysis.answers import Answers
from physprobe.analysis.quantiphy.schema import PUBLIC_TASK, STANDARD_TASKS
from physprobe.conservation.frames import uniform_indices
from physprobe.quantiphy.submission import RECORD
from physprobe.report.examples.clips import clip_pictures, frame_name
from physprobe.report.examples.samples import Asked, Sample, browsable, choose_models, questions
from physprobe.report.model import Answered, Example, Examples, Picture, ReportOptions

DATASET = "quantiphy"
_SHOWN_FRAMES = 8
_COLUMNS = (
    *("video_id", "category", "background", "objects", "style", "shown", "told", "factor", "kind", "unit"),
    *("prediction", "truth", "mra"),
)


def examples(answers: Answers, options: ReportOptions) -> Examples:
    """Make all questions browsable, with the answers of a few models.

    Args:
        answers: to quantiphy. options: ``example_models`` says whose answers; none: a few, spread over the
            ranking by MRA.

    Raises:
        UserError: a model in ``options`` has no answers.
    """
    models = choose_models(answers.frame, options.example_models, "mra")
    asked = questions(answers, models, RECORD, _COLUMNS, ("video_id",), (*STANDARD_TASKS, PUBLIC_TASK))
    return browsable(answers, models, asked, _item, DATASET, partial(clip_pictures, DATASET))


def _item(asked: Asked, with_pictures: bool) -> Example:
    row, record = asked.first, asked.record
    truth = row["truth"]
    return Example(
        key=str(row["question_id"]),
        facets={
            "task": str(row["task"]).removeprefix("quantiphy_").replace("_", " "),
            "category": _word(row["category"]),
            "background": _word(row["background"]),
            "objects": _word(row["objects"]),
            "asked for": _word(row["kind"]),
            "prompt": str(row["style"]),
            "shown": str(row["shown"]) + ("" if row["told"] else ", no prior"),
        },
        prompt=str(record.get("prompt", "")),
        truth="withheld" if pd.isna(truth) else f"{truth:g} {row['unit']}",
        pictures=_pictures(row, record) if with_pictures else (),
        answers=tuple(_answered(model, row, asked.samples[model]) for model, row in asked.rows.items()),
    )


def _word(value: object) -> str:
    return "–" if pd.isna(value) or value == "" else str(value)  # type: ignore[call-overload]


def _answered(model: str, row: Mapping[Any, Any], sample: Sample) -> Answered:
    value = row["prediction"]
    parsed = "" if pd.isna(value) else f"{value:g} {row['unit']}"
    score = "" if pd.isna(row["mra"]) else f"MRA {row['mra']:.2f}"
    return Answered(model, sample.get("raw"), parsed, None, score)


def _pictures(row: Mapping[Any, Any], record: Sample) -> tuple[Picture, ...]:
    """Name a few of the frames that were shown, spread evenly."""
    shown = record.get("frame_indices") or []
    if len(shown) > _SHOWN_FRAMES:
        shown = [shown[place] for place in uniform_indices(len(shown), _SHOWN_FRAMES)]
    video = str(row["video_id"])
    return tuple(Picture(frame_name(video, index), f"frame {index}") for index in shown)
