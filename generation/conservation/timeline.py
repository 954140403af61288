"""When things move: still at both ends of a clip, a smooth ease in between."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from generation.scene import Float

HOLD_SECONDS = 0.3


@dataclass(frozen=True)
class Timeline:
    """The frame grid of a clip.

    Attributes:
        num_frames: T. fps: frames per second.
    """

    num_frames: int
    fps: int

    @property
    def hold(self) -> int:
        """Frames that show the scene at rest, at each end of the clip: 0.3 s, rounded up."""
        return math.ceil(HOLD_SECONDS * self.fps)

    @property
    def first(self) -> int:
        """The last frame before anything has moved."""
        return self.hold - 1

    @property
    def last(self) -> int:
        """The first frame after everything has come to rest."""
        return self.num_frames - self.hold

    def frame(self, share: float) -> int:
        """Return the frame nearest to a share in [0, 1] of the time between ``first`` and ``last``."""
        return self.first + round(share * (self.last - self.first))

    def ease(self, start: float, end: float) -> Float:
        """Return progress (T,): exactly 0 up to frame ``start``, exactly 1 from frame ``end`` on."""
        return smootherstep((np.arange(self.num_frames, dtype=np.float64) - start) / (end - start))


def smootherstep(progress: Float) -> Float:
    """Ease from 0 to 1 with zero velocity and acceleration at both ends (C2); clamps outside [0, 1]."""
    x = np.clip(progress, 0.0, 1.0)
    return x * x * x * (x * (6.0 * x - 15.0) + 10.0)
