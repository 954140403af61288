"""Everything that makes a clip of QuantiPhy, saved whole beside it."""

from __future__ import annotations

from generation.core.records import StrictModel
from generation.quantiphy.camera_setup import CameraParams
from generation.quantiphy.motion.catalog import MotionParams
from generation.quantiphy.places.model import PlaceParams
from generation.quantiphy.things.model import ThingParams
from generation.scene import Float


class EntityParams(StrictModel):
    """A thing that questions may name, and how it moves.

    Attributes:
        entity_id: unique in the clip, "thing_0".
    """

    entity_id: str
    thing: ThingParams
    motion: MotionParams


class WorldParams(StrictModel):
    """A clip.

    Attributes:
        static_questions, dynamic_questions: how many are planned.
        width, height: pixels. fps: frames per second. num_frames: of the clip.
    """

    video_id: str
    video_type: str
    static_questions: int
    dynamic_questions: int
    width: int
    height: int
    fps: int
    num_frames: int
    place: PlaceParams
    camera: CameraParams
    entities: tuple[EntityParams, ...]

    @property
    def times(self) -> Float:
        """Time of each frame, (num_frames,) s: exactly index / fps."""
        return frame_times(self.num_frames, self.fps)


def frame_times(num_frames: int, fps: int) -> Float:
    """Return the times of frames, (num_frames,) s."""
    import numpy as np

    return np.arange(num_frames, dtype=np.float64) / fps
