"""What must hold in a row of ``videos``, and what is kept of it for all that refers to it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from physprobe.conservation.vocabulary import CONDITIONS, DOMAINS
from physprobe.errors import UserError
from physprobe.video import decode_frames, inspect_video

Row = Mapping[str, Any]
Float = NDArray[np.float64]

UNITS = {"number": "count", "length": "m", "volume": "m^3", "size": "m^3"}

# Lengths come out of a few floating-point operations on metres.
_RELATIVE = 1e-9

# Side of the squares, in pixels, over which two pictures are compared: coding noise averages out in them.
_BLOCK = 8

_VALUES: dict[str, Sequence[object]] = {"domain": DOMAINS, "condition": CONDITIONS}


@dataclass(frozen=True)
class Picture:
    """A decoded frame, reduced.

    Attributes:
        sha256: as :func:`pixels_sha256`.
        blocks: mean of each channel in each whole square of 8 x 8 pixels, in [0, 255].
    """

    sha256: str
    blocks: Float


@dataclass
class ClipCheck:
    """A row of ``videos``, looked at.

    Attributes:
        row: without its media. problems: what is wrong with it.
        frames: as decoded, 0 where the file is damaged. first, last: its frames, where it is sound.
        parameters: of the generator; empty where they are no JSON object.
        relation: the last quantities', "" where they make no sense.
    """

    row: Row
    problems: list[str] = field(default_factory=list)
    frames: int = 0
    first: Picture | None = None
    last: Picture | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    relation: str = ""

    @property
    def moved_position(self) -> str:
        """Where the moved object lies, "" where the parameters don't say."""
        return str(self.parameters.get("moved_position", ""))

    def quantity(self, name: str) -> Float:
        """Return the quantity of the "moved" or "reference" object at each frame."""
        return np.array(self.row["quantities"][name], dtype=np.float64)


def check_clip(row: Row) -> ClipCheck:
    """Look at a row of ``videos`` that fits the schema and holds no nulls."""
    clip = ClipCheck({name: value for name, value in row.items() if name != "video"})
    clip.problems += foreign_values(row, _VALUES)
    _check_quantities(clip)
    _check_parameters(clip)
    if row["video_id"] != f"{row['pair_id']}_{row['condition']}":
        clip.problems.append(f"its id is not pair_id {row['pair_id']} + _ + condition {row['condition']}")
    if row["video"]["path"] != f"{row['video_id']}.mp4":
        clip.problems.append(f"video.path is {row['video']['path']!r}")
    _check_media(clip, row["video"])
    return clip


def foreign_values(row: Row, allowed: Mapping[str, Sequence[object]]) -> list[str]:
    """Say of each named column whose value is none of those allowed what it holds."""
    return [
        f"{name} is {row[name]!r}, not one of {', '.join(map(str, values))}"
        for name, values in allowed.items()
        if row[name] not in values
    ]


def same(one: Any, other: Any) -> bool:
    """Tell whether quantities are equal up to rounding."""
    return bool(np.isclose(one, other, rtol=_RELATIVE, atol=0).all())


def pixels_sha256(frame: NDArray[np.uint8]) -> str:
    """Return the SHA-256 of shape and pixels of an (H, W, 3) frame, in hex."""
    return hashlib.sha256(repr(frame.shape).encode() + frame.tobytes()).hexdigest()


def _picture(frame: NDArray[np.uint8]) -> Picture:
    height, width = (side // _BLOCK for side in frame.shape[:2])
    whole = frame[: height * _BLOCK, : width * _BLOCK].astype(np.float64)
    blocks = whole.reshape(height, _BLOCK, width, _BLOCK, -1).mean(axis=(1, 3))
    return Picture(pixels_sha256(frame), blocks)


def _check_media(clip: ClipCheck, media: Row) -> None:
    row = clip.row
    try:
        info = inspect_video(media["bytes"])
        first, last = decode_frames(media["bytes"], [0, info.num_frames - 1])
    except UserError as error:
        clip.problems.append(f"{media['path']}: {error}")
        return
    clip.frames, clip.first, clip.last = info.num_frames, _picture(first), _picture(last)
    if info.num_frames != row["num_frames"]:
        clip.problems.append(f"the file has {info.num_frames} frames, num_frames is {row['num_frames']}")
    if info.fps != row["fps"]:
        clip.problems.append(f"the file runs at {info.fps} frames per second, fps is {row['fps']}")


def _check_parameters(clip: ClipCheck) -> None:
    try:
        parameters = json.loads(clip.row["parameters"])
    except (ValueError, RecursionError):
        parameters = None
    if isinstance(parameters, dict):
        clip.parameters = parameters
    else:
        clip.problems.append("parameters are not a JSON object")


def _check_quantities(clip: ClipCheck) -> None:
    row, problems = clip.row, clip.problems
    moved, reference = clip.quantity("moved"), clip.quantity("reference")
    if not len(moved) == len(reference) == row["num_frames"] > 0:
        problems.append(
            f"quantities have {len(moved)} and {len(reference)} frames, num_frames is {row['num_frames']}"
        )
        return
    unit = row["quantities"]["unit"]
    if unit != UNITS.get(row["domain"], unit):
        problems.append(f"quantities are in {unit!r}, not in {UNITS[row['domain']]!r}")
    if not same(reference, reference[0]):
        problems.append("the reference quantity changes")
    if not same(moved[0], reference[0]):
        problems.append(f"the objects start unequal: {moved[0]} and {reference[0]}")
    if same(moved[-1], reference[-1]):
        clip.relation = "same"
    else:
        clip.relation = "moved_more" if moved[-1] > reference[-1] else "moved_less"
    if row["condition"] == "conserving" and not same(moved, moved[0]):
        problems.append("the moved quantity changes in a conserving clip")
    if row["condition"] == "nonconserving" and clip.relation == "same":
        problems.append("the final quantities are equal in a nonconserving clip")
