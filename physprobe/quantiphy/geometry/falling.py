"""Finds the thing on which gravity alone acts, for priors that say no more than 'gravity acceleration'."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from physprobe.errors import UserError
from physprobe.quantiphy.geometry.measuring import bends
from physprobe.quantiphy.geometry.observation import Observation
from physprobe.quantiphy.geometry.views import Flat

_EVEN, _LEAST = 0.1, 20.0  # share of the typical acceleration; pixels per s^2


def falling_thing(seen: Observation, names: Iterable[str]) -> str:
    """Return the thing that most of the time is accelerated straight down in the picture, always as much.

    Raises:
        UserError: nothing falls.
    """
    shares = {name: _falling_share(seen, name) for name in names}
    best = max(shares, key=lambda name: shares[name], default="")
    if not best or shares[best] == 0:
        raise UserError("the prior is of gravity, and nothing in the clip falls")
    return best


def _falling_share(seen: Observation, name: str) -> float:
    found = bends(Flat(seen), name)
    down = float(np.median(found[:, 1]))
    if down < _LEAST:
        return 0.0
    is_even = np.hypot(found[:, 0], found[:, 1] - down) < _EVEN * down
    return float(is_even.mean())
