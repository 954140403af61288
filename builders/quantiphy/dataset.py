"""A raw folder of quantiphy as the configs of its dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builders.quantiphy.annotations import annotation_rows
from builders.quantiphy.facts import card_facts
from builders.quantiphy.rows import question_rows, video_rows
from builders.quantiphy.schema import ANNOTATIONS, QUESTIONS, VIDEOS
from builders.quantiphy.source import Filmed, planned, read_clip
from generation.core.raw import RawFolder
from generation.quantiphy.design import Clip, clips
from physprobe.errors import UserError


@dataclass(frozen=True)
class QuantiphySource:
    """The clips of a raw folder; their records are large and read one at a time.

    Attributes:
        clips: in design order. complete: whether all of the preset are there.
    """

    raw: RawFolder
    clips: Sequence[Clip]
    complete: bool

    def rows(self, config: str, split: str) -> Iterator[Mapping[str, Any]]:
        """Yield a config's rows in their final order; there is one split."""
        makers: dict[str, Callable[[Filmed], Iterable[Mapping[str, Any]]]] = {
            QUESTIONS.name: question_rows,
            VIDEOS.name: video_rows,
            ANNOTATIONS.name: lambda filmed: annotation_rows(filmed.record),
        }
        for filmed in self._filmed():
            yield from makers[config](filmed)

    def facts(self) -> Mapping[str, Any]:
        """Return the card template's own variables."""
        return card_facts(self._filmed())

    def _filmed(self) -> Iterator[Filmed]:
        return (read_clip(self.raw, clip) for clip in self.clips)


def read(raw: RawFolder, partial: bool, selections: Sequence[Path]) -> QuantiphySource:
    """Open a raw folder for building.

    Raises:
        UserError: clips are missing and ``partial`` is not set, or there are selections files.
    """
    if selections:
        raise UserError("quantiphy takes no selections files: its questions show all frames")
    there = planned(raw, partial=partial)
    return QuantiphySource(raw, there, complete=len(there) == len(clips(raw.manifest.preset)))
