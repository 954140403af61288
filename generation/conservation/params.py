"""What every domain's parameters have in common."""

from __future__ import annotations

from typing import Any

from generation.conservation.design import Cell, Preset
from generation.conservation.timeline import Timeline
from generation.core.records import StrictModel
from physprobe.conservation.vocabulary import Condition, Direction, Position


class ClipParams(StrictModel):
    """Where a clip stands in the design, and its format; the twin differs in ``condition`` alone.

    Attributes:
        direction: what the non-conserving twin does; recorded, without effect, in the conserving clip too.
        width, height: pixels. fps: frames per second. num_frames: frames of the clip.
    """

    pair_id: str
    direction: Direction
    condition: Condition
    moved_position: Position
    width: int
    height: int
    fps: int
    num_frames: int

    @property
    def change(self) -> Direction | None:
        """What happens to the moved quantity in this clip; None if it is conserved."""
        return self.direction if self.condition == "nonconserving" else None

    @property
    def timeline(self) -> Timeline:
        """The frame grid."""
        return Timeline(self.num_frames, self.fps)

    @property
    def depth_sign(self) -> int:
        """The moved object's side of the table: +1 far (upper in the image), -1 near (lower)."""
        return 1 if self.moved_position == "upper" else -1

    @property
    def side_sign(self) -> int:
        """The moved object's side of the image: +1 right, -1 left."""
        return 1 if self.moved_position == "right" else -1


def cell_fields(cell: Cell, preset: Preset) -> dict[str, Any]:
    """Return the fields that the design fixes, for the conserving clip of a cell."""
    return {
        "pair_id": cell.pair_id,
        "direction": cell.direction,
        "condition": "conserving",
        "width": preset.width,
        "height": preset.height,
        "fps": preset.fps,
        "num_frames": preset.num_frames,
        **cell.factors,
    }
