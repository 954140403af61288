from __future__ import annotations

from collections import Counter

import pytest

from generation.conservation.design import FACTORS, design
from physprobe.conservation.subset import human_subset


def chosen(domain: str) -> tuple[str, ...]:
    return human_subset({cell.pair_id: cell.direction for cell in design(domain)})


@pytest.mark.parametrize("domain", FACTORS)
def test_the_choice_is_pinned(domain, snapshot):
    assert list(chosen(domain)) == snapshot


@pytest.mark.parametrize("domain", FACTORS)
def test_one_in_eight_with_every_level_and_direction_as_often_as_possible(domain):
    cells = [cell for cell in design(domain) if cell.pair_id in chosen(domain)]
    assert len(cells) == len(design(domain)) // 8 == 6
    assert set(Counter(cell.direction for cell in cells).values()) == {3}
    for factor, levels in FACTORS[domain].items():
        counts = Counter(cell.factors[factor] for cell in cells)
        assert max(counts.values()) - min(counts[level] for level in levels) <= 1


def test_order_of_the_pairs_changes_nothing():
    directions = {cell.pair_id: cell.direction for cell in design("number")}
    assert human_subset(dict(reversed(directions.items()))) == human_subset(directions)


def test_few_pairs_give_one():
    assert len(human_subset({"number_a_1": "gain", "number_b_2": "loss", "number_a_3": "gain"})) == 1
    assert human_subset({"number_a_1": "gain"}) == ("number_a_1",)
