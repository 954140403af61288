"""What selections need to know of the clips of a raw folder."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import ValidationError

from builders.conservation.source import Clip
from builders.selections.reading import ClipFacts
from generation.core.records import ClipRecord
from physprobe.errors import UserError


def clip_facts(clips: Sequence[Clip]) -> ClipFacts:
    """Return what selections are checked against; ``clips`` holds at least one."""
    return ClipFacts(clips[0].record.seed, {clip.record.video_id: clip.record.num_frames for clip in clips})


def full_record(clip: Clip) -> ClipRecord:
    """Read a clip's record again, with the per-frame poses and boxes that a :class:`Clip` leaves out.

    Raises:
        UserError: it can't be read any more.
    """
    path = clip.path.with_suffix(".json")
    try:
        return ClipRecord.model_validate_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, ValidationError) as error:
        raise UserError(f"can't read {path}: remove {path.parent} and generate it again") from error
