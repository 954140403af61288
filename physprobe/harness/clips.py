"""The clips of a dataset: opened once a process, each decoded once."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from threading import Lock
from typing import Any

from physprobe import data
from physprobe.errors import UserError
from physprobe.harness import media
from physprobe.video import FrameCache, Image

_loading = Lock()


@dataclass(frozen=True)
class Clips:
    """One dataset's clips: its ``videos`` config, where each is in it, and what is known of them so far."""

    dataset: str
    table: Any
    rows: Mapping[str, int]
    cache: FrameCache
    hashes: dict[str, str] = field(default_factory=dict)
    lengths: dict[str, int] = field(default_factory=dict)

    def video(self, video_id: str) -> bytes:
        """Return a clip's MP4.

        Raises:
            UserError: the dataset has no such clip.
        """
        if video_id not in self.rows:
            raise UserError(
                f"dataset {self.dataset} has no clip {video_id}, which a question shows: rebuild it"
            )
        return self.table[self.rows[video_id]]["video"]["bytes"]

    def num_frames(self, video_id: str) -> int:
        """Return how many frames a clip has, as the dataset says."""
        if video_id not in self.lengths:
            self.lengths.update(zip(self.table["video_id"], self.table["num_frames"], strict=True))
        return self.lengths[video_id]

    def sha256(self, video_id: str) -> str:
        """Return the SHA-256 of a clip's MP4, in hexadecimal."""
        if video_id not in self.hashes:
            self.hashes[video_id] = hashlib.sha256(self.video(video_id)).hexdigest()
        return self.hashes[video_id]

    def frames(self, video_id: str, shown: Sequence[int], wanted: Sequence[int]) -> list[Image]:
        """Return frames of a clip.

        Args:
            video_id: of the clip. shown: indices of the frames to return, in order.
            wanted: those that any question of the task shows: decoded in one pass, and kept.

        Returns:
            (H, W, 3) uint8 sRGB, read-only, shared with later callers.

        Raises:
            UserError: the clip is missing from the dataset or can't be decoded; names it.
        """
        decoded = self.cache.get(video_id, wanted, partial(self.video, video_id))
        known = dict(zip(wanted, decoded, strict=True))
        return [known[index] for index in shown]


def open_clips(dataset: str) -> Clips:
    """Return the clips of a dataset, as far as PHYSPROBE_DATA says where it is.

    Args:
        dataset: for example "conservationbench".

    Raises:
        UserError: it can't be loaded.
    """
    with _loading:  # once, although several threads may ask
        return _open(dataset, data.dataset_path(dataset))


@lru_cache(maxsize=2)
def _open(dataset: str, path: str) -> Clips:
    table = data.load_config(dataset, "videos")
    rows = {video_id: row for row, video_id in enumerate(table["video_id"])}
    return Clips(dataset, table, rows, FrameCache(media.cache_bytes()))
