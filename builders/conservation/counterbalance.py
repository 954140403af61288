"""Which of the six option orders each question shows.

Two ways to count orders matter. A reader of the dataset sees texts ("the upper row has more"); a model with a
bias for change sees claims ("the moved row has more"). The two differ by which object moved, so a cell of the
design is cut into strata of one direction and one moved position, whole blocks of six orders go to each
stratum, and what remains is chosen by looking at every combination.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from physprobe.conservation.prompts import ORDERS
from physprobe.conservation.vocabulary import LETTERS, Condition, Relation

Order = tuple[Relation, ...]
Matrix = NDArray[np.int64]

# Shuffles compared to keep an order from following a design factor by chance (rerandomisation,
# Morgan and Rubin 2012).
_SHUFFLES = 2048

_SWAP: dict[Relation, Relation] = {"same": "same", "moved_more": "moved_less", "moved_less": "moved_more"}


@dataclass(frozen=True)
class Slot:
    """One clip that gets an order.

    Attributes:
        pair_id: its pair.
        direction: "gain" or "loss" of the pair's non-conserving twin.
        moved_position: "upper", "lower", "left" or "right", or "" where the options don't name a place.
        factors: the other design factors, for keeping orders independent of them.
    """

    pair_id: str
    direction: str
    moved_position: str
    factors: Mapping[str, str | int]


class _Stratum(NamedTuple):
    direction: str
    moved_position: str
    remainder: int  # clips left over after whole blocks of six


def right_relation(condition: Condition, direction: str) -> Relation:
    """Return what is true in the final frame: "same" when conserving, else by the twin's direction."""
    if condition == "conserving":
        return "same"
    return "moved_more" if direction == "gain" else "moved_less"


def shown_order(order: Order, moved_position: str) -> int:
    """Return the rank (0 to 5) of the order of texts that a reader sees."""
    if moved_position in ("lower", "right"):
        order = tuple(_SWAP[relation] for relation in order)
    return ORDERS.index(order)


def assign_orders(slots: Sequence[Slot], condition: Condition, rng: np.random.Generator) -> dict[str, Order]:
    """Give every clip of one cell (domain, condition, style, frame count, extraction) its order of options.

    Orders of texts and right letters are spread as evenly as the counts permit over all clips, and within
    each direction; orders of claims as well. With 24 clips a direction this is exact.

    Args:
        slots: the cell's clips, each pair once, in a fixed order.
        condition: of all of them.
        rng: generator of this cell.

    Returns:
        pair_id -> relations in shown order.
    """
    strata: dict[tuple[str, str], list[Slot]] = {}
    for slot in slots:
        strata.setdefault((slot.direction, slot.moved_position), []).append(slot)
    keys = tuple(_Stratum(*key, len(members) % len(ORDERS)) for key, members in sorted(strata.items()))
    choices = _best_remainders(keys, condition)
    chosen = choices[rng.integers(len(choices))]
    tally = _Tally(slots)
    orders: dict[str, Order] = {}
    for (key, members), remainder in zip(sorted(strata.items()), chosen, strict=True):
        blocks = [*range(len(ORDERS))] * (len(members) // len(ORDERS))
        shuffles = rng.permuted(np.tile([*blocks, *remainder], (_SHUFFLES, 1)), axis=1)
        ranks = tally.add_best(shuffles, members, right_relation(condition, key[0]))
        orders |= {slot.pair_id: ORDERS[rank] for slot, rank in zip(members, ranks, strict=True)}
    return orders


@lru_cache(maxsize=1024)
def _best_remainders(
    strata: tuple[_Stratum, ...], condition: Condition
) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return every choice of left-over orders (one tuple of ranks a stratum) that is most even."""
    subsets = [list(itertools.combinations(range(len(ORDERS)), stratum.remainder)) for stratum in strata]
    picks = np.array(list(itertools.product(*(range(len(options)) for options in subsets))))
    unevenness = np.zeros(len(picks), dtype=np.int64)
    for weight, groups in _tables(strata, condition):
        for group in groups:
            counts = sum(
                _indicator(subsets[k])[picks[:, k]] @ effect for k, effect in enumerate(group) if effect.any()
            )
            # Sum of squared deviations from the mean, times the number of cells, in integers.
            cells = group[0].shape[1]
            unevenness += weight * (cells * np.square(counts).sum(axis=1) - np.square(np.sum(counts, axis=1)))
    best = picks[unevenness == unevenness.min()]
    return tuple(tuple(subsets[k][pick] for k, pick in enumerate(row)) for row in best.tolist())


def _indicator(subsets: Sequence[tuple[int, ...]]) -> Matrix:
    matrix = np.zeros((len(subsets), len(ORDERS)), dtype=np.int64)
    for row, subset in enumerate(subsets):
        matrix[row, list(subset)] = 1
    return matrix


def _tables(strata: tuple[_Stratum, ...], condition: Condition) -> list[tuple[int, list[list[Matrix]]]]:
    """List what must be even, weightiest first: (weight, one list of effects per group of clips).

    An effect is a (6, cells) matrix that says which cell of the table an order adds to in that stratum; it is
    zero for strata outside the group.
    """
    texts = [_one_hot([shown_order(o, s.moved_position) for o in ORDERS], len(ORDERS)) for s in strata]
    claims = [_one_hot(list(range(len(ORDERS))), len(ORDERS)) for _ in strata]
    letters = [
        _one_hot([o.index(right_relation(condition, s.direction)) for o in ORDERS], len(LETTERS))
        for s in strata
    ]
    everything = [[True] * len(strata)]
    directions = [[s.direction == d for s in strata] for d in sorted({s.direction for s in strata})]
    return [
        (10**6, _groups(texts, everything) + _groups(letters, everything) + _groups(letters, directions)),
        (10**3, _groups(claims, everything)),
        (1, _groups(texts, directions) + _groups(claims, directions)),
    ]


def _groups(effects: list[Matrix], groups: list[list[bool]]) -> list[list[Matrix]]:
    return [[effect * inside for effect, inside in zip(effects, group, strict=True)] for group in groups]


def _one_hot(columns: Sequence[int], width: int) -> Matrix:
    return np.eye(width, dtype=np.int64)[list(columns)]


class _Tally:
    """Counts of orders and right letters at each factor level, kept even stratum by stratum."""

    def __init__(self, slots: Sequence[Slot]) -> None:
        self.levels = sorted({(name, str(level)) for slot in slots for name, level in slot.factors.items()})
        self.counts = np.zeros((len(self.levels), len(ORDERS) + len(LETTERS)), dtype=np.int64)

    def add_best(self, shuffles: Matrix, members: Sequence[Slot], right: Relation) -> list[int]:
        """Take the shuffle (a row of ranks, one per clip) after which counts follow the factors least."""
        shown = np.array([shown_order(order, members[0].moved_position) for order in ORDERS])
        letter = np.array([order.index(right) for order in ORDERS])
        effect = np.hstack(
            [np.eye(len(ORDERS), dtype=np.int64)[shown], np.eye(len(LETTERS), dtype=np.int64)[letter]]
        )
        at_level = np.array(
            [[str(slot.factors.get(name)) == level for slot in members] for name, level in self.levels],
            dtype=np.int64,
        ).reshape(len(self.levels), len(members))
        counts = self.counts + at_level @ effect[shuffles]
        # Row sums are the same for all shuffles, so the smallest sum of squares is the most even one.
        best = int(np.square(counts).sum(axis=(1, 2)).argmin())
        self.counts = counts[best]
        return [int(rank) for rank in shuffles[best]]
