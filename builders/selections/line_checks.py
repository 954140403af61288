"""What can be wrong with one selection beyond its form."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any


def content_problems(sound: Mapping[str, Any], seed: int, num_frames: Mapping[str, int]) -> Iterator[str]:
    """Yield what is wrong with the well-formed fields of a line.

    Args:
        sound: well-formed fields by name. seed: of the clips. num_frames: video_id -> frames in the clip.
    """
    if sound.get("seed", seed) != seed:
        yield f"chosen from clips of seed {sound['seed']}, these are of seed {seed}"
    frames = None
    if "video_id" in sound:
        frames = num_frames.get(sound["video_id"])
        if frames is None:
            yield _unknown_clip(sound["video_id"], num_frames)
    if "frame_indices" in sound:
        indices = sound["frame_indices"]
        if len(indices) != sound.get("frame_count", len(indices)):
            yield f"frame_indices has {len(indices)} entries, frame_count is {sound['frame_count']}"
        yield from _index_problems(indices, frames)


def _unknown_clip(video_id: str, num_frames: Mapping[str, int]) -> str:
    near = difflib.get_close_matches(video_id, num_frames, n=1)
    return f"unknown clip {video_id!r}" + (f"; did you mean {near[0]!r}?" if near else "")


def _index_problems(indices: Sequence[int], frames: int | None) -> Iterator[str]:
    repeated = [index for index, times in Counter(indices).items() if times > 1]
    if repeated:
        yield f"duplicate indices: {_listed(repeated)}"
    fall = next(((a, b) for a, b in pairwise(indices) if b < a), None)
    if fall:
        yield f"frame_indices are not increasing: {fall[1]} follows {fall[0]}"
    if 0 not in indices:
        yield "the clip's first frame, 0, is missing"
    if frames is None:
        outside, valid = [index for index in dict.fromkeys(indices) if index < 0], "frames are counted from 0"
    else:
        outside = [index for index in dict.fromkeys(indices) if not 0 <= index < frames]
        valid = f"the clip has frames 0 to {frames - 1}"
        if frames - 1 not in indices:
            yield f"the clip's last frame, {frames - 1}, is missing"
    if outside:
        yield f"out of range: {_listed(outside)}; {valid}"


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))
