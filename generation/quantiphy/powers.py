"""How fast things get, and how hard they push and turn: nothing moves as only a toy of it could."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Power:
    """What a kind of thing can do; gravity does the rest.

    Attributes:
        speed: highest, m/s. push: strongest gain or loss of speed, m/s^2.
        turn: strongest acceleration in a curve, m/s^2.
        is_upright: whether its nose is its top, so that it leans along the way it rises.
    """

    speed: float
    push: float
    turn: float
    is_upright: bool = False


# What is thrown, pushed by hand or swung about.
BY_HAND = Power(speed=25.0, push=20.0, turn=40.0)
# Vehicles and animals, about as the best of their sort: a sports car's brakes, a speedboat's engine.
POWERS: Mapping[str, Power] = {
    "airplane": Power(260.0, 4.0, 20.0),
    "balloon": Power(2.5, 2.5, 2.0),
    "bicycle": Power(14.0, 4.0, 6.0),
    "bird": Power(18.0, 10.0, 20.0),
    "bus": Power(25.0, 5.0, 4.0),
    "car": Power(45.0, 9.0, 9.0),
    "cargo ship": Power(13.0, 0.1, 0.1),
    "drone": Power(20.0, 12.0, 15.0),
    "helicopter": Power(70.0, 6.0, 15.0),
    "hot-air balloon": Power(13.0, 0.6, 0.1),
    "motorboat": Power(22.0, 5.0, 6.0),
    "rocket": Power(math.inf, 60.0, 20.0, is_upright=True),
    "sailboat": Power(10.0, 0.6, 0.5),
    "steam locomotive": Power(35.0, 0.8, 1.0),
    "train": Power(70.0, 1.2, 1.0),
    "truck": Power(30.0, 5.0, 4.0),
}


def power(kind: str) -> Power:
    """Return what a kind of thing can do."""
    return POWERS.get(kind, BY_HAND)
