"""Which frames of a clip a question shows (paper section 3.3)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from physprobe.errors import UserError

Int = NDArray[np.int64]

_SHARES = 10_000
_FORBIDDEN = 2**61  # two of them still fit into 64 bits


def uniform_indices(num_frames: int, count: int) -> tuple[int, ...]:
    """Spread ``count`` frame indices evenly over a clip, first and last frame included.

    Index k is k * (num_frames - 1) / (count - 1), rounded half up in integer arithmetic, so that the same
    indices come out on every machine.

    Args:
        num_frames: frames in the clip. count: frames to show, 2 <= count <= num_frames.

    Returns:
        ``count`` strictly increasing indices in [0, num_frames - 1].

    Raises:
        UserError: count is below 2 (the end states could not both be shown) or above num_frames.
    """
    if not 2 <= count <= num_frames:
        raise UserError(f"cannot take {count} frames from a clip of {num_frames}: choose 2 to {num_frames}")
    gaps = count - 1
    return tuple((2 * k * (num_frames - 1) + gaps) // (2 * gaps) for k in range(count))


def equal_change_indices(change: ArrayLike, count: int) -> tuple[int, ...]:
    """Choose frames between which the scene changes by shares as equal as whole frames permit.

    Of all choices that hold the first and the last frame, take the one with the least sum of squared changes
    over its gaps: frames at equal quantiles of the cumulative change. Where one step holds more than a share,
    it takes one gap and no frames crowd around it. Ties go to the evenest spread in time, then to the
    earliest frames. A clip in which nothing changes is shown uniformly. Sums are taken in whole 1/10,000 of
    the total change, so that the same frames come out on every machine.

    Args:
        change: (T - 1,) finite and at least 0, in any unit: what changes between frames k and k + 1.
        count: frames to show, 2 <= count <= T.

    Returns:
        ``count`` strictly increasing indices from 0 to T - 1.

    Raises:
        UserError: as :func:`uniform_indices`.
        ValueError: ``change`` is not one-dimensional, or holds a negative or non-finite number.
    """
    steps = np.asarray(change, dtype=np.float64)
    if steps.ndim != 1 or not np.isfinite(steps).all() or (steps < 0).any():
        raise ValueError("change must be one row of finite numbers, none negative")
    evenly = uniform_indices(len(steps) + 1, count)
    largest = steps.max(initial=0.0)
    if largest == 0:
        return evenly
    total = np.concatenate([[0.0], np.cumsum(steps / largest)])
    shares = np.rint(total / total[-1] * _SHARES).astype(np.int64)
    return _cheapest_path(_gap_costs(shares), count - 1)


def _gap_costs(shares: Int) -> Int:
    """Return the (T, T) cost of showing frame j next after frame i: change first, then time."""
    frames = np.arange(len(shares))
    change, time = np.subtract.outer(shares, shares) ** 2, np.subtract.outer(frames, frames) ** 2
    # Squared times sum up to less than T^2: they only ever decide between equal changes.
    costs = change * len(shares) ** 2 + time
    return np.where(frames[:, None] < frames[None, :], costs, _FORBIDDEN)


def _cheapest_path(costs: Int, gaps: int) -> tuple[int, ...]:
    """Walk from the first frame to the last in ``gaps`` steps at the least cost, earliest frames first."""
    remaining = np.full(len(costs), _FORBIDDEN)
    remaining[-1] = 0
    onwards = []  # for each next frame, the cost from there on
    for _ in range(gaps):
        onwards.append(remaining)
        remaining = np.minimum((costs + remaining).min(axis=1), _FORBIDDEN)
    path = [0]
    for remaining in reversed(onwards):
        path.append(int(np.argmin(costs[path[-1]] + remaining)))
    return tuple(path)
