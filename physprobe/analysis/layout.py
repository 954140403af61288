"""How a benchmark's answers lie in files: what reading, comparing and joining need to know of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module

import numpy as np
import pandas as pd
import pyarrow as pa

from physprobe.errors import unknown_name

WORD = pa.dictionary(pa.int32(), pa.string())

# What is the same for all questions of a source.
ORIGIN: tuple[str, ...] = ("model", "task", "task_version", "dataset_version")

# In the metadata of every Parquet file of answers: its layout's ``format``.
FORMAT_KEY = b"physprobe_answers"

# Benchmark -> module with its LAYOUT; the names are those under "physprobe" in a results file.
LAYOUTS: Mapping[str, str] = {
    "conservation": "physprobe.analysis.schema",
    "quantiphy": "physprobe.analysis.quantiphy.schema",
    "consistency": "physprobe.analysis.consistency.schema",
    "picabench": "physprobe.analysis.picabench.schema",
}

# What people's answers are called among those of models.
PEOPLE = "people"

Columns = Mapping[str, pa.Array]


def _one_dataset(task: str) -> str:
    return ""


@dataclass(frozen=True)
class Layout:
    """One benchmark's answers.

    Attributes:
        name: as in a results file. title: as users know it.
        record: metric whose item in a samples file is the whole record of a question.
        known_by: metric that every task of the benchmark has in a results file.
        read: what is taken from a record. nullable: fields of it that may be null.
        make: from the fields of N records (and "line", their number) to the columns of ``question``.
        question: schema of a source's answers, one row a question; needs "question_id", and "content", a
            hash of what makes a question's answer: equal for the same question of the same dataset in every
            task.
        format: version of the columns' meaning, for Parquet files.
        levels: column -> the order in which tables show its levels.
        finish: completes the joined data frame.
        dataset_of: task -> which of several datasets it asks; "" for the one of the benchmark's own whose
            version a results file records.
        asked_of_people: tasks whose questions people may have been asked, as models were; the first first.
        claim: column with the answer where it is one of a few claims; "" where it is a number.
        grouping: column by which agreement of people is also told; "" for none.
    """

    name: str
    title: str
    record: str
    known_by: str
    read: pa.StructType
    nullable: tuple[str, ...]
    make: Callable[[Columns], Columns]
    question: pa.Schema
    format: bytes
    levels: Mapping[str, Sequence[str]]
    finish: Callable[[pd.DataFrame], pd.DataFrame]
    dataset_of: Callable[[str], str] = _one_dataset
    asked_of_people: tuple[str, ...] = ()
    claim: str = ""
    grouping: str = ""

    @cached_property
    def answers(self) -> pa.Schema:
        """Schema of answers that say where they come from."""
        return pa.schema([*(pa.field(name, WORD) for name in ORIGIN), *self.question])


def layout_of(benchmark: str) -> Layout:
    """Return a benchmark's layout.

    Raises:
        UserError: no benchmark has this name.
    """
    if benchmark not in LAYOUTS:
        raise unknown_name("benchmark", benchmark, LAYOUTS)
    found: Layout = import_module(LAYOUTS[benchmark]).LAYOUT
    return found


def to_frame(layout: Layout, tables: Sequence[pa.Table]) -> pd.DataFrame:
    """Join tables of answers into one data frame.

    Args:
        tables: each of schema ``layout.answers``, with a further column "source", int32. At least one.

    Returns:
        The columns, words as categories (in the order of ``layout.levels``, others sorted), and what
        ``layout.finish`` adds.
    """
    joined = pa.concat_tables(tables).unify_dictionaries()
    words = [field.name for field in joined.schema if field.type == WORD]
    frame = joined.to_pandas(split_blocks=True, self_destruct=True)
    for name in words:
        there = set(frame[name].cat.categories)
        known = layout.levels.get(name, ())
        order = [*(level for level in known if level in there), *sorted(there.difference(known))]
        frame[name] = frame[name].cat.reorder_categories(order)
    return layout.finish(frame)


def models_only(frame: pd.DataFrame) -> pd.DataFrame:
    """Leave out people's answers: where models are the units, or are pooled."""
    return frame[frame["model"] != PEOPLE] if (frame["model"] == PEOPLE).any() else frame


def people_only(frame: pd.DataFrame) -> pd.DataFrame:
    """Keep people's answers; the column "participant" says whose."""
    return frame[frame["model"] == PEOPLE]


def with_type(column: pa.Array, kind: pa.DataType) -> pa.Array:
    """Cast a column, words to a dictionary."""
    return column.dictionary_encode().cast(kind) if pa.types.is_dictionary(kind) else column.cast(kind)


def hashes(texts: pa.Array) -> pa.Array:
    """Hash texts to uint64, the same on every machine."""
    values = np.asarray(texts.to_pylist(), dtype=object)
    return pa.array(pd.util.hash_array(values, categorize=False), pa.uint64())
