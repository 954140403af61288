"""The hand that isn't there: a vessel is lifted, tilted over a place, and set down again.

While it pours, the lip stays where it is, and the vessel tilts just as far as its remaining liquid and the
flow ask for. Before and after, the liquid keeps a level surface and its volume.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from generation.conservation.flow import Flow
from generation.conservation.timeline import smootherstep
from generation.geometry.liquid import Cavity, Cut, up_at
from generation.geometry.stream import Mouth
from generation.geometry.vessel import Vessel
from generation.scene import Float

# How far above the higher end of its way a vessel is lifted, m.
_LIFT = 0.032
# Below this share of its liquid a vessel counts as empty when its tilt is sought.
_DREGS = 1e-5


@dataclass(frozen=True)
class Errand:
    """What a vessel does in a clip.

    Attributes:
        place: (3,) where it stands, m. azimuth: direction in which it pours, radians.
        lip: (3,) where its lip is while it pours, m.
        leave, back: s, when it is lifted, and when it stands again.
        content: m^3 in it at first. flow: what leaves it.
        speed: horizontal speed of the liquid that leaves, m/s.
    """

    place: Float
    azimuth: float
    lip: Float
    leave: float
    back: float
    content: float
    flow: Flow
    speed: float


@dataclass(frozen=True)
class Held:
    """A vessel at one moment.

    Attributes:
        pose: (4, 4) object to world. tilt: radians. head: m of liquid above the lip. remaining: m^3 in it.
    """

    pose: Float
    tilt: float
    head: float
    remaining: float

    def cut(self, cavity: Cavity) -> Cut:
        """Return the vessel's cavity divided by the liquid's level."""
        up = up_at(self.tilt)
        is_pouring = self.head > 0
        level = cavity.brim(self.tilt, self.head) if is_pouring else cavity.level(up, self.remaining)
        return cavity.cut(up, level)


def standing(place: Float, volumes: Float) -> list[Held]:
    """Return the states of a vessel that stays at a place (3,) with volumes (T,) in m^3 in it."""
    pose = np.eye(4)
    pose[:3, 3] = place
    return [Held(pose, 0.0, 0.0, float(volume)) for volume in volumes]


class Pourer:
    """A vessel on its errand."""

    def __init__(self, vessel: Vessel, errand: Errand) -> None:
        """Prepare the ends of the tilting."""
        self.vessel = vessel
        self.errand = errand
        self.cavity = Cavity(vessel)
        self._known: dict[float, tuple[float, float]] = {}
        start, finish = errand.flow.start, errand.flow.finish
        self._first_tilt, self._last_tilt = (self._pouring(t)[0] for t in (start, finish))
        step = 0.02 * (errand.flow.end - start)
        self._first_pace = (self._pouring(start + step)[0] - self._first_tilt) / step

    def at(self, time: float) -> Held:
        """Return how the vessel is held at a time in s."""
        errand = self.errand
        remaining = self._remaining(time)
        if errand.flow.start <= time <= errand.flow.finish:
            tilt, head = self._pouring(time)
            return Held(self._pose(errand.lip, tilt), tilt, head, remaining)
        if time <= errand.leave:
            return Held(self._pose(self._lip_at(0.0), 0.0), 0.0, 0.0, remaining)
        if time < errand.flow.start:
            share = (time - errand.leave) / (errand.flow.start - errand.leave)
            tilt = self._approach_tilt(share)
        else:
            share = 1 - (time - errand.flow.finish) / (errand.back - errand.flow.finish)
            tilt = self._last_tilt * float(smootherstep(np.array((share - 0.3) / 0.7)))
        return Held(self._pose(self._lip_at(share), tilt), tilt, 0.0, remaining)

    def mouth(self, time: float) -> Mouth:
        """Return where the stream leaves, or last left, at a time in s after the flow began."""
        tilt, head = self._pouring(min(time, self.errand.flow.finish))
        area = self._open_area(time, tilt)
        return Mouth(self.errand.lip, self.errand.azimuth, tilt, head, area)

    def _remaining(self, time: float) -> float:
        return max(self.errand.content - float(self.errand.flow.poured(np.array(time))), 0.0)

    def _open_area(self, time: float, tilt: float) -> float:
        return float(self.errand.flow.rate(np.array(time))) / (self.errand.speed * np.sin(tilt))

    def _pouring(self, time: float) -> tuple[float, float]:
        """Return tilt and head at which the remaining liquid flows at its rate."""
        if time not in self._known:
            self._known[time] = self._solve(time)
        return self._known[time]

    def _solve(self, time: float) -> tuple[float, float]:
        remaining = self._remaining(time)
        if remaining <= _DREGS * self.errand.content:
            return self.cavity.tilt(_DREGS * self.errand.content), 0.0

        def head(tilt: float) -> float:
            return self.cavity.head(self._open_area(time, tilt))

        tilt = self.cavity.tilt(remaining, head)
        return tilt, head(tilt)

    def _approach_tilt(self, share: float) -> float:
        """Tilt from upright, gathering the pace at which the pour goes on."""
        wait = 0.34
        x = np.clip((share - wait) / (1 - wait), 0.0, 1.0)
        pace = self._first_pace * (self.errand.flow.start - self.errand.leave) * (1 - wait)
        return float(x**3 * (10 - 15 * x + 6 * x**2) * self._first_tilt + pace * x**3 * (x - 1) * (4 - 3 * x))

    def _lip_at(self, share: float) -> Float:
        """Return where the lip is: share 0 over its place, 1 where it pours."""
        ahead = np.array([np.cos(self.errand.azimuth), np.sin(self.errand.azimuth), 0.0])
        start = self.errand.place + self.vessel.lip[0] * ahead + self.vessel.lip * [0, 0, 1]
        way = self.errand.lip - start
        up, over, down = (
            float(smootherstep(np.array((share - begin) / (end - begin))))
            for begin, end in ((0.0, 0.55), (0.25, 1.0), (0.5, 1.0))
        )
        hover = max(0.0, way[2]) + _LIFT
        height = hover * up + (way[2] - hover) * down
        return np.asarray(start + np.array([way[0] * over, way[1] * over, height]))

    def _pose(self, lip: Float, tilt: float) -> Float:
        lean = np.array([[np.cos(tilt), 0, np.sin(tilt)], [0, 1, 0], [-np.sin(tilt), 0, np.cos(tilt)]])
        c, s = np.cos(self.errand.azimuth), np.sin(self.errand.azimuth)
        rotation = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ lean
        pose = np.eye(4)
        pose[:3, :3] = rotation
        pose[:3, 3] = lip - rotation @ self.vessel.lip
        return pose
