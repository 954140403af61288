"""A small family of physical-consistency, drawn once per process."""

from __future__ import annotations

import functools

from generation.consistency.design import Family, Preset, design
from generation.consistency.params import FamilyParams
from generation.consistency.sampling import Rejections, sample
from generation.core.seeds import item_rng

TINY = Preset(name="tiny", width=100, height=100, spp=4, per_split=1)


def family(family_id: str) -> Family:
    """Look up a family of the design."""
    return next(each for each in design() if each.family_id == family_id)


@functools.cache
def tiny(family_id: str) -> FamilyParams:
    """Draw a family at 100x100, 4 spp."""
    rng = item_rng(0, "tiny families", family_id)
    return sample(rng, family(family_id), TINY, Rejections())
