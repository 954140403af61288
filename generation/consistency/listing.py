"""The families of a design as flat rows, without drawing or rendering anything."""

from __future__ import annotations

from generation.consistency.design import Family


def family_row(family: Family) -> dict[str, object]:
    """Describe a family, with the keys of the dataset contract and the design's factors."""
    return {
        "family_id": family.family_id,
        "split": family.split,
        "mechanism": family.mechanism,
        "lamp_direction": family.direction,
    }
