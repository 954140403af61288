"""One choice of frames out of several people's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def agreed(choices: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Return the choice that is closest to all others (the medoid), so one that somebody really made.

    The distance of two choices is the sum, over their slots in temporal order, of how many frames apart they
    are. Whatever more than half of the people chose wins. Ties go to the choice with the earlier frame in the
    first slot where they differ; who chose, and in which order they are listed, plays no part.

    Args:
        choices: at least one, all of the same length, each strictly increasing.
    """
    slots = np.array(choices, dtype=np.int64)
    distances = np.abs(slots[:, None] - slots[None, :]).sum(axis=(1, 2))
    return min(zip(distances.tolist(), map(tuple, choices), strict=True))[1]
