"""The part of the benchmark that people answer: one pair in eight (paper section 4.2).

The paper drew one of eight configurations of each property at random and does not say which. Here the choice
follows from the names of the pairs alone, so that it is the same for every seed, and is made as even as
possible: the levels of each design factor, and the two directions of change, occur equally often; so, as far
as six pairs permit, do the combinations of two of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

SHARE = 8

# Searches from different starts; the best result is taken.
_STARTS = 64
# How much a level counts against a combination of two levels.
_WEIGHT = 4.0


def human_subset(directions: Mapping[str, str]) -> tuple[str, ...]:
    """Choose one of eight pairs of a domain, at least one.

    Args:
        directions: pair id -> "gain" or "loss" of its twin. The parts of an id, between underscores, are the
            levels of the factors, in one order for the whole domain.

    Returns:
        The chosen pair ids, sorted.
    """
    pairs = sorted(directions)
    levels = _levels([(*pair.split("_"), directions[pair]) for pair in pairs])
    size = max(1, len(pairs) // SHARE)
    found = [_search(levels, _by_hash(pairs, start), size) for start in range(_STARTS)]
    _, chosen = min(found)
    return tuple(pairs[k] for k in chosen)


def _levels(rows: Sequence[Sequence[str]]) -> NDArray[np.float64]:
    """Return one row a pair, one column per level and per two levels: its weight where the pair has it."""
    columns: dict[Hashable, list[float]] = {}
    for k, row in enumerate(rows):
        single = list(enumerate(row))
        for level in (*single, *combinations(single, 2)):
            weight = _WEIGHT if level in single else 1.0
            columns.setdefault(level, [0.0] * len(rows))[k] = weight
    return np.array(list(columns.values())).T


def _by_hash(pairs: Sequence[str], start: int) -> list[int]:
    """Shuffle, the same on every machine and with every version of numpy."""
    keys = [hashlib.sha256(f"{start}/{pair}".encode()).digest() for pair in pairs]
    return sorted(range(len(pairs)), key=keys.__getitem__)


def _search(levels: NDArray[np.float64], order: Sequence[int], size: int) -> tuple[float, list[int]]:
    """Exchange one pair at a time as long as the levels become more even; return (unevenness, pairs)."""
    ideal = levels.mean(axis=0) * size
    inside, outside = list(order[:size]), list(order[size:])
    offset = levels[inside].sum(axis=0) - ideal
    while outside:
        after = offset - levels[inside][:, None] + levels[outside][None]
        costs = np.square(after).sum(axis=2).round(9)
        leaving, entering = np.unravel_index(costs.argmin(), costs.shape)
        if costs[leaving, entering] >= np.square(offset).sum().round(9):
            break
        offset = after[leaving, entering]
        inside[leaving], outside[entering] = outside[entering], inside[leaving]
    return float(np.square(offset).sum().round(9)), sorted(inside)
