"""Where things lie in the image, as boxes, and whether another one fits between them."""

from __future__ import annotations

import numpy as np

from generation.quantiphy.motion.model import Motion, Trajectory
from generation.quantiphy.props import support_points
from generation.rendering.camera import project
from generation.scene import Camera, Float

# Free borders of the image and free gaps between things, in image widths and heights.
_BORDER, _GAP = 0.012, 0.008


class Framing:
    """The boxes that are taken at each of T frames.

    Args:
        camera: of the clip. times: (T,) s.
    """

    def __init__(self, camera: Camera, times: Float) -> None:
        """Start empty."""
        self.camera, self.times = camera, times
        self._taken: list[Float] = []

    def boxes(self, corners: Float, track: Trajectory) -> Float:
        """Return the normalised box of a thing at each frame, (T, 4).

        Args:
            corners: (8, 3) of its bounding box in its own frame, m. track: its states.
        """
        placed = np.einsum("tij,kj->tki", track.rotation, corners) + track.position[:, None]
        return self._around(placed)

    def _around(self, points: Float) -> Float:
        """Return the box around points (T, N, 3), (T, 4)."""
        seen = project(self.camera, points.reshape(-1, 3))[:, :2].reshape(*points.shape[:2], 2)
        return np.concatenate([seen.min(axis=1), seen.max(axis=1)], axis=1)

    def supports(self, motion: Motion, track: Trajectory) -> list[Float]:
        """Return the boxes of what holds a thing up, each (T, 4)."""
        points = support_points(motion, track)
        return [] if points is None else [self._around(np.asarray(points))]

    def fits(self, box: Float, supports: list[Float]) -> bool:
        """Whether a thing stays within the image and it and its supports keep away from what is taken."""
        if box[:, :2].min() < _BORDER or box[:, 2:].max() > 1 - _BORDER:
            return False
        return not any(_overlap(mine, other) for mine in (box, *supports) for other in self._taken)

    def take(self, box: Float, supports: list[Float]) -> None:
        """Note boxes as taken."""
        self._taken.extend((box, *supports))


def _overlap(one: Float, other: Float) -> bool:
    """Whether two boxes touch or nearly touch at any frame."""
    low = np.maximum(one[:, :2], other[:, :2]) - _GAP
    high = np.minimum(one[:, 2:], other[:, 2:]) + _GAP
    return bool((low < high).all(axis=1).any())
