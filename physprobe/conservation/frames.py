"""Which frames of a clip a question shows (paper section 3.3)."""

from __future__ import annotations

from physprobe.errors import UserError


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
