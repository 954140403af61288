"""Exact frames out of MP4 files, by index, and a cache that several threads can share.

A frame's index is its rank in presentation order. It is found by the presentation timestamps (pts) of the
file's packets, never by counting decoder output after a seek, so B-frames and edit lists do no harm.
"""

from __future__ import annotations

import io
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from threading import Lock, RLock
from typing import Any, BinaryIO

import av
import av.error
import numpy as np
from av.video.reformatter import VideoReformatter
from numpy.typing import NDArray

from physprobe.errors import UserError

Image = NDArray[np.uint8]


@dataclass(frozen=True)
class VideoInfo:
    """What a fully decoded video turned out to hold.

    Attributes:
        num_frames: frames decoded. fps: mean frames per second, exact. width, height: pixels.
    """

    num_frames: int
    fps: Fraction
    width: int
    height: int


@dataclass(frozen=True)
class _Timeline:
    """Presentation order of a file's frames, read from its packets without decoding.

    Attributes:
        pts: strictly increasing, one per frame, in the stream's time base.
        keyframes: (pts, dts) of each keyframe, by increasing pts.
        declared: number of frames the header promises, 0 when it says nothing.
    """

    pts: tuple[int, ...]
    keyframes: tuple[tuple[int, int], ...]
    declared: int

    def index(self, pts: int | None) -> int:
        """Return the index of the frame shown at ``pts`` (of the one before it when there is none)."""
        return max(0, bisect_right(self.pts, pts) - 1) if pts is not None else 0

    def groups(self, indices: Sequence[int]) -> dict[int, list[int]]:
        """Group frame indices by the dts of the last keyframe at or before them."""
        starts = [pts for pts, _ in self.keyframes]
        groups: dict[int, list[int]] = {}
        for index in indices:
            rank = max(0, bisect_right(starts, self.pts[index]) - 1)
            groups.setdefault(self.keyframes[rank][1], []).append(index)
        return groups


def inspect_video(data: bytes | Path) -> VideoInfo:
    """Decode every frame of an MP4 and say what it holds.

    Args:
        data: the file's bytes or its path.

    Raises:
        UserError: the file is no MP4, holds no video, is cut short, or a frame can't be decoded; the message
            names the frame (0-based, presentation order).
    """
    with _open(data, strict=True) as (container, stream):
        timeline = _scan(container, stream)
        total = max(len(timeline.pts), timeline.declared)
        decoded = _decode_all(container, stream, timeline)
        missing = next((k for k, pts in enumerate(timeline.pts) if pts not in decoded), None)
        if missing is None and timeline.declared > len(timeline.pts):
            missing = len(timeline.pts)
        if missing is not None:
            raise _undecodable(missing, total, "the file is cut short or damaged")
        _check_boxes(data)
        rate = stream.average_rate or stream.base_rate or Fraction(0)
        return VideoInfo(
            len(timeline.pts), Fraction(rate), stream.codec_context.width, stream.codec_context.height
        )


def count_frames(data: bytes | Path) -> int:
    """Return how many frames an MP4 shows, without decoding any.

    Raises:
        UserError: as :func:`inspect_video`, except for frames that can't be decoded.
    """
    with _open(data) as (container, stream):
        return len(_scan(container, stream).pts)


def decode_frames(data: bytes | Path, indices: Sequence[int]) -> list[Image]:
    """Decode chosen frames of an MP4, exactly these.

    Decoding starts at the last keyframe before each frame; frames that share one are decoded in one pass.

    Args:
        data: the file's bytes or its path.
        indices: 0-based, in any order, repeats allowed.

    Returns:
        One read-only (H, W, 3) uint8 sRGB array per entry of ``indices``, in that order.

    Raises:
        UserError: as :func:`inspect_video`, or an index outside the video.
    """
    wanted = sorted({int(index) for index in indices})
    if not wanted:
        return []
    with _open(data) as (container, stream):
        timeline = _scan(container, stream)
        outside = next((k for k in wanted if not 0 <= k < len(timeline.pts)), None)
        if outside is not None:
            raise UserError(
                f"frame {outside} asked for, but the video has frames 0 to {len(timeline.pts) - 1}"
            )
        frames: dict[int, Image] = {}
        for start, group in timeline.groups(wanted).items():
            frames.update(_decode_group(container, stream, timeline, start, group))
    return [frames[int(index)] for index in indices]


def _check_boxes(data: bytes | Path) -> None:
    """Check that the top-level boxes fill the file: a cut may lose no frame and still be one."""
    with _open_file(data) as file:
        end, position = file.seek(0, io.SEEK_END), 0
        while position < end:
            file.seek(position)
            header = file.read(16)
            size = int.from_bytes(header[:4], "big")
            if size == 1:  # a 64-bit size follows the type
                size = int.from_bytes(header[8:16], "big")
            position = end if size == 0 else position + max(size, 8)
        if position != end:
            raise UserError(f"the MP4 is cut short or damaged: {end} bytes, its boxes need {position}")


@contextmanager
def _open(data: bytes | Path, *, strict: bool = False) -> Iterator[tuple[Any, Any]]:
    """Open an MP4's first video stream; ``strict`` turns damage that decoders usually conceal into errors."""
    with _open_file(data) as file:
        if file.read(12)[4:8] != b"ftyp":
            raise UserError("not an MP4 file (no ftyp box at its start)")
        file.seek(0)
        try:
            container = av.open(file, format="mp4")
        except (av.error.FFmpegError, ValueError) as error:
            raise UserError(
                "the MP4 has no readable header (moov box): it is cut short or damaged"
            ) from error
        with container:
            if not container.streams.video:
                raise UserError("the MP4 holds no video stream, or its header (moov box) is cut short")
            stream = container.streams.video[0]
            if stream.codec_context is None:
                raise UserError(
                    "the MP4's header (moov box) names no known codec: it is cut short or damaged"
                )
            # One thread, so that an error belongs to the packet at hand.
            stream.codec_context.thread_count = 1
            if strict:
                stream.codec_context.options = {"err_detect": "explode"}
            yield container, stream


def _open_file(data: bytes | Path) -> BinaryIO:
    if isinstance(data, bytes):
        return io.BytesIO(data)
    try:
        return data.open("rb")
    except OSError as error:
        raise UserError(f"can't read {data}: {error.strerror}") from error


def _scan(container: Any, stream: Any) -> _Timeline:
    shown, keyframes = [], []
    try:
        for packet in container.demux(stream):
            if packet.pts is None or packet.size == 0:
                continue
            if not packet.is_discard:
                shown.append(packet.pts)
            if packet.is_keyframe:
                keyframes.append((packet.pts, packet.pts if packet.dts is None else packet.dts))
    except av.error.FFmpegError as error:
        raise _undecodable(len(shown), stream.frames, _reason(error)) from error
    if not shown or not keyframes:
        raise _undecodable(0, stream.frames, "the file holds no complete frame")
    return _Timeline(tuple(sorted(shown)), tuple(sorted(keyframes)), stream.frames)


def _decode_all(container: Any, stream: Any, timeline: _Timeline) -> set[int]:
    """Return the pts of all frames that decode; raise at the first that does not."""
    decoded: set[int] = set()
    _rewind(container, stream, timeline)
    packet_pts: int | None = None
    try:
        for packet in container.demux(stream):
            packet_pts = packet.pts
            for frame in packet.decode():
                if frame.is_corrupt:
                    raise _undecodable(timeline.index(frame.pts), len(timeline.pts), "its data is damaged")
                decoded.add(frame.pts)
    except av.error.FFmpegError as error:
        total = max(len(timeline.pts), timeline.declared)
        raise _undecodable(timeline.index(packet_pts), total, _reason(error)) from error
    return decoded


def _decode_group(
    container: Any, stream: Any, timeline: _Timeline, start: int, group: Sequence[int]
) -> dict[int, Image]:
    """Decode sorted indices from the keyframe at dts ``start``, or from the first one if that fails."""
    wanted = {timeline.pts[index]: index for index in group}
    try:
        container.seek(start, stream=stream)
        frames = _collect(container, stream, wanted)
        if len(frames) < len(wanted):
            _rewind(container, stream, timeline)
            frames = _collect(container, stream, wanted)
    except av.error.FFmpegError as error:
        raise _undecodable(group[0], len(timeline.pts), _reason(error)) from error
    lost = next((index for index in group if index not in frames), None)
    if lost is not None:
        raise _undecodable(lost, len(timeline.pts), "the decoder skips it")
    return frames


def _collect(container: Any, stream: Any, wanted: dict[int, int]) -> dict[int, Image]:
    """Decode onwards until every wanted pts was met or passed."""
    frames: dict[int, Image] = {}
    reformatter: Any = VideoReformatter()
    last = max(wanted)
    for frame in container.decode(stream):
        if frame.pts in wanted:
            image = reformatter.reformat(frame, format="rgb24").to_ndarray()
            image.setflags(write=False)
            frames[wanted[frame.pts]] = image
        if frame.pts is not None and frame.pts >= last:
            break
    return frames


def _rewind(container: Any, stream: Any, timeline: _Timeline) -> None:
    container.seek(min(dts for _, dts in timeline.keyframes), stream=stream)


def _undecodable(frame: int, total: int, why: str) -> UserError:
    of = f" of {total}" if total else ""
    return UserError(f"frame {frame}{of} (counted from 0) can't be decoded: {why}")


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


class _Entry:
    """One video's decoded frames, with a lock so that only one thread decodes it at a time."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.frames: dict[int, Image] = {}
        self.nbytes = 0

    def add(self, indices: Sequence[int], frames: Sequence[Image]) -> None:
        self.frames.update(zip(indices, frames, strict=True))
        self.nbytes = sum(frame.nbytes for frame in self.frames.values())


class FrameCache:
    """Decoded frames of the most recently used videos, bounded in bytes; safe to share between threads.

    A request decodes all its missing frames in one pass. Threads that ask for the same video wait for one
    another instead of decoding twice; other videos are decoded at the same time.
    """

    def __init__(self, max_bytes: int = 512 * 2**20) -> None:
        """Make an empty cache that keeps at most ``max_bytes`` of pixels (a larger video is not kept)."""
        self.max_bytes = max_bytes
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._lock = RLock()

    @property
    def nbytes(self) -> int:
        """Bytes of pixels held now."""
        with self._lock:
            return sum(entry.nbytes for entry in self._entries.values())

    def get(self, video_id: str, indices: Sequence[int], load: Callable[[], bytes]) -> list[Image]:
        """Return frames of a video, from memory where possible.

        Args:
            video_id: names the video; two videos must never share one.
            indices: as in :func:`decode_frames`.
            load: gives the MP4's bytes; called only when a frame is missing.

        Returns:
            As :func:`decode_frames`: read-only arrays, shared with later callers.

        Raises:
            UserError: as :func:`decode_frames`, with the video's id in front.
        """
        entry = self._touch(video_id)
        with entry.lock:
            missing = sorted({int(index) for index in indices} - entry.frames.keys())
            if missing:
                try:
                    decoded = decode_frames(load(), missing)
                except UserError as error:
                    raise UserError(f"video {video_id}: {error}") from error
                entry.add(missing, decoded)
            frames = [entry.frames[int(index)] for index in indices]
        if missing:
            self._evict(video_id)
        return frames

    def _touch(self, video_id: str) -> _Entry:
        with self._lock:
            entry = self._entries.setdefault(video_id, _Entry())
            self._entries.move_to_end(video_id)
            return entry

    def _evict(self, newest: str) -> None:
        with self._lock:
            entry = self._entries.get(newest)
            if entry is not None and entry.nbytes > self.max_bytes:
                del self._entries[newest]
            while self.nbytes > self.max_bytes:
                self._entries.popitem(last=False)
