"""What a clip's pictures show well enough to be measured, judged from its record alone."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from generation.quantiphy.records import EntityInfo, EntityState, Happening
from generation.scene import Float

Bool = NDArray[np.bool_]

# Questions name every third frame: at 24, 25 and 30 frames per second its time has at most three decimals.
GRID = 3
# Image sizes in pixels hold for this height of the image.
_HEIGHT = 480

_SEEN, _EDGE = 0.93, 0.002
# Frames around one in which a velocity or acceleration is asked, and s around a jump in which it isn't.
_AROUND, _CALM = 3, 0.1
# A ruler may lean this far out of the image plane (sine), and off the image's axes (cosine).
_LEAN, _ALONG = 0.1, 0.985
_FEW = 5


class Evidence:
    """The record of a clip as arrays over entities E and frames T.

    Attributes:
        entities: in order. position, velocity, acceleration: (E, T, 3) SI. box: (E, T, 4) normalised.
        depth: (E, T) m. distance: (E, T) m, from the camera.
    """

    def __init__(self, clip: Happening) -> None:
        """Read a record."""
        self.clip = clip
        self.entities: tuple[EntityInfo, ...] = clip.entities
        states = [[frame.entities[e] for frame in clip.frames] for e in range(len(clip.entities))]
        self.position = _array(states, "position")
        self.velocity = _array(states, "velocity")
        self.acceleration = _array(states, "acceleration")
        self.box = _array(states, "box")
        self.depth = _array(states, "depth")
        self.distance = _array(states, "distance")
        self._visibility = _array(states, "visibility")
        self._quaternion = _array(states, "quaternion")
        self._axes = np.array(clip.camera.world_to_camera)[:, :3]

    @property
    def is_3d(self) -> bool:
        """Whether depth changes."""
        return self.clip.video_type[1] == "3"

    @property
    def frames(self) -> tuple[int, ...]:
        """The frames that questions may name."""
        return tuple(range(0, self.clip.num_frames, GRID))

    def time(self, frame: int) -> float:
        """Return a frame's time, s."""
        return frame / self.clip.fps

    def pixels(self, entity: int, frame: int) -> float:
        """Return pixels per metre at a thing's depth, as of an image 480 pixels high."""
        scale = self.clip.camera.focal_length / float(self.depth[entity, frame])
        return scale * _HEIGHT / self.clip.height

    @cached_property
    def offset(self) -> Float:
        """From a thing's middle to what lies at the middle of its box, at its depth, (E, T, 2) m."""
        camera = self.clip.camera
        local = self.position @ self._axes.T + np.array(camera.world_to_camera)[:, 3]
        size = np.array([self.clip.width, self.clip.height])
        middle = (self.box[..., :2] + self.box[..., 2:]) / 2 * size - camera.principal_point
        return np.asarray(middle * self.depth[..., None] / camera.focal_length - local[..., :2])

    @cached_property
    def is_clear(self) -> Bool:
        """Where a thing lies within the frame and shows, (E, T)."""
        low, high = self.box[..., :2].min(axis=-1), self.box[..., 2:].max(axis=-1)
        return (low > _EDGE) & (high < 1 - _EDGE) & (self._visibility >= _SEEN)

    def is_calm(self, entity: int, frame: int) -> bool:
        """Whether a thing shows around a frame and its velocity doesn't jump there."""
        first, last = frame - _AROUND, frame + _AROUND
        if first < 0 or last >= self.clip.num_frames or not self.is_clear[entity, first : last + 1].all():
            return False
        return self.is_undisturbed(entity, frame, frame)

    def worst_strays(self, entity: int, frame: int) -> tuple[float, float]:
        """Return the most of :meth:`strays` in a calm frame and around it, where changes are measured."""
        frames = (frame + shift for shift in (-_AROUND, 0, _AROUND))
        inner = [k for k in frames if _AROUND <= k < self.clip.num_frames - _AROUND]
        speeds, changes = zip(*(self.strays(entity, k) for k in inner), strict=True)
        return max(speeds), max(changes)

    def strays(self, entity: int, frame: int) -> tuple[float, float]:
        """Return how fast the middle of a calm thing's box leaves the thing's, m/s, and the change, m/s^2."""
        before, now, after = (self.offset[entity, frame + k] for k in (-_AROUND, 0, _AROUND))
        seconds = _AROUND / self.clip.fps
        speed = np.linalg.norm(after - before) / (2 * seconds)
        return float(speed), float(np.linalg.norm(after - 2 * now + before)) / seconds**2

    def across(self, vector: Float) -> float:
        """Return the share of a vector in the world that lies in the image plane."""
        return float(np.linalg.norm((self._axes @ vector)[:2]) / np.linalg.norm(vector))

    def is_undisturbed(self, entity: int, first: int, last: int) -> bool:
        """Whether a thing's motion doesn't jump between two frames, nor shortly before or after."""
        start, end = self.time(first) - _CALM, self.time(last) + _CALM
        return not any(start < event < end for event in self.entities[entity].events)

    def moves(self, entity: int) -> bool:
        """Whether a thing moves at all."""
        return bool(np.ptp(self.position[entity], axis=0).max() > 0)

    def size_frames(self, entity: int, measure: str, bias: float) -> tuple[int, ...]:
        """Return frames in which a measure can be read off the image, with at most some relative error.

        There are none unless questions may name one of them, so that depth info can tell its distance.

        A ruler has to lie in the image plane; where it spans the whole thing, the thing's outline must be as
        long as the ruler is at the depth of the thing's middle.
        """
        good = [k for k in range(self.clip.num_frames) if self._reads(entity, measure, bias, k)]
        return tuple(good) if len(good) >= _FEW and any(k % GRID == 0 for k in good) else ()

    def _reads(self, entity: int, measure: str, bias: float, frame: int) -> bool:
        if not self.is_clear[entity, frame]:
            return False
        info = self.entities[entity]
        size = info.measures[measure]
        apparent = self._outline(entity, frame)
        if _is_ball(info):
            return bool(np.abs(apparent / size - 1).max() < bias)
        a, b = info.measure_axes[measure]
        ruler = np.subtract(b, a) / size
        right, down, forward = self._axes @ _rotation(self._quaternion[entity, frame]) @ ruler
        if abs(forward) > _LEAN:
            return False
        if not _spans(info, ruler, size):
            return True
        along = [side for side, share in zip(apparent, (right, down), strict=True) if abs(share) > _ALONG]
        return bool(along) and abs(along[0] / size - 1) < bias

    def _outline(self, entity: int, frame: int) -> Float:
        """Return width and height of a thing's box as lengths at the depth of its middle, m."""
        left, top, right, bottom = self.box[entity, frame]
        sides = np.array([(right - left) * self.clip.width, (bottom - top) * self.clip.height])
        return sides * float(self.depth[entity, frame]) / self.clip.camera.focal_length


def _array(states: list[list[EntityState]], field: str) -> Float:
    return np.array([[getattr(state, field) for state in row] for row in states], dtype=np.float64)


def _is_ball(info: EntityInfo) -> bool:
    return "diameter" in info.measures and max(info.extents) - min(info.extents) < 1e-6 * info.extents[0]


def _spans(info: EntityInfo, ruler: Float, size: float) -> bool:
    """Whether a ruler reaches over the whole extent of a thing along one of its axes."""
    axis = int(np.argmax(np.abs(ruler)))
    return bool(abs(ruler[axis]) > 1 - 1e-9 and abs(info.extents[axis] - size) < 1e-4 * size)


def _rotation(quaternion: Float) -> Float:
    from scipy.spatial.transform import Rotation

    w, x, y, z = quaternion
    return np.asarray(Rotation.from_quat([x, y, z, w]).as_matrix())
