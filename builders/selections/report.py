"""Says in a few lines what selections hold: who chose, how much is covered, how far people agree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from builders.selections.records import Selection
from physprobe.conservation.vocabulary import EXTRACTIONS, FRAME_COUNTS


def report(selections: Sequence[Selection], video_ids: Sequence[str]) -> Iterator[str]:
    """Yield one line per extraction, and one on agreement where several people chose for the same clip."""
    for extraction in EXTRACTIONS:
        chosen: dict[tuple[str, int], list[tuple[int, ...]]] = defaultdict(list)
        of_extraction = [s for s in selections if s.extraction == extraction]
        for s in of_extraction:
            chosen[s.video_id, s.frame_count].append(s.frame_indices)
        if not of_extraction:
            continue
        selectors = {s.selector for s in of_extraction}
        total = len(video_ids) * len(FRAME_COUNTS)
        yield (
            f"{extraction}: {len(of_extraction):,} selections by {len(selectors)}; "
            f"{len(chosen):,} of {total:,} clips x frame counts, {total - len(chosen):,} missing"
        )
        apart = [_apart(a, b) for of_key in chosen.values() for a, b in combinations(of_key, 2)]
        if apart:
            several = [of_key for of_key in chosen.values() if len(of_key) > 1]
            unanimous = sum(len(set(of_key)) == 1 for of_key in several)
            yield (
                f"  chosen by several: {len(several):,}, unanimously: {unanimous:,}; "
                f"two choices of one clip lie {np.mean(apart):.1f} frames apart in each slot on average"
            )


def _apart(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """Return the mean distance in frames over the slots between the fixed first and last."""
    return float(np.abs(np.subtract(one, other))[1:-1].mean())
