"""Which questions each task asks. A row says by itself how it is shown and marked:

question_id, video_id, video_source, video_type, fps, inference_type, question: as in the data set
prior, depth_info   what the model is told of the scene; "" is left out
truth               the true answer in ``unit``, None where it is withheld
unit, unit_stated   of the answer, and whether the question names it
category, background, objects   what its codes say, "" where nothing
source              whose video: "ours", "validation" or "test" (the public data sets)
seen                whether the video is shown
style               "direct" or "cot"
factor              by which prior, depth info and truth were multiplied
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from loguru import logger

from physprobe import data
from physprobe.errors import UserError
from physprobe.harness.quantiphy.official_files import Split
from physprobe.harness.quantiphy.videos import DATASET
from physprobe.quantiphy.codes import CATEGORIES, read_codes
from physprobe.quantiphy.priors import scale_depth_info, scale_prior, scale_truth
from physprobe.quantiphy.questions import asked_of

Row = dict[str, Any]

# Of counterfactual priors; the paper names the smallest and the largest.
FACTORS = (0.001, 0.01, 0.1, 0.5, 2.0, 10.0, 100.0, 700.0)
SEGMENTED = "segmentation"

_COPIED = ("video_id", "video_source", "video_type", "inference_type", "question")
_OURS = ("question_id", *_COPIED, "fps", "prior", "depth_info", "ground_truth_posterior", "unit", "category")
_OFFICIAL_ID = ("id", "Unnamed: 0", "")
_OFFICIAL_PRIOR = ("prior", "ground_truth_prior")


def our_questions(
    dataset: Any,
    category: str | None = None,
    segmented: bool = False,
    seen: bool = True,
    told: bool = True,
    counterfactual: bool = False,
    style: str = "direct",
) -> Any:
    """Take questions of our data set.

    Args:
        dataset: the ``questions`` config, a ``datasets.Dataset``. category: only this one; None: all.
        segmented: those on videos without a background, else those on whole videos.
        seen: whether the video is shown. told: whether prior and depth info are, all that is metric.
        counterfactual: multiply prior, depth info and truth, by a factor that follows from the question's id.
        style: "direct" or "cot".

    Raises:
        UserError: a column, or questions of the kind, are missing; a prior can't be scaled.
    """
    _require(dataset, _OURS)
    rows = [_ours(row) for row in dataset.to_list() if category in (None, row["category"])]
    rows = [row for row in rows if (row["video_source"] == SEGMENTED) == segmented]
    if not rows:
        kind = f"category {category}" if category else "segmented videos" if segmented else "whole videos"
        raise UserError(f"dataset {DATASET} has no questions on {kind}: build one that has")
    change: Callable[[Row], Row] = _scaled if counterfactual else dict
    told_nothing = {} if told else {"prior": "", "depth_info": ""}
    return _dataset({**change(row), **told_nothing, "seen": seen, "style": style} for row in rows)


def official_questions(dataset: Any, split: Split) -> Any:
    """Take the questions of a public data set, with ids as in its files: a column, or 1-based row numbers.

    Raises:
        UserError: a column is missing.
    """
    _require(dataset, (*_COPIED, "fps"))
    identifier = next((name for name in _OFFICIAL_ID if name in dataset.column_names), None)
    prior = next((name for name in _OFFICIAL_PRIOR if name in dataset.column_names), None)
    if prior is None:
        raise UserError(f"the public {split} questions have no column {' or '.join(_OFFICIAL_PRIOR)}")
    return _dataset(
        _official(row, str(row[identifier] if identifier else number), row[prior], split)
        for number, row in enumerate(dataset.to_list(), 1)
    )


def category_tasks(tasks: Sequence[str]) -> list[str]:
    """Leave out tasks ("quantiphy_s2") whose category the dataset does not have, with one warning.

    Raises:
        UserError: none is left, or the dataset can't be loaded.
    """
    there = {category.lower() for category in data.load_config(DATASET, "questions").unique("category")}
    absent = [task for task in tasks if task.rpartition("_")[2] not in there]
    if len(absent) == len(tasks):
        raise UserError(f"dataset {DATASET} has no questions of any of {', '.join(CATEGORIES)}: rebuild it")
    if absent:
        logger.warning(f"left out, for dataset {DATASET} has no questions for it: {', '.join(absent)}")
    return [task for task in tasks if task not in absent]


def _require(dataset: Any, columns: Sequence[str]) -> None:
    missing = [name for name in columns if name not in dataset.column_names]
    if missing:
        raise UserError(
            f"the questions of {DATASET} lack column {missing[0]!r}; they have: "
            f"{', '.join(dataset.column_names)}"
        )


def _ours(row: Mapping[str, Any]) -> Row:
    kept = {name: row[name] for name in ("question_id", *_COPIED, "unit")}
    told = {name: row[name] or "" for name in ("prior", "depth_info")}
    made = {**kept, **told, "fps": float(row["fps"]), "truth": _number(row["ground_truth_posterior"])}
    return {**made, "unit_stated": True, "source": "ours", "factor": 1.0}


def _official(row: Mapping[str, Any], question_id: str, prior: str | None, split: Split) -> Row:
    asked = asked_of(row["question"])
    return {
        "question_id": question_id,
        **{name: row[name] for name in _COPIED},
        "unit": asked.unit,
        "prior": prior or "",
        "depth_info": row.get("depth_info") or "",
        "fps": float(row["fps"]),
        "truth": _number(row.get("ground_truth_posterior")),
        "unit_stated": asked.stated,
        "source": split,
        "factor": 1.0,
        "seen": True,
        "style": "direct",
    }


def _scaled(row: Row) -> Row:
    digest = hashlib.sha256(f"counterfactual/{row['question_id']}".encode()).digest()
    factor = FACTORS[int.from_bytes(digest[:8], "big") % len(FACTORS)]
    return {
        **row,
        "prior": scale_prior(row["prior"], factor),
        "depth_info": scale_depth_info(row["depth_info"], factor),
        "truth": None if row["truth"] is None else scale_truth(row["truth"], factor),
        "factor": factor,
    }


def _number(value: Any) -> float | None:
    return None if value is None or math.isnan(float(value)) else float(value)


def _dataset(rows: Iterable[Row]) -> Any:
    import pandas as pd
    import pyarrow as pa
    from datasets import Dataset

    made = list(rows)
    table = pd.DataFrame(made)[["inference_type", "video_type", "video_source"]]
    codes = read_codes(table["inference_type"], table["video_type"], table["video_source"])
    for name in ("category", "background", "objects"):
        for row, value in zip(made, getattr(codes, name).tolist(), strict=True):
            row[name] = value
    columns = pa.Table.from_pylist(made)
    truth = columns.column_names.index("truth")  # of type null where all truths are withheld
    return Dataset(columns.set_column(truth, "truth", columns["truth"].cast(pa.float64())))
