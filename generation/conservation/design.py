"""Factorial designs and presets of conservationbench (paper: Appendix G, Table 4)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from generation.conservation.palette import COLORS
from generation.core.records import StrictModel
from physprobe.conservation.vocabulary import Direction, Domain
from physprobe.errors import unknown_name

Level = str | int

# Levels in the order of Table 4; the order fixes pair ids and the direction of the twins.
FACTORS: dict[Domain, dict[str, tuple[Level, ...]]] = {
    "number": {
        "object_type": ("uniform", "mixed"),
        "moved_position": ("lower", "upper"),
        "spread": ("near", "far"),
        "count": (3, 4, 5, 6, 7, 8),
    },
    "length": {
        "object_type": ("uniform", "mixed"),
        "moved_position": ("lower", "upper"),
        "distance": ("near", "far"),
        "side": ("left", "right"),
        "action": ("slide", "rotate", "vertical"),
    },
    "volume": {
        "color": COLORS,
        "transfer": ("tall_to_short", "short_to_tall"),
        "amount": ("small", "medium", "large"),
    },
    "size": {
        "color": COLORS,
        "reshaping": (
            "sphere_to_cylinder",
            "sphere_to_plane",
            "cylinder_to_sphere",
            "cylinder_to_plane",
            "plane_to_sphere",
            "plane_to_cylinder",
        ),
    },
}

# Three two-level factors: their parity splits 48 cells in half within every level, and six cells can hold
# three of each direction while every factor stays 3:3 (with four such factors they couldn't).
_DIRECTION_FACTORS: dict[Domain, tuple[str, ...]] = {
    "number": ("object_type", "moved_position", "spread"),
    "length": ("object_type", "moved_position", "distance"),
    "volume": ("color", "transfer", "amount"),
    "size": ("color", "reshaping"),
}

# Table 4 leaves open on which side the moved object of these domains is. By the parity of these sums of level
# indices, each side takes half of every level, and half of each direction.
_SIDES: dict[Domain, Callable[..., int]] = {
    "volume": lambda color, transfer, _: color // 2 + transfer,
    "size": lambda color, reshaping: color // 2 + reshaping + reshaping // 2,
}


@dataclass(frozen=True)
class Cell:
    """One combination of factor levels: a conserving clip and its non-conserving twin.

    Attributes:
        domain: the conserved quantity.
        pair_id: unique and stable, for example "length_mixed_upper_far_left_rotate".
        direction: whether the moved quantity grows or shrinks in the non-conserving twin.
        factors: factor name -> level, in the order of the design; "moved_position" is among them, or follows.
    """

    domain: Domain
    pair_id: str
    direction: Direction
    factors: Mapping[str, Level]


class Preset(StrictModel):
    """Which cells are rendered, and at which resolution.

    Attributes:
        width, height: pixels. fps: frames per second. num_frames: frames of a clip.
        pairs: domain -> pair ids; a domain that maps to None takes its whole design.
    """

    name: str
    width: int
    height: int
    fps: int
    num_frames: int
    pairs: dict[Domain, tuple[str, ...] | None]

    def cells(self, domain: Domain) -> tuple[Cell, ...]:
        """Return the domain's cells of this preset in design order; empty if it has none of them."""
        if domain not in self.pairs:
            return ()
        chosen = self.pairs[domain]
        return tuple(cell for cell in design(domain) if chosen is None or cell.pair_id in chosen)


# Six cells a domain in which every factor level, and each direction, occurs equally often.
_MINI_NUMBER = (
    "number_uniform_lower_near_3",
    "number_mixed_upper_far_4",
    "number_mixed_upper_near_5",
    "number_uniform_lower_far_6",
    "number_mixed_lower_far_7",
    "number_uniform_upper_near_8",
)
_MINI_LENGTH = (
    "length_uniform_lower_near_left_slide",
    "length_mixed_upper_far_right_slide",
    "length_mixed_upper_near_right_rotate",
    "length_uniform_lower_far_left_rotate",
    "length_mixed_lower_far_left_vertical",
    "length_uniform_upper_near_right_vertical",
)

PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            name="mini",
            width=320,
            height=240,
            fps=24,
            num_frames=72,
            pairs={"number": _MINI_NUMBER, "length": _MINI_LENGTH},
        ),
        Preset(
            name="full",
            width=640,
            height=480,
            fps=24,
            num_frames=72,
            pairs={"number": None, "length": None, "volume": None, "size": None},
        ),
    )
}


def design(domain: str) -> tuple[Cell, ...]:
    """Enumerate the 48 cells of a domain's full factorial design, first factor slowest (paper: Table 4).

    Raises:
        UserError: the domain is unknown or has no scenes yet.
    """
    factors = FACTORS.get(cast(Domain, domain))
    if factors is None:
        raise unknown_name("domain", domain, FACTORS)
    combinations = itertools.product(*factors.values())
    return tuple(
        _cell(cast(Domain, domain), dict(zip(factors, levels, strict=True))) for levels in combinations
    )


def cells(preset: str) -> tuple[Cell, ...]:
    """Return every cell of a preset, domain by domain.

    Raises:
        UserError: there is no such preset.
    """
    if preset not in PRESETS:
        raise unknown_name("preset", preset, PRESETS)
    chosen = PRESETS[preset]
    return tuple(cell for domain in chosen.pairs for cell in chosen.cells(domain))


def _cell(domain: Domain, factors: dict[str, Level]) -> Cell:
    levels = FACTORS[domain]
    index = {name: levels[name].index(level) for name, level in factors.items()}
    odd = sum(index[name] for name in _DIRECTION_FACTORS[domain]) % 2
    if domain in _SIDES:
        factors = factors | {"moved_position": ("left", "right")[_SIDES[domain](*index.values()) % 2]}
    pair_id = "_".join([domain, *(str(level) for level in factors.values())])
    return Cell(domain, pair_id, "loss" if odd else "gain", factors)
