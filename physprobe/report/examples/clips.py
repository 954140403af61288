"""Frames of a dataset's clips, as small JPEG files."""

from __future__ import annotations

import io
import os
from collections import defaultdict
from collections.abc import Iterator, Set
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from physprobe import data
from physprobe.errors import UserError

_WIDTH = 320
_QUALITY = 82


def frame_name(video_id: str, index: int) -> str:
    """Name a frame's picture."""
    return f"{video_id}-{index:03d}"


def why_no_pictures(dataset: str, versions: Set[str]) -> str:
    """Say why a dataset's pictures can't be shown; "" if they can.

    Args:
        versions: of the dataset that answers were made with, as far as recorded ("" else).
    """
    if not os.environ.get(data.VARIABLE, "").strip():
        return f"set {data.VARIABLE} to the folder that holds {dataset}/ and make the report again"
    try:
        there = data.dataset_identity(dataset).version if Path(data.dataset_path(dataset)).is_dir() else ""
    except UserError as error:
        return str(error)
    known = versions - {""}
    if there and known and there not in known:
        return (
            f"{data.VARIABLE} holds version {there} of {dataset}, answers are of {', '.join(sorted(known))}"
        )
    return ""


def clip_pictures(dataset: str, names: frozenset[str]) -> Iterator[tuple[str, bytes]]:
    """Yield frames as JPEG, clip by clip; those of clips that the dataset lacks are left out.

    Args:
        dataset: for example "conservationbench". names: as :func:`frame_name` makes them.

    Raises:
        UserError: the dataset can't be loaded, or a clip can't be decoded.
    """
    from physprobe.video import count_frames, decode_frames

    wanted = defaultdict(list)
    for name in sorted(names):
        video, _, number = name.rpartition("-")
        wanted[video].append(int(number))
    table = data.load_config(dataset, "videos")
    for row, video in enumerate(table["video_id"]):
        if video not in wanted:
            continue
        clip = table[row]["video"]["bytes"]
        length = count_frames(clip)
        inside = [index for index in wanted[video] if index < length]
        for index, frame in zip(inside, decode_frames(clip, inside), strict=True):
            yield frame_name(video, index), jpeg(frame)


def jpeg(frame: NDArray[np.uint8]) -> bytes:
    """Scale a frame (H, W, 3), sRGB, down to a page's size and compress it."""
    from PIL import Image

    image = Image.fromarray(frame)
    if image.width > _WIDTH:
        height = round(image.height * _WIDTH / image.width)
        image = image.resize((_WIDTH, height), Image.Resampling.LANCZOS)
    file = io.BytesIO()
    image.save(file, "JPEG", quality=_QUALITY)
    return file.getvalue()
