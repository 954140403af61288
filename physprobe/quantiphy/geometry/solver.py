"""Answers a question: measures the prior's quantity and the asked one in the same view, and compares."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from physprobe.quantiphy.geometry.asked import Wanted, read_distances, read_given, read_question
from physprobe.quantiphy.geometry.falling import falling_thing
from physprobe.quantiphy.geometry.measuring import measure
from physprobe.quantiphy.geometry.observation import Observation
from physprobe.quantiphy.geometry.views import Deep, Flat

VERSION = 2  # changes when answers do: kept answers are not reused then

# Focal lengths that come into question, in image widths: fields of view of about 100 to 5 degrees.
_FOCAL = (0.4, 12.0)
_GUESSES = 24


def solve(seen: Observation, question: str, prior: str, depth_info: str) -> float:
    """Answer a question of our dataset, in SI units.

    Args:
        seen: the clip. question, prior, depth_info: as told; depth info is "" in 2D.

    Raises:
        UserError: a text can't be read, or names something that isn't in the clip.
    """
    wanted, (given, value) = read_question(question), read_given(prior)
    distances = read_distances(depth_info, seen.things)
    if not given.things:
        given = Wanted(given.quantity, (falling_thing(seen, distances or seen.things),))
    if not distances:
        flat = Flat(seen)
        return measure(flat, wanted) * value / measure(flat, given)
    return measure(_calibrated(seen, distances, given, value), wanted)


def _calibrated(
    seen: Observation, distances: Mapping[str, Mapping[float | None, float]], given: Wanted, value: float
) -> Deep:
    """Return the view in which the given quantity has its value, or comes closest to it."""

    def excess(focal: float) -> float:
        return math.log(measure(Deep(seen, focal, distances), given) / value)

    guesses = np.geomspace(*_FOCAL, _GUESSES) * seen.size[0]
    found = [excess(focal) for focal in guesses]
    crossings = [k for k in range(len(found) - 1) if found[k] * found[k + 1] <= 0]
    if not crossings:
        return Deep(seen, float(guesses[int(np.argmin(np.abs(found)))]), distances)
    return Deep(seen, _root(excess, *guesses[crossings[0] : crossings[0] + 2]), distances)


def _root(excess: Callable[[float], float], low: float, high: float) -> float:
    from scipy.optimize import brentq

    return float(brentq(excess, low, high, rtol=1e-6))
