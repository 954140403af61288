"""All frames chosen for the clips of a raw folder: what the dataset builder asks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from builders.conservation.source import Clip, read_clips
from builders.selections.agreement import agreed
from builders.selections.clips import clip_facts, full_record
from builders.selections.kinematic import kinematic_indices
from builders.selections.reading import read_selections
from builders.selections.records import Selection
from generation.core.raw import RawFolder
from physprobe.conservation.frames import uniform_indices
from physprobe.conservation.vocabulary import EXTRACTIONS, FRAME_COUNTS, Extraction

Key = tuple[str, Extraction, int]
Indices = tuple[int, ...]


@dataclass(frozen=True)
class ChosenFrames(Mapping[Key, Indices]):
    """A mapping (video_id, extraction, frame_count) -> frame indices.

    ``uniform`` and ``kinematic`` cover every clip and frame count; ``model`` and ``human`` what was chosen.

    Attributes:
        indices: the mapping itself. video_ids: of all clips, in design order.
        selectors: who chose: "model" -> its id, "human" -> the annotators' pseudonyms, sorted.
    """

    indices: Mapping[Key, Indices]
    video_ids: tuple[str, ...]
    selectors: Mapping[Extraction, tuple[str, ...]] = field(default_factory=dict)

    def __getitem__(self, key: Key) -> Indices:
        """Return the frames of a clip for one extraction and frame count."""
        return self.indices[key]

    def __iter__(self) -> Iterator[Key]:
        """Iterate over keys."""
        return iter(self.indices)

    def __len__(self) -> int:
        """Return the number of keys."""
        return len(self.indices)

    @property
    def available_extractions(self) -> tuple[Extraction, ...]:
        """The extractions that any clip has, in the order of the vocabulary."""
        present = {extraction for _, extraction, _ in self.indices}
        return tuple(extraction for extraction in EXTRACTIONS if extraction in present)

    def missing(self, extraction: Extraction) -> tuple[tuple[str, int], ...]:
        """Return (video_id, frame_count) of all for which nothing was chosen, in design order."""
        return tuple(
            (video_id, count)
            for video_id in self.video_ids
            for count in FRAME_COUNTS
            if (video_id, extraction, count) not in self.indices
        )


def selections_for(raw: RawFolder, files: Sequence[Path] = (), *, partial: bool = False) -> ChosenFrames:
    """Choose the frames of every clip of a raw folder, by every extraction there is.

    Args:
        raw: the folder. files: selections files with ``model`` and ``human`` choices.
        partial: take the pairs that are there instead of asking for all of the preset.

    Raises:
        SelectionsError: the files hold anything wrong; lists all of it by line.
        UserError: a file or a record can't be read, or the folder is unfinished.
    """
    return choose(read_clips(raw, partial=partial), files)


def choose(clips: Sequence[Clip], files: Sequence[Path] = ()) -> ChosenFrames:
    """Do the same for clips that were read already."""
    selections = read_selections(files, clip_facts(clips))  # first: it is what may fail
    indices: dict[Key, Indices] = {}
    for clip in clips:
        record = full_record(clip)
        video_id = record.video_id
        for count, chosen in kinematic_indices(record, FRAME_COUNTS).items():
            indices[video_id, "uniform", count] = uniform_indices(record.num_frames, count)
            indices[video_id, "kinematic", count] = chosen
    indices |= agreed_selections(selections)
    return ChosenFrames(indices, tuple(clip.record.video_id for clip in clips), _selectors(selections))


def agreed_selections(selections: Iterable[Selection]) -> dict[Key, Indices]:
    """Settle on one choice per clip, extraction and frame count where several people chose."""
    choices: dict[Key, list[Indices]] = defaultdict(list)
    for s in selections:
        choices[s.video_id, s.extraction, s.frame_count].append(s.frame_indices)
    return {key: agreed(of_key) for key, of_key in choices.items()}


def _selectors(selections: Iterable[Selection]) -> dict[Extraction, tuple[str, ...]]:
    names: dict[Extraction, set[str]] = defaultdict(set)
    for selection in selections:
        names[selection.extraction].add(selection.selector)
    return {extraction: tuple(sorted(of)) for extraction, of in names.items()}
