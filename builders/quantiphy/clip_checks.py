"""What must hold in a row of ``videos`` and in the annotations of a clip."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from builders.quantiphy.schema import SEGMENTED
from builders.quantiphy.truth import Track
from physprobe.errors import UserError
from physprobe.video import inspect_video

Row = Mapping[str, Any]

_FLAT = 1e-6  # m, or of the depth: how constant depth is in 2D
_PIXEL = 1e-4  # of the image: how closely marks of a length at rest and boxes are projected again
# Between frames, how far a place may be from what its velocities say, as a share of the fastest way.
_DRIFT = 0.02


def video_problems(row: Row) -> Iterator[str]:
    """Yield what is wrong with a row of ``videos``: every frame is decoded."""
    is_segmented = row["video_id"].endswith(SEGMENTED)
    expected = {
        "variant": "segmented" if is_segmented else "original",
        "original_id": row["video_id"].removesuffix(SEGMENTED),
    }
    for name, value in expected.items():
        if row[name] != value:
            yield f"{name} is {row[name]!r}, not {value!r}"
    if row["video"]["path"] != f"{row['video_id']}.mp4":
        yield f"video.path is {row['video']['path']!r}"
    try:
        if not isinstance(json.loads(row["parameters"]), dict):
            yield "parameters are not a JSON object"
    except ValueError:
        yield "parameters are not a JSON object"
    if len(row["principal_point"]) != 2 or len(row["world_to_camera"]) != 12:
        yield "the camera has not 2 and 12 numbers"
    try:
        info = inspect_video(row["video"]["bytes"])
    except UserError as error:
        yield f"{row['video']['path']}: {error}"
        return
    found = {"num_frames": info.num_frames, "fps": info.fps, "width": info.width, "height": info.height}
    for name, value in found.items():
        if value != row[name]:
            yield f"the file's {name} is {value}, the row says {row[name]}"


def annotation_problems(video: Row, objects: Mapping[str, Sequence[Row]]) -> Iterator[str]:
    """Yield what is wrong with a clip's annotations.

    Args:
        video: the clip's row of ``videos``. objects: object_id -> its rows, ordered by frame.
    """
    names = [rows[0]["object"] for rows in objects.values()]
    if len(set(names)) != len(names):
        yield f"names are ambiguous: {', '.join(sorted(names))}"
    for object_id, rows in objects.items():
        frames = [row["frame"] for row in rows]
        if frames != list(range(video["num_frames"])):
            yield f"{object_id} has {len(frames)} frames, not each of {video['num_frames']}"
            continue
        times = np.array([row["time"] for row in rows])
        if not np.array_equal(times, np.arange(len(rows)) / video["fps"]):
            yield f"{object_id}: frame k is not at k / fps"
        for problem in (*_projection(video, rows), *_kinematics(Track.of(list(rows)))):
            yield f"{object_id}: {problem}"


def flatness_problems(tracks: Mapping[str, Track]) -> Iterator[str]:
    """Yield the things of a 2D clip whose depth changes."""
    for name, track in tracks.items():
        if np.ptp(track.depth) > _FLAT:
            yield f"the depth of the {name} changes by {np.ptp(track.depth):.2g} m in 2D"


def _projection(video: Row, rows: Sequence[Row]) -> Iterator[str]:
    """Compare depth and the box's place with the position through the camera."""
    matrix = np.array(video["world_to_camera"], dtype=np.float64).reshape(3, 4)
    position = np.array([row["position"] for row in rows])
    local = position @ matrix[:, :3].T + matrix[:, 3]
    if not np.allclose(local[:, 2], [row["depth"] for row in rows], rtol=1e-9, atol=0):
        yield "depth is not what camera and position give"
    size = video["width"], video["height"]
    seen = (local[:, :2] / local[:, 2:] * video["focal_length"] + video["principal_point"]) / size
    box = np.array([row["box"] for row in rows])
    if not ((seen > box[:, :2] - _PIXEL) & (seen < box[:, 2:] + _PIXEL)).all():
        yield "its middle is not in its box"


def _kinematics(track: Track) -> Iterator[str]:
    """Compare steps from frame to frame with the velocities at their ends: jumps are few."""
    steps = np.diff(track.position, axis=0)
    means = (track.velocity[1:] + track.velocity[:-1]) / 2 * np.diff(track.times)[:, None]
    fastest = max(float(np.linalg.norm(track.velocity, axis=1).max() * track.times[1]), 1e-9)
    off = np.linalg.norm(steps - means, axis=1) / fastest
    if np.median(off) > _DRIFT:
        yield "positions and velocities disagree"
