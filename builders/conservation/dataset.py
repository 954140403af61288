"""A raw folder of conservationbench as the configs of its dataset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from builders.conservation.facts import card_facts
from builders.conservation.rows import question_rows, video_rows
from builders.conservation.schema import QUESTIONS, VIDEOS
from builders.conservation.source import Clip, read_clips
from generation.conservation.design import cells
from generation.core.raw import RawFolder


@dataclass(frozen=True)
class ConservationSource:
    """The clips of a raw folder.

    Attributes:
        clips: in design order. complete: whether all of the preset are there.
    """

    clips: Sequence[Clip]
    complete: bool

    @cached_property
    def questions(self) -> list[dict[str, Any]]:
        """All rows of ``questions``; they hold no media and are small."""
        return list(question_rows(self.clips))

    def rows(self, config: str) -> Iterator[Mapping[str, Any]]:
        """Yield a config's rows in their final order."""
        sources = {QUESTIONS.name: lambda: iter(self.questions), VIDEOS.name: lambda: video_rows(self.clips)}
        return sources[config]()

    def facts(self) -> Mapping[str, Any]:
        """Return the card template's own variables."""
        return card_facts(self.clips, self.questions)


def read(raw: RawFolder, partial: bool) -> ConservationSource:
    """Open a raw folder for building.

    Raises:
        UserError: as :func:`builders.conservation.source.read_clips`.
    """
    clips = read_clips(raw, partial=partial)
    pairs = {clip.cell.pair_id for clip in clips}
    return ConservationSource(clips, complete=len(pairs) == len(cells(raw.manifest.preset)))
