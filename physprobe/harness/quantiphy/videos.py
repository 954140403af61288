"""The videos of our data set and of the public ones: as files, and as frames."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal

from physprobe.errors import UserError
from physprobe.files import cache_folder, file_sha256, write_whole
from physprobe.harness import clips, media
from physprobe.harness.quantiphy import official_files
from physprobe.video import FrameCache, Image, count_frames

DATASET = "quantiphy"
FILES_VARIABLE = "PHYSPROBE_VIDEOS"

Source = Literal["ours", "validation", "test"]


def video_file(source: Source, video_id: str) -> Path:
    """Return a video as a file, for models that open it themselves.

    Videos of our data set are written to $PHYSPROBE_VIDEOS (default: physprobe/videos in the user's cache),
    under a name made of their content.

    Raises:
        UserError: it is missing or can't be written; says what to do.
    """
    if source != "ours":
        return official_files.video_path(source, video_id)
    dataset = clips.open_clips(DATASET)
    path = cache_folder(FILES_VARIABLE, "videos") / f"{dataset.sha256(video_id)}.mp4"
    if not path.is_file():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, dataset.video(video_id))
        except OSError as error:
            raise UserError(
                f"can't write {path}: {error.strerror or error}; set {FILES_VARIABLE} to another folder"
            ) from error
    return path


def sha256(source: Source, video_id: str) -> str:
    """Return the SHA-256 of a video's MP4, in hexadecimal."""
    if source == "ours":
        return clips.open_clips(DATASET).sha256(video_id)
    return _file_sha256(official_files.video_path(source, video_id))


def num_frames(source: Source, video_id: str) -> int:
    """Return how many frames a video has.

    Raises:
        UserError: it is missing or damaged.
    """
    if source == "ours":
        return clips.open_clips(DATASET).num_frames(video_id)
    return _count(official_files.video_path(source, video_id))


def frames(source: Source, video_id: str, indices: Sequence[int]) -> list[Image]:
    """Return frames of a video, (H, W, 3) uint8 sRGB, read-only; repeated requests decode once.

    Raises:
        UserError: it is missing or damaged; names it.
    """
    if source == "ours":
        return clips.open_clips(DATASET).frames(video_id, indices, indices)
    path = official_files.video_path(source, video_id)
    return _official_cache().get(str(path), indices, path.read_bytes)


@lru_cache(maxsize=1)
def _official_cache() -> FrameCache:
    return FrameCache(media.cache_bytes())


@lru_cache(maxsize=4096)
def _count(path: Path) -> int:
    try:
        return count_frames(path)
    except UserError as error:
        raise UserError(f"video {path}: {error}") from error


_file_sha256 = lru_cache(maxsize=4096)(file_sha256)
