from __future__ import annotations

from collections import Counter

import pytest

from generation.consistency.appearance import DIRECTIONS, ELEVATIONS_DEG, LOOKS, lamp_bands
from generation.consistency.design import PRESETS, SPLIT_SIZES, design, families
from physprobe.consistency.vocabulary import SPLITS
from physprobe.errors import UserError


def test_full_has_the_papers_splits() -> None:
    counts = Counter(family.split for family in families("full"))
    assert counts == {
        "train": 300,
        "validation": 50,
        "test_standard": 50,
        "test_appearance": 50,
        "test_intervention": 50,
    }
    assert tuple(SPLIT_SIZES) == SPLITS
    assert len({family.family_id for family in design()}) == 500


def test_only_the_shifted_suites_differ() -> None:
    assert {f.split for f in design() if f.mechanism == "B"} == {"test_intervention"}
    assert {f.split for f in design() if f.look == "held_out"} == {"test_appearance"}


def test_lamps_shine_from_all_sides_equally_often() -> None:
    for split in SPLITS:
        counts = Counter(family.direction for family in design() if family.split == split)
        assert len(counts) == DIRECTIONS
        assert max(counts.values()) - min(counts.values()) <= 1


def test_mini_has_a_family_of_each_split() -> None:
    assert [family.split for family in families("mini")] == list(SPLITS)
    assert (PRESETS["full"].width, PRESETS["full"].spp) == (500, 150)


def test_unknown_preset_is_refused() -> None:
    with pytest.raises(UserError, match="huge"):
        families("huge")


def test_held_out_appearance_is_disjoint_from_the_common_one() -> None:
    common, held_out = LOOKS["common"], LOOKS["held_out"]
    assert not set(common.hues) & set(held_out.hues)
    hues = [(a, b) for a in common.hues.values() for b in held_out.hues.values()]
    assert min(min(abs(a - b), 1 - abs(a - b)) for a, b in hues) > 0.024  # drawn within 0.012 of each
    apart = [(a, b) for a in common.roughness for b in held_out.roughness]
    assert all(a[1] < b[0] or b[1] < a[0] for a, b in apart)
    for a in common.shapes:
        for b in held_out.shapes:
            # Shapes of one kind differ in a proportion.
            ranges = zip(a[1:], b[1:], strict=True)
            assert a[0] != b[0] or any(one[1] < two[0] or two[1] < one[0] for one, two in ranges)


def test_lamp_combinations_are_disjoint_and_cover_everything() -> None:
    for direction in range(DIRECTIONS):
        common, held_out = lamp_bands("common", direction), lamp_bands("held_out", direction)
        assert sorted((*common, *held_out)) == sorted(ELEVATIONS_DEG)
    assert {b for d in range(DIRECTIONS) for b in lamp_bands("held_out", d)} == set(ELEVATIONS_DEG)
