from __future__ import annotations

import functools

import numpy as np
import pytest

from generation.consistency.appearance import LOOKS, lamp_bands
from generation.consistency.case import Case, View
from generation.consistency.catalog import VIOLATIONS
from generation.consistency.design import Family, design
from generation.consistency.limits import misfit, scene_misfit, twin_misfit
from generation.consistency.params import FamilyParams, Intervention
from generation.consistency.sampling import Rejections, elevation_deg, sample, sample_twins
from generation.consistency.world import build
from generation.core.seeds import item_rng
from physprobe.consistency.vocabulary import CATEGORIES
from tests.support.tiny_families import TINY, family, tiny

IDS = ("train_003", "test_appearance_003", "test_intervention_002")


@pytest.mark.parametrize("family_id", IDS)
def test_a_family_has_each_category_by_its_mechanism(family_id: str) -> None:
    params = tiny(family_id)
    assert [i.category for i in params.interventions] == list(CATEGORIES)
    assert {i.mechanism for i in params.interventions} == {family(family_id).mechanism}
    view = View(build(params.model_copy(update={"width": 125, "height": 125})))
    assert scene_misfit(view) == ""
    assert [misfit(Case(view, intervention)) for intervention in params.interventions] == [""] * 10


def test_draws_depend_on_seed_and_key_alone_and_not_on_the_preset() -> None:
    again = sample(item_rng(0, "tiny families", "train_003"), family("train_003"), TINY, Rejections())
    assert again == tiny("train_003")
    larger = TINY.model_copy(update={"width": 200, "height": 200, "spp": 9})
    drawn = sample(item_rng(0, "tiny families", "train_003"), family("train_003"), larger, Rejections())
    assert drawn.model_copy(update={"width": 100, "height": 100, "spp": 4}) == tiny("train_003")
    other = sample(item_rng(1, "tiny families", "train_003"), family("train_003"), TINY, Rejections())
    assert other.bodies != tiny("train_003").bodies


@pytest.mark.parametrize("family_id", IDS)
def test_appearance_stays_in_its_ranges(family_id: str) -> None:
    params, look = tiny(family_id), family(family_id).look
    stand_ins = [i.stand_in for i in params.interventions if i.stand_in]
    shapes = {shape[0] for shape in LOOKS[look].shapes}
    for body in (*params.bodies, *stand_ins):
        assert body.color_name in LOOKS[look].hues
        assert body.geometry in shapes
        assert any(low <= body.roughness <= high for low, high in LOOKS[look].roughness)
    bands = lamp_bands(look, params.lamp.direction)
    assert any(low <= params.lamp.elevation_deg <= high for low, high in bands)


def test_parameters_survive_json() -> None:
    params = tiny("train_003")
    assert type(params).model_validate_json(params.model_dump_json()) == params


def test_names_take_the_right_article() -> None:
    body = tiny("train_003").bodies[0].model_copy(update={"geometry": "box", "color_name": "orange"})
    assert body.name_with_article == "an orange box"
    assert body.model_copy(update={"color_name": "red"}).name_with_article == "a red box"


@functools.cache
def _twins() -> dict[str, FamilyParams]:
    rng = item_rng(0, "tiny families", "train_003")
    return {**sample_twins(rng, family("train_003"), TINY, Rejections())}


def _pairs() -> list[dict[str, Intervention]]:
    both = zip(_twins()["A"].interventions, _twins()["B"].interventions, strict=True)
    return [{"A": one, "B": other} for one, other in both]


def test_a_family_is_drawn_by_either_mechanism_of_the_same_scene_and_objects() -> None:
    twins = _twins()
    assert twins["A"] == tiny("train_003")
    assert twins["A"].model_copy(update={"interventions": ()}) == twins["B"].model_copy(
        update={"interventions": ()}
    )
    for pair in _pairs():
        assert {mechanism: drawn.mechanism for mechanism, drawn in pair.items()} == {"A": "A", "B": "B"}
        assert (pair["A"].category, pair["A"].target) == (pair["B"].category, pair["B"].target)


def test_violations_are_as_large_by_either_mechanism() -> None:
    view = View(build(_twins()["A"].model_copy(update={"width": 125, "height": 125})))
    for pair in _pairs():
        masks = [VIOLATIONS[d.category].masks(Case(view, d)).affected for d in pair.values()]
        areas = [mask.mean() for mask in masks]
        assert max(areas) <= 1.3 * min(areas), pair["A"].category
        assert twin_misfit(view, pair) == ""


def test_twins_of_different_size_are_refused() -> None:
    view = View(build(_twins()["A"].model_copy(update={"width": 125, "height": 125})))
    [pair] = [pair for pair in _pairs() if pair["A"].category == "wrong_reflected_object_identity"]
    stand_in = pair["B"].stand_in
    assert stand_in is not None
    grown = stand_in.model_copy(update={"half_extents": tuple(1.3 * n for n in stand_in.half_extents)})
    pair["B"] = pair["B"].model_copy(update={"stand_in": grown})
    assert twin_misfit(view, pair) == "mechanisms differ in area"


def test_wrong_highlights_are_in_the_same_place_away_from_the_true_one() -> None:
    view = View(build(_twins()["A"].model_copy(update={"width": 250, "height": 250})))
    [pair] = [pair for pair in _pairs() if pair["A"].category == "incorrect_specular_highlight"]
    masks = [VIOLATIONS[d.category].masks(Case(view, d)).affected for d in pair.values()]
    one, other = (np.argwhere(mask).mean(axis=0) for mask in masks)
    assert np.linalg.norm(one - other) < 3
    assert (masks[0] & masks[1]).sum() > 0.5 * masks[0].sum()


@pytest.mark.parametrize("split", ["train", "test_intervention", "test_appearance"])
def test_elevations_are_spread_evenly_over_their_bands(split: str) -> None:
    rng = np.random.default_rng(0)
    places = sorted(_place(rng, each) for each in design() if each.split == split)
    steps = (np.arange(len(places)) + 0.5) / len(places)
    # Independent draws would be farther from even than this, nine times of ten.
    assert np.abs(np.array(places) - steps).max() < 0.57 / len(places) ** 0.5


def _place(rng: np.random.Generator, drawn: Family) -> float:
    """Return where a family's elevation lies in its bands laid end to end, in [0, 1]."""
    bands, value = lamp_bands(drawn.look, drawn.direction), elevation_deg(rng, drawn, 0.15)
    [(index, low, high)] = [(k, *band) for k, band in enumerate(bands) if band[0] <= value <= band[1]]
    return (index + (value - low) / (high - low)) / len(bands)
