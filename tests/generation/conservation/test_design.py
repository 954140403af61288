from collections import Counter
from itertools import combinations

import pytest

from generation.conservation.design import FACTORS, PRESETS, cells, design
from physprobe.errors import UserError

DOMAINS = tuple(FACTORS)


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_combination_occurs_once(domain):
    found = design(domain)
    assert len(found) == 48
    assert len({cell.pair_id for cell in found}) == 48
    assert len({tuple(cell.factors.items()) for cell in found}) == 48
    for name, levels in FACTORS[domain].items():
        assert Counter(cell.factors[name] for cell in found) == dict.fromkeys(levels, 48 // len(levels))


@pytest.mark.parametrize("domain", DOMAINS)
def test_half_gain_and_half_lose_in_every_level(domain):
    found = design(domain)
    for name, levels in FACTORS[domain].items():
        for level in levels:
            directions = Counter(cell.direction for cell in found if cell.factors[name] == level)
            assert directions["gain"] == directions["loss"] == 24 // len(levels)


@pytest.mark.parametrize("domain", DOMAINS)
def test_directions_balance_over_every_two_factors(domain):
    found = design(domain)
    for one, other in combinations(FACTORS[domain], 2):
        counts = Counter((cell.factors[one], cell.factors[other], cell.direction) for cell in found)
        for a in FACTORS[domain][one]:
            for b in FACTORS[domain][other]:
                gains, losses = counts[a, b, "gain"], counts[a, b, "loss"]
                assert abs(gains - losses) == (gains + losses) % 2
                assert gains + losses > 0


@pytest.mark.parametrize("domain", DOMAINS)
def test_each_side_takes_half_of_every_level_and_direction(domain):
    found = design(domain)
    for name, levels in FACTORS[domain].items():
        if name == "moved_position":
            continue
        for level in levels:
            sides = Counter(cell.factors["moved_position"] for cell in found if cell.factors[name] == level)
            assert set(sides.values()) == {24 // len(levels)}
    both = Counter((cell.factors["moved_position"], cell.direction) for cell in found)
    assert set(both.values()) == {12}


def test_pair_ids_name_their_levels_in_order():
    assert "number_uniform_lower_near_3" in {cell.pair_id for cell in design("number")}
    assert "length_mixed_upper_far_left_rotate" in {cell.pair_id for cell in design("length")}
    assert "volume_red_tall_to_short_small_left" in {cell.pair_id for cell in design("volume")}
    assert "size_red_sphere_to_cylinder_left" in {cell.pair_id for cell in design("size")}


def test_mini_is_balanced_in_every_factor():
    mini = PRESETS["mini"]
    for domain in ("number", "length"):
        found = mini.cells(domain)
        assert len(found) == 6
        assert Counter(cell.direction for cell in found) == {"gain": 3, "loss": 3}
        for name, levels in FACTORS[domain].items():
            assert Counter(cell.factors[name] for cell in found) == dict.fromkeys(levels, 6 // len(levels))


def test_presets_differ_in_size_and_share_their_clock():
    assert len(cells("mini")) == 12
    assert len(cells("full")) == 192
    assert {cell.pair_id for cell in cells("mini")} < {cell.pair_id for cell in cells("full")}
    assert (PRESETS["mini"].width, PRESETS["mini"].height) == (320, 240)
    assert (PRESETS["full"].width, PRESETS["full"].height) == (640, 480)
    assert {(preset.fps, preset.num_frames) for preset in PRESETS.values()} == {(24, 72)}


def test_unknown_names_list_the_valid_ones():
    with pytest.raises(UserError, match="unknown preset 'tiny'; valid: full, mini"):
        cells("tiny")
    with pytest.raises(UserError, match="unknown domain 'colour'; valid: length, number, size, volume"):
        design("colour")
