"""From pixels to places, up to what only the prior tells: one scale in 2D, the focal length in 3D."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from physprobe.errors import UserError
from physprobe.quantiphy.geometry.observation import Float, Observation

# Of the known distances, as many next to an instant say how the distance changes around it.
_NEXT = 5
_AROUND = 3  # frames around an instant of known distance


class View(Protocol):
    """Places of things for one guess of what is unknown."""

    @property
    def seen(self) -> Observation: ...  # noqa: D102

    def places(self, name: str, frames: NDArray[np.intp]) -> Float:
        """Return where a thing's middle is at frames around an instant, (N, 3): right, down, forward."""

    def stretch(self, name: str, frame: int) -> float:
        """Return the length of one pixel at a thing's depth."""

    def instants(self, name: str) -> NDArray[np.intp]:
        """Return the frames at which a thing's place is known best."""

    def certain(self, name: str) -> NDArray[np.intp]:
        """Return the frames at which a thing's depth is told, not guessed."""


@dataclass(frozen=True)
class Flat:
    """All in one plane parallel to the image: places in pixels, to be scaled."""

    seen: Observation

    def places(self, name: str, frames: NDArray[np.intp]) -> Float:
        """Return middles of boxes, in pixels, all at one depth."""
        return np.insert(self.seen.things[name].centers[frames], 2, 0.0, axis=1)

    def stretch(self, name: str, frame: int) -> float:
        """Return 1: lengths are in pixels."""
        return 1.0

    def instants(self, name: str) -> NDArray[np.intp]:
        """Return all frames."""
        return np.arange(len(self.seen.things[name].boxes))

    def certain(self, name: str) -> NDArray[np.intp]:
        """Return all frames."""
        return self.instants(name)


@dataclass(frozen=True)
class Deep:
    """A pinhole camera of some focal length, and distances that depth info tells.

    Attributes:
        focal: pixels. distances: name -> time in s, or None -> m.
    """

    seen: Observation
    focal: float
    distances: Mapping[str, Mapping[float | None, float]]

    def places(self, name: str, frames: NDArray[np.intp]) -> Float:
        """Return how far along the lines of sight things are, m."""
        rays = self._rays(name, frames)
        far = self._distance(name, frames)
        return rays / np.linalg.norm(rays, axis=1, keepdims=True) * far[:, None]

    def stretch(self, name: str, frame: int) -> float:
        """Return m in one pixel."""
        return float(self.places(name, np.array([frame]))[0, 2]) / self.focal

    def instants(self, name: str) -> NDArray[np.intp]:
        """Return the frames at which the distance is told, and soon before and after."""
        told = sorted(t for t in self.distances.get(name, {}) if t is not None)
        if len(told) <= _NEXT:
            return np.arange(len(self.seen.things[name].boxes))
        spans = [told[k + _NEXT - 1] - told[k] for k in range(len(told) - _NEXT + 1)]
        middle = _NEXT // 2
        best = [told[k + middle] for k, span in enumerate(spans) if span < 1.01 * min(spans)]
        around = np.rint(np.array(best) * self.seen.fps)[:, None] + np.arange(-_AROUND, _AROUND + 1)
        return np.unique(around).astype(np.intp)

    def certain(self, name: str) -> NDArray[np.intp]:
        """Return the frames at which the distance is told, all of a thing that rests."""
        told = [t for t in self.distances.get(name, {}) if t is not None]
        if not told:
            return np.arange(len(self.seen.things[name].boxes))
        return np.rint(np.array(sorted(told)) * self.seen.fps).astype(np.intp)

    def _rays(self, name: str, frames: NDArray[np.intp]) -> Float:
        middle = np.array(self.seen.size) / 2
        return np.insert(self.seen.things[name].centers[frames] - middle, 2, self.focal, axis=1)

    def _distance(self, name: str, frames: NDArray[np.intp]) -> Float:
        if name not in self.distances:
            raise UserError(f"depth info has no distance of the {name}")
        known = self.distances[name]
        if None in known:
            return np.full(len(frames), known[None])
        times = frames / self.seen.fps
        return interpolated(known, float(times.mean()), times)


def interpolated(known: Mapping[float | None, float], instant: float, times: Float) -> Float:
    """Return values at times around an instant from the polynomial through the known ones next to it."""
    near = sorted((t for t in known if t is not None), key=lambda t: abs(t - instant))[:_NEXT]
    knots, values = np.array(near) - instant, np.array([known[t] for t in near])
    coefficients = np.linalg.solve(np.vander(knots), values)
    return np.asarray(np.polyval(coefficients, times - instant))
