"""Answers as columns: what a row holds, in Arrow and in pandas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import pyarrow as pa

from physprobe.conservation.metrics import CLAIMS
from physprobe.conservation.vocabulary import CONDITIONS, DOMAINS, EXTRACTIONS, PROMPT_STYLES

_WORD = pa.dictionary(pa.int32(), pa.string())

# One row a question. ``truth`` and ``response`` are claims ("same", "moved_more", "moved_less", "idk");
# ``response`` is null when the answer is unread. ``content`` is a hash of what makes the question's answer:
# equal for the same question of the same dataset in every task. ``line`` counts the file's lines from 0.
QUESTION = pa.schema(
    {
        "question_id": _WORD,
        "pair_id": _WORD,
        "video_id": _WORD,
        "domain": _WORD,
        "condition": _WORD,
        "prompt_style": _WORD,
        "frame_count": pa.int16(),
        "extraction": _WORD,
        "media": _WORD,
        "idk_offered": pa.bool_(),
        "truth": _WORD,
        "response": _WORD,
        "correct": pa.bool_(),
        "content": pa.uint64(),
        "line": pa.int32(),
    }
)

# What is the same for all questions of a source.
ORIGIN: tuple[str, ...] = ("model", "task", "task_version", "dataset_version")

ANSWERS = pa.schema([*(pa.field(name, _WORD) for name in ORIGIN), *QUESTION])

# In the metadata of every Parquet file of answers; another value: another meaning of the columns.
FORMAT_KEY, FORMAT = b"physprobe_answers", b"1"

# The order in which tables show the levels.
LEVELS: Mapping[str, Sequence[str]] = {
    "domain": DOMAINS,
    "condition": CONDITIONS,
    "prompt_style": PROMPT_STYLES,
    "extraction": EXTRACTIONS,
    "truth": CLAIMS,
    "response": CLAIMS,
}


def to_frame(tables: Sequence[pa.Table]) -> pd.DataFrame:
    """Join tables of answers into one data frame.

    Args:
        tables: each of schema :data:`ANSWERS`, with a further column "source", int32. At least one.

    Returns:
        The columns, words as categories (in the order of :data:`LEVELS`, others sorted), and "unread" (bool).
        About 50 bytes a row.
    """
    joined = pa.concat_tables(tables).unify_dictionaries()
    frame = joined.to_pandas(split_blocks=True, self_destruct=True)
    for name in [*ORIGIN, *(field.name for field in QUESTION if field.type == _WORD)]:
        there = set(frame[name].cat.categories)
        known = LEVELS.get(name, ())
        order = [*(level for level in known if level in there), *sorted(there.difference(known))]
        frame[name] = frame[name].cat.reorder_categories(order)
    return frame.assign(unread=frame["response"].isna())
