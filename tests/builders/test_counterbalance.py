"""Orders and letters are spread as evenly as the counts permit, and don't follow the design."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Hashable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders.conservation.counterbalance import Order, Slot, assign_orders, right_relation, shown_order
from generation.conservation.design import cells, design
from physprobe.conservation.prompts import ORDERS, option_text
from physprobe.conservation.vocabulary import CONDITIONS, DOMAINS, Condition

DIRECTIONS = ("gain", "loss")
REPEATS = 10


def slots_of(preset: str, domain: str) -> list[Slot]:
    whole = design(domain) if preset == "full" else cells(preset)
    chosen = [cell for cell in whole if cell.domain == domain]
    return [
        Slot(
            cell.pair_id,
            cell.direction,
            str(cell.factors["moved_position"]),
            {name: level for name, level in cell.factors.items() if name != "moved_position"},
        )
        for cell in chosen
    ]


class Assigned:
    """The outcome of one assignment, to count."""

    def __init__(self, slots: Sequence[Slot], condition: Condition, seed: int) -> None:
        self.slots, self.condition = slots, condition
        self.orders: dict[str, Order] = assign_orders(slots, condition, np.random.default_rng(seed))

    def text(self, slot: Slot) -> int:
        return shown_order(self.orders[slot.pair_id], slot.moved_position)

    def claim(self, slot: Slot) -> Order:
        return self.orders[slot.pair_id]

    def letter(self, slot: Slot) -> int:
        return self.orders[slot.pair_id].index(right_relation(self.condition, slot.direction))

    def spread(self, of: Callable[[Slot], Hashable], values: int, direction: str = "") -> int:
        counts = Counter(of(slot) for slot in self.slots if slot.direction.startswith(direction))
        return max(counts.values(), default=0) - (min(counts.values()) if len(counts) == values else 0)


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("domain", DOMAINS)
def test_full_design_is_exact(domain: str, condition: Condition) -> None:
    for seed in range(REPEATS):
        assigned = Assigned(slots_of("full", domain), condition, seed)
        for direction in ("", *DIRECTIONS):
            assert assigned.spread(assigned.text, 6, direction) == 0
            assert assigned.spread(assigned.claim, 6, direction) == 0
            assert assigned.spread(assigned.letter, 3, direction) == 0


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("domain", ["number", "length"])
def test_mini_shows_each_order_once_and_each_letter_once_a_direction(
    domain: str, condition: Condition
) -> None:
    for seed in range(REPEATS):
        assigned = Assigned(slots_of("mini", domain), condition, seed)
        assert sorted(map(assigned.text, assigned.slots)) == list(range(6))
        for direction in DIRECTIONS:
            chosen = [slot for slot in assigned.slots if slot.direction == direction]
            assert sorted(map(assigned.letter, chosen)) == [0, 1, 2]
            assert assigned.spread(assigned.claim, 6, direction) == 1


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("domain", DOMAINS)
def test_orders_do_not_follow_the_design(domain: str, condition: Condition) -> None:
    """Counts at each level of each factor stay near their expectation, in every cell."""
    slots = slots_of("full", domain)
    levels = {(name, level) for slot in slots for name, level in slot.factors.items()}
    for seed in range(REPEATS):
        assigned = Assigned(slots, condition, seed)
        for name, level in levels:
            members = [slot for slot in slots if slot.factors[name] == level]
            for of, values in ((assigned.text, range(6)), (assigned.letter, range(3))):
                counts = Counter(map(of, members))
                assert all(abs(counts[value] - len(members) / len(values)) <= 2 for value in values)


@settings(deadline=None, max_examples=60)  # the first look at a set of counts tries all combinations
@given(
    counts=st.tuples(*[st.integers(0, 13)] * 4).filter(any),
    condition=st.sampled_from(CONDITIONS),
    seed=st.integers(0, 2**32),
)
def test_any_counts_are_nearly_even(counts: tuple[int, ...], condition: Condition, seed: int) -> None:
    strata = list(itertools.product(DIRECTIONS, ("lower", "upper")))
    slots = [
        Slot(f"{direction}_{position}_{k}", direction, position, {})
        for (direction, position), count in zip(strata, counts, strict=True)
        for k in range(count)
    ]
    assigned = Assigned(slots, condition, seed)
    assert assigned.orders.keys() == {slot.pair_id for slot in slots}
    assert assigned.spread(assigned.text, 6) <= 2
    assert assigned.spread(assigned.letter, 3) <= 2
    assert Assigned(slots, condition, seed).orders == assigned.orders


def test_positions_may_be_absent() -> None:
    slots = [Slot(f"pair_{k}", DIRECTIONS[k % 2], "", {}) for k in range(48)]
    assigned = Assigned(slots, "nonconserving", 0)
    for direction in DIRECTIONS:
        assert assigned.spread(assigned.claim, 6, direction) == 0


def test_shown_order_tells_texts_apart_as_a_reader_does() -> None:
    seen: dict[int, set[tuple[str, ...]]] = {}
    for order, position in itertools.product(ORDERS, ("lower", "upper")):
        texts = tuple(option_text("number", relation, position) for relation in order)
        seen.setdefault(shown_order(order, position), set()).add(texts)
    assert len(seen) == 6
    assert all(len(texts) == 1 for texts in seen.values())
