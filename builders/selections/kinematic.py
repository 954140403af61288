"""Frames chosen from the exact motion record: equal shares of the scene's change between them.

The change from one frame to the next is the sum, over the bodies, of how far each one's outline moves in the
image, plus the relative change of the asked quantities. Boxes are what carries it: a body that deforms
(clay, a liquid) keeps its pose while its box changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generation.core.records import ClipRecord, ObjectState
from physprobe.conservation.frames import equal_change_indices
from physprobe.errors import UserError

Float = NDArray[np.float64]

_ABSENT = (0.0, 0.0, 0.0, 0.0)
_UPRIGHT = (1.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Motion:
    """What moves and changes in a clip of T frames and N bodies.

    Attributes:
        boxes: (T, N, 4) x_min, y_min, x_max, y_max as shares of the image's width and height; not clipped to
            the image; a box without area where a body is absent.
        quaternions: (T, N, 4) unit, w first.
        visibility: (T, N) share that no other body hides, in [0, 1].
        quantities: (T, Q), any unit.
        width, height: of the image, in pixels.
    """

    boxes: Float
    quaternions: Float
    visibility: Float
    quantities: Float
    width: int
    height: int


def scene_change(motion: Motion) -> Float:
    """Measure how much changes from each frame to the next.

    A body counts with the larger of two displacements, in image diagonals: that of its box's corners inside
    the image, and that of its outermost points when it turns (angle times half the box's diagonal); times the
    share of it that shows in the better of the two frames. A body that enters or leaves the image counts with
    its box's diagonal. A quantity counts with its change divided by its largest value.

    Returns:
        (T - 1,) float64, at least 0; exactly 0 where two frames have the same record.
    """
    return _outlines(motion).sum(axis=1) + _relative(motion.quantities).sum(axis=1)


def kinematic_indices(record: ClipRecord, counts: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """Choose the frames of one clip for each of several frame counts.

    Returns:
        count -> indices as :func:`physprobe.conservation.frames.equal_change_indices`.

    Raises:
        UserError: the record lacks frames, or the clip is shorter than a count.
    """
    change = scene_change(motion_of(record))
    return {count: equal_change_indices(change, count) for count in counts}


def motion_of(record: ClipRecord) -> Motion:
    """Read a clip's record into arrays; bodies in the order in which they first occur.

    Raises:
        UserError: the record does not hold every frame.
    """
    frames = [{state.object_id: state for state in frame.objects} for frame in record.frames]
    quantities = np.array([record.quantities.moved, record.quantities.reference], dtype=np.float64).T
    if not len(frames) == len(quantities) == record.num_frames:
        raise UserError(
            f"the record of {record.video_id} holds {len(frames)} frames and {len(quantities)} quantities, "
            f"not {record.num_frames}: generate the clip again"
        )
    bodies = list(dict.fromkeys(name for frame in frames for name in frame))
    states = [[frame.get(name) for name in bodies] for frame in frames]
    shape = (len(frames), len(bodies))
    return Motion(
        np.array([[_box(s) for s in row] for row in states]).reshape(*shape, 4),
        np.array([[s.quaternion if s else _UPRIGHT for s in row] for row in states]).reshape(*shape, 4),
        np.array([[s.visibility if s else 0.0 for s in row] for row in states]).reshape(shape),
        quantities,
        record.width,
        record.height,
    )


def _box(state: ObjectState | None) -> tuple[float, float, float, float]:
    return state.box if state else _ABSENT


def _outlines(motion: Motion) -> Float:
    """Return each body's displacement from frame to frame, (T - 1, N), in image diagonals."""
    unit = np.array([motion.width, motion.height]) / np.hypot(motion.width, motion.height)
    corners = np.clip(motion.boxes, 0.0, 1.0).reshape(*motion.boxes.shape[:2], 2, 2) * unit
    extent = corners[:, :, 1] - corners[:, :, 0]
    diagonal = np.hypot(extent[..., 0], extent[..., 1])
    shown = (extent > 0).all(axis=-1)

    moved = np.linalg.norm(np.diff(corners, axis=0), axis=-1).max(axis=-1)
    turned = _angles(motion.quaternions) * (diagonal[:-1] + diagonal[1:]) / 4
    stays, changes = shown[:-1] & shown[1:], shown[:-1] ^ shown[1:]
    came_or_went = np.where(shown[1:], diagonal[1:], diagonal[:-1])
    seen = np.maximum(motion.visibility[:-1] * shown[:-1], motion.visibility[1:] * shown[1:])
    return seen * np.select([stays, changes], [np.maximum(moved, turned), came_or_went], 0.0)


def _angles(quaternions: Float) -> Float:
    """Return the angle in radians of the turn from each frame to the next; q and -q are one orientation."""
    before, after = quaternions[:-1], quaternions[1:]
    chord = np.minimum(np.linalg.norm(after - before, axis=-1), np.linalg.norm(after + before, axis=-1))
    return 4 * np.arcsin(np.clip(chord / 2, 0.0, 1.0))


def _relative(quantities: Float) -> Float:
    largest = np.abs(quantities).max(axis=0, initial=0.0)
    return np.abs(np.diff(quantities, axis=0)) / np.where(largest > 0, largest, 1.0)
