"""Which families there are (paper: Table 1)."""

from __future__ import annotations

from dataclasses import dataclass

from generation.consistency.appearance import DIRECTIONS, Look
from generation.core.records import StrictModel
from physprobe.consistency.vocabulary import Mechanism
from physprobe.errors import unknown_name

SPLIT_SIZES: dict[str, int] = {
    "train": 300,
    "validation": 50,
    "test_standard": 50,
    "test_appearance": 50,
    "test_intervention": 50,
}


@dataclass(frozen=True)
class Family:
    """One scene of the design.

    Attributes:
        family_id: unique and stable, for example "train_007". split: its only one.
        direction: from which of eight sides the lamp shines, 0 to 7.
    """

    family_id: str
    split: str
    direction: int

    @property
    def number(self) -> int:
        """Which one of its split, from 0."""
        return int(self.family_id.rsplit("_", 1)[1])

    @property
    def mechanism(self) -> Mechanism:
        """How its violations are made: only the intervention suite uses B."""
        return "B" if self.split == "test_intervention" else "A"

    @property
    def look(self) -> Look:
        """Where its appearance is drawn from."""
        return "held_out" if self.split == "test_appearance" else "common"


class Preset(StrictModel):
    """Which families are rendered, and how.

    Attributes:
        width, height: pixels. spp: samples per pixel. per_split: families of each split; None is all.
    """

    name: str
    width: int
    height: int
    spp: int
    per_split: int | None


PRESETS: dict[str, Preset] = {
    "mini": Preset(name="mini", width=250, height=250, spp=64, per_split=1),
    "full": Preset(name="full", width=500, height=500, spp=150, per_split=None),
}


def design() -> tuple[Family, ...]:
    """Enumerate all families, split by split; lamps shine from all eight sides about equally often."""
    return tuple(
        Family(f"{split}_{k:03d}", split, k % DIRECTIONS)
        for split, size in SPLIT_SIZES.items()
        for k in range(size)
    )


def families(preset: str) -> tuple[Family, ...]:
    """Return the families of a preset in design order.

    Raises:
        UserError: there is no such preset.
    """
    if preset not in PRESETS:
        raise unknown_name("preset", preset, PRESETS)
    limit = PRESETS[preset].per_split
    return tuple(f for f in design() if limit is None or f.number < limit)
