"""Per-frame poses, boxes and visibility, from the scene and not from pixels."""

from __future__ import annotations

import gc

import numpy as np
from numpy.typing import NDArray

from generation.core.records import FrameRecord, ObjectState
from generation.rendering.sight import Sight
from generation.rendering.silhouettes import Silhouettes
from generation.scene import Scene, SceneObject

Float = NDArray[np.float64]

_DIGITS = 6


def annotate(scene: Scene) -> tuple[FrameRecord, ...]:
    """Return where each object is, in space and in the image, and how much of it shows, at every frame.

    Objects come in scene order; the backdrop hides but is not listed. Numbers are rounded to 6 decimals.

    Returns:
        T records.
    """
    silhouettes = Silhouettes(scene)
    sight = Sight(scene, silhouettes.fingerprints)
    records = []
    for frame in range(scene.num_frames):
        states = tuple(
            _state(body, frame, silhouettes.box(body, frame), share)
            for body, share in zip(scene.objects, sight.visibility(frame), strict=True)
        )
        records.append(FrameRecord(index=frame, time=round(frame / scene.fps, _DIGITS), objects=states))
    del sight
    gc.collect()
    return tuple(records)


def _state(
    body: SceneObject, frame: int, box: tuple[float, float, float, float], visibility: float
) -> ObjectState:
    pose = body.pose_at(frame)
    x, y, z = (_rounded(v) for v in pose[:3, 3])
    qw, qx, qy, qz = (_rounded(v) for v in quaternion(pose[:3, :3]))
    left, top, right, bottom = (_rounded(v) for v in box)
    return ObjectState(
        object_id=body.object_id,
        position=(x, y, z),
        quaternion=(qw, qx, qy, qz),
        box=(left, top, right, bottom),
        visibility=_rounded(visibility),
    )


def _rounded(value: float) -> float:
    return round(float(value), _DIGITS) + 0.0  # no negative zero


def quaternion(rotation: Float) -> Float:
    """Return the unit quaternion (w, x, y, z) with w >= 0 of a rotation matrix, shape (4,).

    Half turns, where w = 0, get a positive first non-zero component.
    """
    from scipy.spatial.transform import Rotation

    x, y, z, w = Rotation.from_matrix(rotation).as_quat()
    q = np.array([w, x, y, z])
    q[np.abs(q) < 1e-12] = 0
    leading = q[np.flatnonzero(q)[0]]
    return q if leading > 0 else -q
