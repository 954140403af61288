"""Examples of physical consistency: the image with true and predicted boxes, and a few models' diagnoses."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import pandas as pd

from physprobe.analysis.answers import Answers
from physprobe.analysis.consistency.schema import TASKS
from physprobe.consistency.metrics import SCORES
from physprobe.consistency.vocabulary import SUITES, label_name
from physprobe.report.examples.clips import image_pictures
from physprobe.report.examples.samples import Asked, Sample, browsable, choose_models, questions
from physprobe.report.figures.common import shortened
from physprobe.report.model import Answered, Box, Example, Examples, Picture, ReportOptions

DATASET = "physical-consistency"
_CONFIG = "default"
_COLUMNS = ("suite", "category", "mechanism", "predicted", "says_consistent", "iou", "correct")


def examples(answers: Answers, options: ReportOptions) -> Examples:
    """Make all images browsable, with the diagnoses of a few models.

    Args:
        answers: to physical consistency. options: ``example_models`` says whose answers; none: a few, spread
            over the ranking by right categories.

    Raises:
        UserError: a model in ``options`` has no answers.
    """
    models = choose_models(answers.frame, options.example_models, "correct")
    asked = questions(answers, models, SCORES[0], _COLUMNS, ("category",), TASKS)
    splits = [f"test_{suite}" for suite in SUITES]
    pictures = partial(image_pictures, DATASET, _CONFIG, splits, "image_id")
    return browsable(answers, models, asked, _item, DATASET, pictures)


def _item(asked: Asked, with_picture: bool) -> Example:
    row, record = asked.first, asked.record
    said = record.get("explanation")
    return Example(
        key=str(row["question_id"]),
        facets={
            "suite": str(row["suite"]),
            "category": label_name(str(row["category"])),
            "mechanism": "–" if pd.isna(row["mechanism"]) else str(row["mechanism"]),
        },
        prompt=str(record.get("prompt", "")),
        truth=label_name(str(row["category"])) + (f": {said}" if said else ""),
        pictures=(Picture(str(row["question_id"]), "", _boxes(asked)),) if with_picture else (),
        answers=tuple(_answered(model, row, asked.samples[model]) for model, row in asked.rows.items()),
    )


def _answered(model: str, row: Mapping[Any, Any], sample: Sample) -> Answered:
    if not pd.isna(row["predicted"]):
        parsed = label_name(str(row["predicted"]))
    elif not pd.isna(row["says_consistent"]):
        parsed = "consistent" if row["says_consistent"] else "inconsistent, of no known category"
    else:
        parsed = ""
    score = "" if pd.isna(row["iou"]) else f"box IoU {row['iou']:.2f}"
    return Answered(model, sample.get("raw"), parsed, bool(row["correct"]) if parsed else None, score)


def _boxes(asked: Asked) -> tuple[Box, ...]:
    true = asked.record.get("box")
    found = [Box("truth", tuple(true), true=True)] if true else []
    for model, sample in asked.samples.items():
        if sample.get("predicted_box"):
            found.append(Box(shortened(model, 20), tuple(sample["predicted_box"])))
    return tuple(found)
