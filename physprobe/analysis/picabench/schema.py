"""Answers to PICABench as columns: what a row holds, and how it is made from a question's record."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from physprobe.analysis.layout import WORD, Columns, Layout, hashes
from physprobe.picabench.items import FACTORS
from physprobe.picabench.metrics import SCORES

# One row a question on an edited image. ``truth`` and ``said``: yes or no, the latter null where unread.
# ``iou`` is NaN without an annotated box. ``reasons`` joins by commas why the answer is invalid; "" when it
# is valid. ``line`` counts the file's lines from 0.
QUESTION = pa.schema(
    {
        "question_id": WORD,
        "image_id": WORD,
        **dict.fromkeys(FACTORS, WORD),
        "truth": pa.bool_(),
        "said": pa.bool_(),
        "iou": pa.float64(),
        "reasons": WORD,
        "correct": pa.bool_(),
        "content": pa.uint64(),
        "line": pa.int32(),
    }
)


def _make(fields: Columns) -> Columns:
    return {
        **fields,
        "said": fields["predicted"],
        "iou": fields["iou"].fill_null(np.nan),
        "reasons": pc.binary_join(fields["reasons"], ","),
        "content": _content(fields),
    }


def _content(fields: Columns) -> pa.Array:
    """Hash what makes a question's answer: its name, text, truth and box."""
    boxes = [" ".join(f"{bound:.9g}" for bound in box or ()) for box in fields["box"].to_pylist()]
    texts = (fields["question_id"], fields["question"], pc.cast(fields["truth"], pa.string()))
    return hashes(pc.binary_join_element_wise(*texts, pa.array(boxes, pa.string()), "|"))


def _finish(frame: pd.DataFrame) -> pd.DataFrame:
    """Add "unread" (neither yes nor no could be read) and "invalid" (bools)."""
    return frame.assign(unread=frame["said"].isna(), invalid=frame["reasons"].astype(str) != "")


LAYOUT = Layout(
    name="picabench",
    title="PICABench",
    record=SCORES[0],
    known_by=SCORES[0],
    read=pa.struct(
        [
            *((name, pa.string()) for name in ("question_id", "image_id", "question", *FACTORS)),
            ("truth", pa.bool_()),
            ("predicted", pa.bool_()),
            ("box", pa.list_(pa.float64())),
            ("iou", pa.float64()),
            ("reasons", pa.list_(pa.string())),
            ("correct", pa.bool_()),
        ]
    ),
    nullable=("predicted", "box", "iou"),
    make=_make,
    question=QUESTION,
    format=b"picabench-1",
    levels={},
    finish=_finish,
)
