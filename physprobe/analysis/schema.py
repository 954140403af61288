"""Answers to conservationbench as columns: what a row holds, and how it is made from a question's record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from physprobe.analysis.layout import WORD, Columns, Layout, hashes
from physprobe.conservation.metrics import CLAIMS
from physprobe.conservation.vocabulary import CONDITIONS, DOMAINS, EXTRACTIONS, PROMPT_STYLES

# One row a question. ``truth`` and ``response`` are claims ("same", "moved_more", "moved_less", "idk");
# ``response`` is null when the answer is unread. ``line`` counts the file's lines from 0.
QUESTION = pa.schema(
    {
        "question_id": WORD,
        "pair_id": WORD,
        "video_id": WORD,
        "domain": WORD,
        "condition": WORD,
        "prompt_style": WORD,
        "frame_count": pa.int16(),
        "extraction": WORD,
        "media": WORD,
        "idk_offered": pa.bool_(),
        "truth": WORD,
        "response": WORD,
        "correct": pa.bool_(),
        "content": pa.uint64(),
        "line": pa.int32(),
    }
)

LEVELS: Mapping[str, Sequence[str]] = {
    "domain": DOMAINS,
    "condition": CONDITIONS,
    "prompt_style": PROMPT_STYLES,
    "extraction": EXTRACTIONS,
    "truth": CLAIMS,
    "response": CLAIMS,
}

_TEXTS = ("question_id", "pair_id", "video_id", "domain", "condition", "prompt_style", "extraction", "media")
_READ = pa.struct(
    [
        *((name, pa.string()) for name in (*_TEXTS, "answer", "relation")),
        ("frame_count", pa.int32()),
        ("frame_indices", pa.list_(pa.int32())),
        ("claims", pa.list_(pa.string())),
        ("correct", pa.bool_()),
    ]
)
# Tasks that ask the standard questions among others.
_BEYOND = ("conservation_human_subset", "conservation_full")
_LETTERS = pa.array(list("ABCD"))


def _make(fields: Columns) -> Columns:
    claims = fields["claims"]
    joined = pc.binary_join(claims, ",")
    picked = pc.cast(pc.index_in(fields["answer"], _LETTERS), pa.int64())
    starts = pa.array(claims.offsets.to_numpy()[:-1].astype(np.int64))
    return {
        **fields,
        "idk_offered": pc.ends_with(joined, pattern=",idk"),
        "truth": claims.values.take(pc.add(starts, picked)),
        "response": fields["relation"],
        "content": _content(fields, pc.replace_substring_regex(joined, ",idk$", "")),
    }


def _content(fields: Columns, claims: pa.Array) -> pa.Array:
    frames = pc.binary_join(pc.cast(fields["frame_indices"], pa.list_(pa.string())), " ").fill_null("")
    return hashes(pc.binary_join_element_wise(fields["question_id"], claims, fields["answer"], frames, "|"))


def _finish(frame: pd.DataFrame) -> pd.DataFrame:
    """Add "unread" (bool). About 50 bytes a row in all."""
    return frame.assign(unread=frame["response"].isna())


LAYOUT = Layout(
    name="conservation",
    title="conservationbench",
    record="accuracy_overall",
    known_by="accuracy_overall",
    read=_READ,
    nullable=("relation", "frame_indices"),
    make=_make,
    question=QUESTION,
    format=b"1",
    levels=LEVELS,
    finish=_finish,
    asked_of_people=(*(f"conservation_{domain}" for domain in DOMAINS), *_BEYOND),
    claim="response",
    grouping="domain",
)
