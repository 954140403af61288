"""Examples of conservationbench: frames, prompt, and what a few models answered."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import pandas as pd

from physprobe.analysis.answers import Answers
from physprobe.analysis.controls import CONTROLS, IDK_TASKS
from physprobe.analysis.selection import FULL_TASK, STANDARD_TASKS, standard
from physprobe.analysis.static import STATIC_TASK
from physprobe.report.examples.clips import clip_pictures, frame_name
from physprobe.report.examples.samples import Asked, Sample, browsable, choose_models, questions
from physprobe.report.model import Answered, Example, Examples, Picture, ReportOptions

DATASET = "conservationbench"
_RECORD = "accuracy_overall"

_TASKS = {
    **dict.fromkeys(STANDARD_TASKS, "standard"),
    FULL_TASK: "all settings",
    STATIC_TASK: "last frame",
    **CONTROLS,
    **{task: f"“I don’t know” offered, {shown}" for task, shown in IDK_TASKS.items()},
}
_CLAIMS = {
    "same": "the same",
    "moved_more": "the moved one has more",
    "moved_less": "the moved one has less",
    "idk": "don’t know",
}
_ORDER = ("prompt_style", "extraction", "frame_count")
_COLUMNS = ("domain", "condition", "video_id", "media", "truth", "response", "correct")


def examples(answers: Answers, options: ReportOptions) -> Examples:
    """Make all questions browsable, with the answers of a few models.

    Args:
        answers: to conservationbench. options: ``example_models`` says whose answers; none: a few, spread
            over the ranking by accuracy.

    Raises:
        UserError: a model in ``options`` has no answers.
    """
    chosen = standard(answers.frame)
    models = choose_models(chosen if len(chosen) else answers.frame, options.example_models, "correct")
    asked = questions(answers, models, _RECORD, _COLUMNS, _ORDER, tuple(_TASKS))
    return browsable(answers, models, asked, _item, DATASET, partial(clip_pictures, DATASET))


def _item(asked: Asked, with_pictures: bool) -> Example:
    row, record = asked.first, asked.record
    return Example(
        key=str(row["question_id"]),
        facets={
            "task": _TASKS.get(str(row["task"]), str(row["task"]).removeprefix("conservation_")),
            "domain": str(row["domain"]),
            "condition": str(row["condition"]).replace("nonc", "non-c"),
            "prompt": str(row["prompt_style"]),
            "frames": f"{row['frame_count']} frames" if row["frame_count"] != 1 else "1 frame",
            "choice of frames": str(row["extraction"]),
        },
        prompt=str(record.get("prompt", "")),
        truth=_option(record, "answer") or _CLAIMS[str(row["truth"])],
        pictures=_pictures(row, record) if with_pictures else (),
        answers=tuple(_answered(model, row, asked.samples[model]) for model, row in asked.rows.items()),
    )


def _option(sample: Sample, name: str) -> str:
    letter, options = sample.get(name), sample.get("options") or ()
    place = ord(letter) - ord("A") if letter else -1
    return f"({letter}) {options[place]}" if 0 <= place < len(options) else ""


def _answered(model: str, row: Mapping[Any, Any], sample: Sample) -> Answered:
    unread = pd.isna(row["response"])
    parsed = "" if unread else _option(sample, "letter") or _CLAIMS[str(row["response"])]
    rule = f"read by rule “{sample['rule']}”" if sample.get("rule") and not unread else ""
    return Answered(model, sample.get("raw"), parsed, None if unread else bool(row["correct"]), rule)


def _pictures(row: Mapping[Any, Any], sample: Sample) -> tuple[Picture, ...]:
    """Name the frames that were shown; nothing was seen of others."""
    if str(row["media"]) not in ("frames", "image"):
        return ()
    video = str(row["video_id"])
    return tuple(
        Picture(frame_name(video, index), f"frame {index}") for index in sample.get("frame_indices") or ()
    )
