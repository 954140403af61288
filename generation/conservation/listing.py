"""The clips of a design as flat rows, without rendering anything."""

from __future__ import annotations

from generation.conservation.design import Cell
from physprobe.conservation.vocabulary import CONDITIONS, TRANSFORMATION


def video_id(pair_id: str, condition: str) -> str:
    """Return the id of one clip of a pair."""
    return f"{pair_id}_{condition}"


def clip_rows(cell: Cell) -> list[dict[str, object]]:
    """Describe a pair's two clips, with the keys of the dataset contract and the design's factors."""
    return [
        {
            "pair_id": cell.pair_id,
            "domain": cell.domain,
            "condition": condition,
            "video_id": video_id(cell.pair_id, condition),
            "direction": cell.direction,
            "transformation": TRANSFORMATION[cell.domain],
            **cell.factors,
        }
        for condition in CONDITIONS
    ]
