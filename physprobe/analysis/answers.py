"""Answers of many models to conservationbench as one data frame."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from physprobe.analysis.comparability import comparable
from physprobe.analysis.schema import to_frame
from physprobe.analysis.sources import SetApart, Source, find_answers


@dataclass(frozen=True)
class Answers:
    """Comparable answers, and what was set apart.

    Attributes:
        frame: one row a question and model, columns as in :mod:`physprobe.analysis.schema`, with "unread" and
            "source" (an index into ``sources``). sources: where they come from. apart: what is left out.
    """

    frame: pd.DataFrame
    sources: tuple[Source, ...]
    apart: tuple[SetApart, ...]


def load_answers(places: Iterable[Path], cache: Path | None = None) -> Answers:
    """Read answers and keep those that can be compared.

    Args:
        places, cache: see :func:`physprobe.analysis.sources.find_answers`.

    Raises:
        UserError: a place does not exist or holds no answers; none can be read.
    """
    found, unreadable = find_answers(places, cache)
    kept, apart = comparable(found)
    tables = []
    for number, (_, table) in enumerate(kept):
        tables.append(table.append_column("source", pa.array(np.full(len(table), number, np.int32))))
    return Answers(to_frame(tables), tuple(source for source, _ in kept), (*unreadable, *apart))
