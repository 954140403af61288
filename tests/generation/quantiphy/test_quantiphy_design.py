from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from generation.quantiphy.design import OFFICIAL, OFFICIAL_CATEGORIES, PRESETS, clips, design
from physprobe.errors import UserError

TYPES = {"".join(letters) for letters in product("SVA", "23", "SM", "XSC")}


def test_the_official_counts_are_whole() -> None:
    assert set(OFFICIAL) == TYPES
    assert sum(videos for videos, _, _ in OFFICIAL.values()) == 568
    assert sum(static + dynamic for _, static, dynamic in OFFICIAL.values()) == 3289
    assert sum(OFFICIAL_CATEGORIES.values()) == 3289


def test_full_is_as_large_as_the_official_set_and_has_every_type() -> None:
    full = clips("full")
    assert len(full) >= 569
    assert sum(clip.static_questions + clip.dynamic_questions for clip in full) >= 3355
    assert {clip.video_type for clip in full} == TYPES
    assert min(Counter(clip.video_type for clip in full).values()) >= 4
    assert len({clip.video_id for clip in full}) == len(full)
    assert all(clip.static_questions + clip.dynamic_questions for clip in full)


def test_category_shares_are_the_official_ones() -> None:
    asked: Counter[str] = Counter()
    for clip in design():
        asked[clip.category] += clip.static_questions + clip.dynamic_questions
    total = sum(asked.values())
    for name, count in OFFICIAL_CATEGORIES.items():
        assert asked[name] / total == pytest.approx(count / 3289, abs=0.002)


def test_background_shares_are_close_to_the_official_ones() -> None:
    official, ours = Counter[str](), Counter[str]()
    for video_type, (_, static, dynamic) in OFFICIAL.items():
        official[video_type[3]] += static + dynamic
    for clip in design():
        ours[clip.background] += clip.static_questions + clip.dynamic_questions
    for name, count in official.items():
        assert ours[name] / sum(ours.values()) == pytest.approx(count / 3289, abs=0.005)


def test_mini_covers_categories_backgrounds_and_object_numbers() -> None:
    mini = clips("mini")
    assert len(mini) == len(PRESETS["mini"].video_ids or ())
    assert {clip.category for clip in mini} == set(OFFICIAL_CATEGORIES)
    assert {clip.background for clip in mini} == set("XSC")
    assert {clip.prior for clip in mini} == set("SVA")
    assert {clip.is_multiple for clip in mini} == {True, False}
    assert set(mini) <= set(design())


def test_sizes_are_even() -> None:
    assert all(preset.width % 2 == preset.height % 2 == 0 for preset in PRESETS.values())


def test_an_unknown_preset_is_named() -> None:
    with pytest.raises(UserError, match="huge"):
        clips("huge")
