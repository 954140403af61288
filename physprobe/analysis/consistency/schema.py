"""Answers to physical consistency as columns: what a row holds, and how it is made from a record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from physprobe.analysis.layout import WORD, Columns, Layout, hashes
from physprobe.consistency.metrics import SCORES
from physprobe.consistency.rubric import RATINGS
from physprobe.consistency.vocabulary import LABELS, MECHANISMS, SUITES

# One row an image. ``mechanism`` is null for clean images. ``predicted`` is null and ``says_consistent`` too
# where that can't be read. ``iou`` is NaN for clean images. ``reasons`` joins by commas why the answer is
# invalid; "" when it is valid. ``rating`` is the panel's of the explanation, null where not rated. ``line``
# counts the file's lines from 0.
QUESTION = pa.schema(
    {
        "question_id": WORD,
        "family_id": WORD,
        "suite": WORD,
        "category": WORD,
        "mechanism": WORD,
        "predicted": WORD,
        "says_consistent": pa.bool_(),
        "iou": pa.float64(),
        "reasons": WORD,
        "rating": WORD,
        "correct": pa.bool_(),
        "content": pa.uint64(),
        "line": pa.int32(),
    }
)

LEVELS: Mapping[str, Sequence[str]] = {
    "suite": SUITES,
    "category": LABELS,
    "predicted": LABELS,
    "mechanism": MECHANISMS,
    "rating": (*RATINGS, "split", "pending"),
}

TASKS: tuple[str, ...] = tuple(f"physical_consistency_{suite}" for suite in SUITES)

_TEXTS = ("question_id", "family_id", "suite", "category", "mechanism")
_NULLABLE = ("box", "predicted_category", "predicted_consistent", "iou", "explanation_rating")


def _make(fields: Columns) -> Columns:
    mechanism = fields["mechanism"]
    return {
        **fields,
        "mechanism": pc.if_else(pc.equal(mechanism, ""), pa.scalar(None, pa.string()), mechanism),
        "predicted": fields["predicted_category"],
        "says_consistent": fields["predicted_consistent"],
        "iou": fields["iou"].fill_null(np.nan),
        "reasons": pc.binary_join(fields["reasons"], ","),
        "rating": fields["explanation_rating"],
        "content": _content(fields),
    }


def _content(fields: Columns) -> pa.Array:
    """Hash what makes an image's answer: its name, label and box."""
    boxes = [" ".join(f"{bound:.9g}" for bound in box or ()) for box in fields["box"].to_pylist()]
    return hashes(
        pc.binary_join_element_wise(
            fields["question_id"], fields["category"], pa.array(boxes, pa.string()), "|"
        )
    )


def _finish(frame: pd.DataFrame) -> pd.DataFrame:
    """Add "unread" (neither label nor decision could be read) and "invalid" (bools). About 60 bytes a row."""
    unread = frame["predicted"].isna() & frame["says_consistent"].isna()
    return frame.assign(unread=unread, invalid=frame["reasons"].astype(str) != "")


LAYOUT = Layout(
    name="consistency",
    title="physical consistency",
    record=SCORES[0],
    known_by=SCORES[0],
    read=pa.struct(
        [
            *((name, pa.string()) for name in (*_TEXTS, "predicted_category", "explanation_rating")),
            ("box", pa.list_(pa.float64())),
            ("predicted_consistent", pa.bool_()),
            ("iou", pa.float64()),
            ("reasons", pa.list_(pa.string())),
            ("correct", pa.bool_()),
        ]
    ),
    nullable=_NULLABLE,
    make=_make,
    question=QUESTION,
    format=b"consistency-1",
    levels=LEVELS,
    finish=_finish,
    asked_of_people=TASKS,
    claim="predicted",
    grouping="suite",
)
