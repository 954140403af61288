from __future__ import annotations

import pytest

from generation.consistency.appearance import LOOKS, lamp_bands
from generation.consistency.case import Case, View
from generation.consistency.limits import misfit, scene_misfit
from generation.consistency.sampling import Rejections, sample
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
