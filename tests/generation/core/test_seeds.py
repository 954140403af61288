from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.seeds import item_rng

SEEDS = st.integers(0, 2**63 - 1)
KEYS = st.lists(st.text(max_size=20), min_size=1, max_size=3)


@given(SEEDS, KEYS)
def test_same_seed_and_key_give_the_same_draws(seed: int, key: list[str]) -> None:
    first, other = item_rng(seed, *key), item_rng(seed, *key)
    item_rng(seed, "another").random(100)
    assert first.bytes(32) == other.bytes(32)


@given(SEEDS, SEEDS, KEYS, KEYS)
def test_another_seed_or_key_gives_other_draws(
    seed: int, seed2: int, key: list[str], key2: list[str]
) -> None:
    same = seed == seed2 and key == key2
    assert (item_rng(seed, *key).bytes(32) == item_rng(seed2, *key2).bytes(32)) == same


def test_key_parts_are_not_run_together() -> None:
    assert item_rng(0, "a", "b").bytes(32) != item_rng(0, "ab").bytes(32)


def test_draws_are_pinned() -> None:
    """A change here makes every published dataset irreproducible."""
    assert item_rng(0, "a", "b").random() == 0.5225568821712838
    assert item_rng(1, "a", "b").random() == 0.704075537523759


def test_bad_use() -> None:
    with pytest.raises(ValueError, match="seed must be >= 0"):
        item_rng(-1, "a")
    with pytest.raises(ValueError, match="needs a key"):
        item_rng(0)
