"""A raw folder of conservationbench as the configs of its dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from builders.conservation.facts import card_facts
from builders.conservation.rows import question_rows, video_rows
from builders.conservation.schema import QUESTIONS, STATIC, VIDEOS
from builders.conservation.source import Clip, read_clips
from builders.conservation.static import static_rows
from builders.selections.chosen import ChosenFrames, choose
from generation.conservation.design import cells
from generation.core.raw import RawFolder


@dataclass(frozen=True)
class ConservationSource:
    """The clips of a raw folder.

    Attributes:
        clips: in design order. frames: which ones questions show.
        complete: whether all pairs of the preset are there.
    """

    clips: Sequence[Clip]
    frames: ChosenFrames
    complete: bool

    @cached_property
    def questions(self) -> list[dict[str, Any]]:
        """All rows of ``questions``; they hold no media and are small."""
        return list(question_rows(self.clips, self.frames))

    def rows(self, config: str, split: str) -> Iterator[Mapping[str, Any]]:
        """Yield a config's rows in their final order; there is one split."""
        sources: dict[str, Callable[[], Iterable[Mapping[str, Any]]]] = {
            QUESTIONS.name: lambda: self.questions,
            VIDEOS.name: lambda: video_rows(self.clips),
            STATIC.name: lambda: static_rows(self.clips),
        }
        return iter(sources[config]())

    def facts(self) -> Mapping[str, Any]:
        """Return the card template's own variables."""
        return card_facts(self.clips, self.questions, self.frames)


def read(raw: RawFolder, partial: bool, selections: Sequence[Path]) -> ConservationSource:
    """Open a raw folder for building.

    Raises:
        UserError: as :func:`builders.conservation.source.read_clips`, or a record lacks frames.
        SelectionsError: the selections files hold anything wrong; lists all of it by line.
    """
    clips = read_clips(raw, partial=partial)
    pairs = {clip.cell.pair_id for clip in clips}
    return ConservationSource(
        clips, choose(clips, selections), complete=len(pairs) == len(cells(raw.manifest.preset))
    )
