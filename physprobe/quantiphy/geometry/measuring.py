"""Measures things in a view: lengths, and how places change around a frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from physprobe.errors import UserError
from physprobe.quantiphy.geometry.asked import Wanted
from physprobe.quantiphy.geometry.observation import Float, Sighting
from physprobe.quantiphy.geometry.views import View

# Frames before and after one in which a change is measured: as many as a smooth way fits to, in pixels.
_REACHES, _DEGREE, _SMOOTH = (8, 6, 5, 4, 3, 2), 4, 0.12
# A ruler that looks shorter than its longest by more is seen at a slant.
_SLANT = 0.005
# Along an axis of the image (cosine), and how closely marks lie on the outline's edges.
_ALONG, _AT_EDGE = 0.985, 0.06
_SQUARE = 0.02
# Of the share of a change that lies in the image plane, where that is largest.
_LITTLE, _ROW = 0.65, 5


def measure(view: View, wanted: Wanted) -> float:
    """Measure something, in the view's unit of length and s.

    Raises:
        UserError: the clip has no such thing or measure.
    """
    for name in wanted.things:
        if name not in view.seen.things:
            raise UserError(f"the annotations have no {name}")
    return _MEASURES[wanted.quantity](view, wanted)


def _size(view: View, wanted: Wanted) -> float:
    (name,) = wanted.things
    thing = view.seen.things[name]
    frames = view.certain(name)
    stretch = np.array([view.stretch(name, k) for k in frames.tolist()])
    return float(np.median(_lengths(thing, wanted.measure, frames, stretch)))


def _lengths(thing: Sighting, measure: str, frames: NDArray[np.intp], stretch: Float) -> Float:
    """Return a length as it looks in those of some frames that show it unforeshortened."""
    sides = thing.sides[frames] * stretch[:, None]
    is_round = np.abs(thing.sides[:, 0] / thing.sides[:, 1] - 1).max() < _SQUARE
    if measure == "diameter" and is_round:
        return np.asarray(sides.mean(axis=1))
    if measure not in thing.marks:
        raise UserError(f"the annotations have no marks for {measure}")
    ends = thing.marks[measure][frames]
    ruler = np.abs(ends[:, 1] - ends[:, 0]) * stretch[:, None]
    lengths = np.linalg.norm(ruler, axis=1)
    is_full = lengths >= (1 - _SLANT) * lengths.max()
    axis = int(np.argmax(ruler[is_full].sum(axis=0)))
    is_along = is_full & (ruler[:, axis] > _ALONG * lengths)
    if is_along.any() and np.median(sides[is_along, axis] / lengths[is_along]) < 1 + _AT_EDGE:
        return np.asarray(sides[is_along, axis])
    return np.asarray(lengths[is_full])


def _distance(view: View, wanted: Wanted) -> float:
    (frame,) = _frames(view, wanted)
    one, other = (view.places(name, np.array([frame]))[0] for name in wanted.things)
    return float(np.linalg.norm(one - other))


def _way(view: View, wanted: Wanted) -> float:
    first, last = (view.places(wanted.things[0], np.array([k]))[0] for k in _frames(view, wanted))
    return float(np.linalg.norm(last - first))


def _average(view: View, wanted: Wanted) -> float:
    return _way(view, wanted) / (wanted.times[1] - wanted.times[0])


def _gain(view: View, wanted: Wanted) -> float:
    first, last = (_change(view, wanted.things[0], k, 1) for k in _frames(view, wanted))
    return float(np.linalg.norm(last - first)) / (wanted.times[1] - wanted.times[0])


def _speed(view: View, wanted: Wanted) -> float:
    return _typical(float(np.linalg.norm(v)) for v in _changes(view, wanted, 1))


def _level_speed(view: View, wanted: Wanted) -> float:
    return _typical(float(np.hypot(v[0], v[2])) for v in _changes(view, wanted, 1))


def _acceleration(view: View, wanted: Wanted) -> float:
    return _typical(float(np.linalg.norm(a)) for a in _changes(view, wanted, 2))


_MEASURES: Mapping[str, Callable[[View, Wanted], float]] = {
    "size": _size,
    "distance": _distance,
    "displacement": _way,
    "average_velocity": _average,
    "average_acceleration": _gain,
    "speed": _speed,
    "horizontal_speed": _level_speed,
    "acceleration": _acceleration,
}


def _typical(values: Iterator[float]) -> float:
    return float(np.median(list(values)))


def _frames(view: View, wanted: Wanted) -> tuple[int, ...]:
    return tuple(round(time * view.seen.fps) for time in wanted.times)


def _changes(view: View, wanted: Wanted, order: int) -> Iterator[Float]:
    """Yield a change at the named frame; if none is named, at those that show it best.

    These are frames at which places are known best and the change is little foreshortened; of those, some in
    a row that agree best, as it is the same all the time.
    """
    (name,) = wanted.things
    named = _frames(view, wanted)
    found = np.array([_change(view, name, k, order) for k in named or view.instants(name).tolist()])
    across, whole = np.linalg.norm(found[:, :2], axis=1), np.linalg.norm(found, axis=1)
    share = np.divide(across, whole, out=np.ones_like(whole), where=whole > 0)
    yield from found if named else _steadiest(found[share >= _LITTLE * share.max()])


def _steadiest(changes: Float) -> Float:
    """Return those in a row, of (N, 3) changes, whose sizes differ least."""
    sizes = np.linalg.norm(changes, axis=1)
    if len(sizes) <= _ROW or not sizes.all():
        return changes
    rows = np.lib.stride_tricks.sliding_window_view(np.log(sizes), _ROW)
    first = int(np.argmin(np.ptp(rows, axis=1)))
    return changes[first : first + _ROW]


def _change(view: View, name: str, frame: int, order: int) -> Float:
    """Return the first or second derivative of a thing's place, (3,)."""
    window = _window(view.seen.things[name].centers, frame)
    fit = np.polynomial.polynomial.polyfit(window - frame, view.places(name, window), _DEGREE)
    return np.asarray(fit[order] * order * view.seen.fps**order)  # the factorial of 1 or 2 is itself


def _window(centers: Float, frame: int) -> NDArray[np.intp]:
    """Return the frames around one over which a thing's middle, (T, 2) pixels, moves smoothly."""
    for reach in _REACHES:
        window = np.arange(max(frame - reach, 0), min(frame + reach + 1, len(centers)))
        steps, places = window - frame, centers[window]
        fit = np.polynomial.polynomial.polyfit(steps, places, _DEGREE)
        if np.abs(np.polynomial.polynomial.polyval(steps, fit).T - places).max() < _SMOOTH:
            break
    return window


def bends(view: View, name: str) -> Float:
    """Return a thing's acceleration at each frame of a flat view, (T, 3)."""
    return np.array([*_changes(view, Wanted("acceleration", (name,)), 2)])
