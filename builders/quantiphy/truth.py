"""Answers again, from annotations and the words of a question alone: apart from the code that wrote them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from physprobe.quantiphy.geometry.asked import Wanted

Float = NDArray[np.float64]
Row = Mapping[str, Any]

EARTH = 9.81


@dataclass(frozen=True)
class Track:
    """An object of a clip over its T frames.

    Attributes:
        times: (T,) s. position, velocity, acceleration: (T, 3) SI. distance, depth: (T,) m.
        measures: word -> m.
    """

    times: Float
    position: Float
    velocity: Float
    acceleration: Float
    distance: Float
    depth: Float
    measures: Mapping[str, float]

    @classmethod
    def of(cls, rows: list[Row]) -> Track:
        """Stack an object's rows of ``annotations``, ordered by frame."""
        columns = ("time", "position", "velocity", "acceleration", "distance", "depth")
        stacked = {name: np.array([row[name] for row in rows], dtype=np.float64) for name in columns}
        measures = dict(zip(rows[0]["measures"], rows[0]["measure_values"], strict=True))
        return cls(times=stacked.pop("time"), measures=measures, **stacked)

    def at(self, values: Float, time: float) -> Float:
        """Return one frame's value.

        Raises:
            ValueError: no frame is at this time, told to three decimals.
        """
        frame = int(np.argmin(np.abs(self.times - time)))
        if abs(self.times[frame] - time) > 5.1e-4:
            raise ValueError(f"no frame is at {time} s")
        return np.asarray(values[frame])


def truth(tracks: Mapping[str, Track], wanted: Wanted) -> float:
    """Return the value of what is asked, in SI.

    Args:
        tracks: by the object's name. wanted: as the question or the prior says.

    Raises:
        ValueError: something it names isn't there, or it holds throughout and isn't constant.
    """
    for name in wanted.things:
        if name not in tracks:
            raise ValueError(f"there is no {name} in the clip")
    if not wanted.things:
        return _gravity(tracks)
    track = tracks[wanted.things[0]]
    if wanted.quantity == "size":
        if wanted.measure not in track.measures:
            raise ValueError(f"the {wanted.things[0]} has no {wanted.measure}")
        return track.measures[wanted.measure]
    if wanted.quantity == "distance":
        ends = [tracks[name].at(tracks[name].position, wanted.times[0]) for name in wanted.things]
        return _norm(ends[1] - ends[0])
    return _moving(track, wanted)


def _moving(track: Track, wanted: Wanted) -> float:
    kinds = {"speed": track.velocity, "acceleration": track.acceleration}
    if wanted.quantity in kinds:
        values = kinds[wanted.quantity]
        return _norm(track.at(values, wanted.times[0])) if wanted.times else _constant(values)
    if wanted.quantity == "horizontal_speed":
        return _norm(track.at(track.velocity, wanted.times[0])[:2])
    first, last = wanted.times
    values = track.velocity if wanted.quantity == "average_acceleration" else track.position
    change = _norm(track.at(values, last) - track.at(values, first))
    if wanted.quantity == "displacement":
        return change
    # Times are told to three decimals; an interval is between frames.
    return change / float(track.at(track.times, last) - track.at(track.times, first))


def _gravity(tracks: Mapping[str, Track]) -> float:
    """Return the Earth's gravity if it acts alone on something most of the time."""
    pulls = [np.median(track.acceleration, axis=0) for track in tracks.values()]
    if not any(np.allclose(pull, (0, 0, -EARTH), atol=1e-6) for pull in pulls):
        raise ValueError("nothing falls as on Earth")
    return EARTH


def _constant(values: Float) -> float:
    sizes = np.linalg.norm(values, axis=1)
    if np.ptp(sizes) > 1e-5 * sizes.max():
        raise ValueError("it is told without a time, but changes")
    return float(sizes[0])


def _norm(vector: Float) -> float:
    return float(np.linalg.norm(vector))
