"""What the solver may know of a clip: where things are in its pictures, in pixels, and nothing metric."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from physprobe.errors import UserError

Float = NDArray[np.float64]

# Of a row of the dataset's ``annotations``, all that is taken.
COLUMNS = ("object", "frame", "box", "measures", "marks")


@dataclass(frozen=True)
class Sighting:
    """A thing in the pictures, T frames.

    Attributes:
        boxes: (T, 4) pixels: left, top, right, bottom of its outline.
        marks: word of a measure ("wheel diameter") -> (T, 2, 2) pixels: where its two ends are seen.
    """

    boxes: Float
    marks: Mapping[str, Float]

    @property
    def centers(self) -> Float:
        """Middles of the boxes, (T, 2) pixels."""
        return (self.boxes[:, :2] + self.boxes[:, 2:]) / 2

    @property
    def sides(self) -> Float:
        """Width and height of the boxes, (T, 2) pixels."""
        return self.boxes[:, 2:] - self.boxes[:, :2]


@dataclass(frozen=True)
class Observation:
    """A clip as its pictures show it.

    Attributes:
        fps: frames per second. size: width and height, pixels. things: by the name that questions use.
    """

    fps: float
    size: tuple[int, int]
    things: Mapping[str, Sighting]


def observe(rows: Iterable[Mapping[str, Any]], *, fps: float, width: int, height: int) -> Observation:
    """Take from a clip's rows of ``annotations`` what is seen, and leave what is true.

    Args:
        rows: one a thing and frame; of their columns only COLUMNS are read. fps, width, height: of the video.

    Raises:
        UserError: a column is missing, or frames of a thing are.
    """
    seen: dict[str, dict[int, Mapping[str, Any]]] = defaultdict(dict)
    for row in rows:
        try:
            kept = {name: row[name] for name in COLUMNS}
        except KeyError as error:
            raise UserError(f"the annotations lack column {error}: rebuild the dataset") from None
        seen[kept["object"]][kept["frame"]] = kept
    scale = np.array([width, height], dtype=np.float64)
    return Observation(fps, (width, height), {name: _sighting(name, of, scale) for name, of in seen.items()})


def _sighting(name: str, frames: Mapping[int, Mapping[str, Any]], scale: Float) -> Sighting:
    if sorted(frames) != list(range(len(frames))):
        raise UserError(f"the annotations lack frames of the {name}: rebuild the dataset")
    rows = [frames[k] for k in range(len(frames))]
    boxes = np.array([row["box"] for row in rows], dtype=np.float64) * np.tile(scale, 2)
    words = rows[0]["measures"]
    marks = np.array([row["marks"] for row in rows], dtype=np.float64).reshape(len(rows), len(words), 2, 2)
    return Sighting(boxes, {word: marks[:, k] * scale for k, word in enumerate(words)})
