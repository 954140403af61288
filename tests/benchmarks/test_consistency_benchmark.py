from __future__ import annotations

from benchmarks import consistency
from tests.support.tiny_families import tiny


def test_ours_traces_less_than_a_fifth_of_the_naive_ways_paths() -> None:
    for family_id in ("train_003", "test_intervention_002"):
        params = tiny(family_id)
        whole = params.width * params.height * params.spp
        assert whole < consistency._ours(params) < 21 * whole / 5


def test_quick_params_are_those_of_the_full_preset_but_small() -> None:
    quick, full = consistency._params("train_003", True), consistency._params("train_003", False)
    assert (quick.width, quick.spp, full.width, full.spp) == (100, 16, 500, 150)
    assert quick.bodies == full.bodies
