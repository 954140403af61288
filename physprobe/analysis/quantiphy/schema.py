"""Answers to quantiphy as columns: what a row holds, and how it is made from a question's record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from physprobe.analysis.layout import WORD, Columns, Layout, hashes
from physprobe.quantiphy.codes import BACKGROUNDS, CATEGORIES, OBJECT_NUMBERS
from physprobe.quantiphy.questions import kind_of
from physprobe.quantiphy.submission import RECORD

KINDS: tuple[str, ...] = ("size", "velocity", "acceleration")
STYLES: tuple[str, ...] = ("direct", "cot")

# One row a question. ``kind`` is what is asked for, and ``inference`` the two letters of the given and the
# asked quantity (static, dynamic). ``told``: whether prior (and depth info) were. ``factor``: by which they
# and the true answer are multiplied. ``prediction`` and ``truth`` are in ``unit``, the former NaN where
# unread for the ``reason``. ``mra`` is NaN without a truth other than 0, or without a category. ``line``
# counts the file's lines from 0.
QUESTION = pa.schema(
    {
        "question_id": WORD,
        "video_id": WORD,
        "video_source": WORD,
        "category": WORD,
        "background": WORD,
        "objects": WORD,
        "inference": WORD,
        "style": WORD,
        "shown": WORD,
        "told": pa.bool_(),
        "factor": pa.float64(),
        "unit": WORD,
        "kind": WORD,
        "prediction": pa.float64(),
        "truth": pa.float64(),
        "mra": pa.float64(),
        "reason": WORD,
        "content": pa.uint64(),
        "line": pa.int32(),
    }
)

LEVELS: Mapping[str, Sequence[str]] = {
    "category": CATEGORIES,
    "background": BACKGROUNDS,
    "objects": OBJECT_NUMBERS,
    "style": STYLES,
    "kind": KINDS,
}

_TEXTS = (
    *("question_id", "video_id", "video_source", "video_type", "inference_type", "question", "prior", "unit"),
    *("category", "background", "objects", "style", "shown", "reason"),
)
_NUMBERS = ("factor", "prediction", "truth", "mra")
_OFFICIAL = "quantiphy_official_"

# Whole videos with prior, depth info and the direct prompt: our questions, and the public ones with truths.
STANDARD_TASKS: tuple[str, ...] = tuple(f"quantiphy_{category.lower()}" for category in CATEGORIES)
PUBLIC_TASK = f"{_OFFICIAL}validation"


def _make(fields: Columns) -> Columns:
    units = fields["unit"].dictionary_encode()
    kinds = pa.array([kind_of(unit) for unit in units.dictionary.to_pylist()], pa.string())
    numbers = {name: fields[name].fill_null(np.nan) for name in _NUMBERS}
    return {
        **fields,
        **numbers,
        "inference": fields["inference_type"],
        "told": pc.not_equal(pc.utf8_trim_whitespace(fields["prior"]), ""),
        "kind": kinds.take(units.indices),
        "content": _content(fields, numbers["truth"].to_numpy() / numbers["factor"].to_numpy()),
    }


def _content(fields: Columns, truth: np.ndarray) -> pa.Array:
    """Hash what makes the answer: as without a factor, to nine digits, so that it is one in all tasks."""
    texts = [fields[name] for name in ("question_id", "video_id", "video_type", "question", "unit")]
    return hashes(pc.binary_join_element_wise(*texts, pa.array([f"{value:.9g}" for value in truth]), "|"))


def _finish(frame: pd.DataFrame) -> pd.DataFrame:
    """Add "unread" (bool). About 100 bytes a row in all."""
    return frame.assign(unread=frame["prediction"].isna())


def _dataset_of(task: str) -> str:
    return task.removeprefix(_OFFICIAL) if task.startswith(_OFFICIAL) else ""


LAYOUT = Layout(
    name="quantiphy",
    title="quantiphy",
    record=RECORD,
    known_by="mra_questions",
    read=pa.struct([*((n, pa.string()) for n in _TEXTS), *((n, pa.float64()) for n in _NUMBERS)]),
    nullable=("video_source", "video_type", "inference_type", "prediction", "truth", "mra"),
    make=_make,
    question=QUESTION,
    format=b"quantiphy-1",
    levels=LEVELS,
    finish=_finish,
    dataset_of=_dataset_of,
    asked_of_people=(*STANDARD_TASKS, PUBLIC_TASK),
)
