"""Numbers for what occurs in columns: what counting needs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Codes = NDArray[np.int64]


def codes(frame: pd.DataFrame, names: Sequence[str]) -> tuple[tuple[str, ...], Codes]:
    """Number the combinations of columns that occur, in sorted order.

    Returns:
        Their labels, values joined by "/"; and (N,) which of them each row has.
    """
    numbers = np.zeros(len(frame), dtype=np.int64)
    for name in names:
        column = frame[name].astype("category")
        numbers = numbers * max(len(column.cat.categories), 1) + column.cat.codes.to_numpy(dtype=np.int64)
    there, first, found = np.unique(numbers, return_index=True, return_inverse=True)
    labels = ["/".join(map(str, row)) for row in frame[list(names)].iloc[first].itertuples(index=False)]
    order = np.argsort(labels)
    rank = np.empty(len(there), dtype=np.int64)
    rank[order] = np.arange(len(there))
    return tuple(labels[k] for k in order), rank[found]
