"""Pictures of datasets, frames of clips or images, as small JPEG files."""

from __future__ import annotations

import io
import os
from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from physprobe import data
from physprobe.errors import UserError

if TYPE_CHECKING:
    from PIL.Image import Image

_WIDTH = 320
_IMAGE_WIDTH = 640
_QUALITY = 82


def frame_name(video_id: str, index: int) -> str:
    """Name a frame's picture."""
    return f"{video_id}-{index:03d}"


def no_pictures(names: frozenset[str]) -> Iterator[tuple[str, bytes]]:
    """Yield nothing: there is no dataset to take pictures from."""
    return iter(())


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


def image_pictures(
    dataset: str, config: str, splits: Sequence[str], key: str, names: frozenset[str]
) -> Iterator[tuple[str, bytes]]:
    """Yield images as JPEG; those that the dataset lacks are left out.

    Args:
        dataset, config, splits: where they are, in a column "image". key: column of names. names: wanted.

    Raises:
        UserError: the dataset can't be loaded.
    """
    for split in splits:
        table = data.load_config(dataset, config, split)
        for row, name in enumerate(table[key]):
            if name in names:
                yield name, jpeg(table[row]["image"], _IMAGE_WIDTH)


def jpeg(picture: NDArray[np.uint8] | Image, width: int = _WIDTH) -> bytes:
    """Scale a picture, a PIL image or (H, W, 3) sRGB, down to a width in pixels and compress it."""
    from PIL import Image

    image = picture if isinstance(picture, Image.Image) else Image.fromarray(picture)
    if image.width > width:
        height = round(image.height * width / image.width)
        image = image.resize((width, height), Image.Resampling.LANCZOS)
    file = io.BytesIO()
    image.convert("RGB").save(file, "JPEG", quality=_QUALITY)
    return file.getvalue()
