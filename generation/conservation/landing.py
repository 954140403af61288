"""What has left the vessels but not yet arrived: streams that end on a rising level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from generation.conservation.pouring import Pourer
from generation.geometry.liquid import Cavity, up_at
from generation.geometry.stream import GAP, Mouth, absent, fall_time, stream
from generation.geometry.vessel import Vessel
from generation.scene import Float, Mesh

_ROUNDS = 60
_SETTLED = 1e-16


@dataclass(frozen=True)
class Stream:
    """A stream at one moment.

    Attributes:
        mouth: where it comes from; None before the flow begins.
        time: s. ages: of its youngest and oldest liquid, s. volume: m^3 in it.
    """

    mouth: Mouth | None
    time: float
    ages: tuple[float, float]
    volume: float

    def mesh(self, pourer: Pourer) -> Mesh:
        """Return its closed mesh in world coordinates."""
        errand = pourer.errand
        if self.mouth is None:
            return absent(errand.lip)
        return stream(
            self.mouth, errand.speed, lambda age: errand.flow.rate(self.time - age), self.ages, self.volume
        )


@dataclass(frozen=True)
class Landing:
    """What happens in the vessel below.

    Attributes:
        volumes: (T,) m^3 in it. streams: for each pourer, one for each frame.
    """

    volumes: Float
    streams: tuple[tuple[Stream, ...], ...]


def land(pourers: Sequence[Pourer], vessel: Vessel, times: Float) -> Landing:
    """Follow the streams of some pourers into an upright vessel, empty at first.

    Args:
        pourers: pour into the same vessel. vessel: stands on z = 0.
        times: (T,) s, ascending.
    """
    cavity, volume = Cavity(vessel), 0.0
    volumes, streams = [], []
    for time in times:
        volume, now = _moment(pourers, cavity, vessel.floor, float(time), volume)
        volumes.append(volume)
        streams.append(now)
    return Landing(np.array(volumes), tuple(zip(*streams, strict=True)))


def _moment(
    pourers: Sequence[Pourer], cavity: Cavity, floor: float, time: float, volume: float
) -> tuple[float, list[Stream]]:
    """Find the level on which the streams end, given that what has ended there makes the level."""
    streams: list[Stream] = []
    for _ in range(_ROUNDS):
        level = max(cavity.level(up_at(0.0), volume), floor)
        streams = [_stream(pourer, time, level) for pourer in pourers]
        arrived = sum(_poured(p, time) - s.volume for p, s in zip(pourers, streams, strict=True))
        if abs(arrived - volume) <= _SETTLED:
            break
        volume = max(arrived, 0.0)
    return volume, streams


def _stream(pourer: Pourer, time: float, level: float) -> Stream:
    flow = pourer.errand.flow
    if time <= flow.start:
        return Stream(None, time, (0.0, 0.0), 0.0)
    mouth = pourer.mouth(time)
    oldest = min(time - flow.start, fall_time(mouth, pourer.errand.speed, level + GAP))
    youngest = min(max(time - flow.finish, 0.0), oldest)
    volume = _poured(pourer, time - youngest) - _poured(pourer, time - oldest)
    return Stream(mouth, time, (youngest, oldest), volume)


def _poured(pourer: Pourer, time: float) -> float:
    return float(pourer.errand.flow.poured(np.array(time)))
