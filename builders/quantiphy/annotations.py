"""Rows of ``annotations``: the exact state of each thing at each frame, and where it is seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from generation.quantiphy.records import CameraRecord, EntityInfo, EntityState, Happening

Float = NDArray[np.float64]

_DIGITS = 6  # of image coordinates


def annotation_rows(clip: Happening) -> Iterator[dict[str, Any]]:
    """Yield one row per thing and frame, thing by thing."""
    for number, info in enumerate(clip.entities):
        states = [frame.entities[number] for frame in clip.frames]
        marks = rulers(clip.camera, info, states) / (clip.width, clip.height)
        for frame, state, ends in zip(clip.frames, states, marks, strict=True):
            yield {
                "annotation_id": f"{clip.video_id}_{info.entity_id}_{frame.index:03d}",
                "video_id": clip.video_id,
                "object_id": info.entity_id,
                "object": info.name,
                "kind": info.kind,
                "color": info.color,
                "motion": info.motion,
                "frame": frame.index,
                "time": frame.time,
                "position": state.position,
                "velocity": state.velocity,
                "acceleration": state.acceleration,
                "quaternion": state.quaternion,
                "size": info.extents,
                "box": state.box,
                "depth": state.depth,
                "distance": state.distance,
                "visible": state.visibility,
                "measures": [*info.measures],
                "measure_values": [*info.measures.values()],
                "marks": [round(float(value), _DIGITS) + 0.0 for value in ends.ravel()],
            }


def rulers(camera: CameraRecord, info: EntityInfo, states: list[EntityState]) -> Float:
    """Return where the ends of a thing's measures are seen, (T, measures, 2, 2) pixels."""
    own = np.array([info.measure_axes[word] for word in info.measures]).reshape(-1, 3)
    turns = Rotation.from_quat([state.quaternion for state in states], scalar_first=True).as_matrix()
    places = np.einsum("tij,kj->tki", turns, own) + np.array([s.position for s in states])[:, None]
    return pixels(camera, places).reshape(len(states), -1, 2, 2)


def pixels(camera: CameraRecord, places: Float) -> Float:
    """Project places (..., 3) m to pixels (..., 2)."""
    matrix = np.array(camera.world_to_camera)
    seen = places @ matrix[:, :3].T + matrix[:, 3]
    return np.asarray(seen[..., :2] / seen[..., 2:] * camera.focal_length + camera.principal_point)
