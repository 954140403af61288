"""The one source of randomness: a numpy Generator per item, made from the seed and the item's key."""

from __future__ import annotations

import hashlib
import json

import numpy as np


def item_rng(seed: int, *key: str) -> np.random.Generator:
    """Return the generator of one item, the same whatever else is drawn, in whatever order.

    Args:
        seed: the run's seed, >= 0; 0 is a seed like any other.
        key: names of the item, most general first, for example ``("conservationbench", pair_id)``.

    Raises:
        ValueError: the seed is negative or the key is empty.
    """
    if seed < 0:
        raise ValueError(f"seed must be >= 0, got {seed}")
    if not key:
        raise ValueError("an item needs a key")
    # JSON keeps ("a", "b") and ("ab",) apart; PCG64 by name, for default_rng may change its bit generator.
    digest = hashlib.sha256(json.dumps(key).encode()).digest()
    words = tuple(int.from_bytes(digest[i : i + 4], "big") for i in range(0, len(digest), 4))
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=words)))
