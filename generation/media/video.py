"""H.264 video that browsers play, the same bytes for the same frames."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from av.video.reformatter import ColorRange, Colorspace
from numpy.typing import NDArray

# A short fixed GOP makes seeking to any frame cheap; more than one thread changes the bytes, and so, now and
# then, does macroblock-tree rate control: of 40 encodings of the same frames in one process, 13 were alike.
_GOP = 12
_ENCODER = {"crf": "18", "preset": "medium", "profile": "high"}
_ENCODER["x264-params"] = "scenecut=0:open-gop=0:mbtree=0"
# BT.601 is what decoders that ignore the tags (PyAV, OpenCV, decord) take for granted.
_MATRIX = Colorspace.ITU601
# bitexact leaves out library versions and clocks; faststart puts the index first: playing starts at once.
_MUXER = {"movflags": "+faststart", "fflags": "+bitexact"}


def encode_mp4(frames: Iterable[NDArray[np.uint8]], path: Path, fps: int) -> None:
    """Write frames as an MP4 file, whole or not at all: H.264, yuv420p, BT.601 matrix, constant frame rate.

    Args:
        frames: at least one (H, W, 3) uint8 sRGB array; all of one even height and width.
        path: destination; replaced if it exists.
        fps: frames per second.

    Raises:
        ValueError: there are no frames, or a frame's shape or type doesn't fit.
    """
    with tempfile.NamedTemporaryFile(
        dir=path.parent, prefix=f".{path.name}.", suffix=".mp4", delete=False
    ) as file:
        temporary = Path(file.name)
    try:
        _encode(frames, temporary, fps)
        temporary.chmod(0o644)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _encode(frames: Iterable[NDArray[np.uint8]], path: Path, fps: int) -> None:
    with av.open(str(path), "w", format="mp4", options=_MUXER) as container:
        stream: Any = None
        shape: tuple[int, ...] = ()
        for number, pixels in enumerate(frames):
            if stream is None:
                shape = pixels.shape
                stream = _stream(container, shape, fps)
            if pixels.shape != shape or pixels.dtype != np.uint8:
                raise ValueError(f"frame {number} is {pixels.dtype} {pixels.shape}, not uint8 {shape}")
            container.mux(stream.encode(_yuv(pixels, number, fps)))
        if stream is None:
            raise ValueError("no frames to encode")
        container.mux(stream.encode(None))


def _stream(container: Any, shape: tuple[int, ...], fps: int) -> Any:
    if len(shape) != 3 or shape[2] != 3 or shape[0] % 2 or shape[1] % 2:
        raise ValueError(f"frames must be (H, W, 3) with even H and W, not {shape}")
    stream = container.add_stream("libx264", rate=fps, options=_ENCODER)
    stream.width, stream.height, stream.pix_fmt = shape[1], shape[0], "yuv420p"
    context = stream.codec_context
    context.thread_count = 1
    context.gop_size = _GOP
    context.time_base = Fraction(1, fps)
    context.color_range = ColorRange.MPEG
    context.colorspace = _MATRIX
    context.color_primaries = 1  # BT.709
    context.color_trc = 13  # IEC 61966-2-1 (sRGB)
    context.flags |= av.codec.context.Flags.bitexact
    return stream


def _yuv(pixels: NDArray[np.uint8], number: int, fps: int) -> Any:
    rgb = av.VideoFrame.from_ndarray(np.ascontiguousarray(pixels), format="rgb24")
    frame = rgb.reformat(
        format="yuv420p",
        src_colorspace=_MATRIX,
        dst_colorspace=_MATRIX,
        src_color_range=ColorRange.JPEG,
        dst_color_range=ColorRange.MPEG,
    )
    frame.pts, frame.time_base = number, Fraction(1, fps)
    return frame
