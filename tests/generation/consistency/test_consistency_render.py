from __future__ import annotations

import functools

import numpy as np
import pytest

from generation.consistency.case import Case, Image, Shade, View, feathered, mixed
from generation.consistency.catalog import VIOLATIONS
from generation.consistency.checks import effect, image_misfit, seam
from generation.consistency.family import Finished, finish
from generation.consistency.render import paint, pooled
from generation.consistency.render_rules import own_casters
from generation.consistency.world import build
from generation.rendering.tone import to_srgb8
from tests.support.tiny_families import tiny

IDS = ("train_003", "test_intervention_002")


@functools.cache
def _finished(family_id: str) -> Finished:
    return finish(tiny(family_id))


@pytest.mark.parametrize("family_id", IDS)
def test_outside_its_influence_an_image_agrees_with_the_clean_one(family_id: str) -> None:
    done = _finished(family_id)
    for case, masks, image in zip(done.cases, done.masks, done.violated, strict=True):
        differs = (image != done.clean).any(axis=-1) & ~masks.influence
        assert differs.mean() < 2e-3, case.intervention.category


@pytest.mark.parametrize("family_id", IDS)
def test_every_violation_shows_where_its_mask_says(family_id: str) -> None:
    done = _finished(family_id)
    for case, masks, image in zip(done.cases, done.masks, done.violated, strict=True):
        inside = effect(done.clean, image, masks.affected)
        assert inside > 0.03, case.intervention.category
        rest = ~(masks.affected | masks.evidence | masks.influence)
        assert effect(done.clean, image, rest) < inside / 50
        assert (masks.evidence | ~masks.affected).all()


@pytest.mark.parametrize("family_id", IDS)
def test_no_seam_where_an_influence_fades(family_id: str) -> None:
    done = _finished(family_id)
    soft = [(m.fading, i) for m, i in zip(done.masks, done.violated, strict=True) if m.fading is not None]
    assert len(soft) >= 2
    for weights, image in soft:
        assert seam(done.clean, image, weights) < 0.01
    weights, image = soft[0]
    pushed = np.where((weights > 0)[..., None], image // 2, image)
    assert seam(done.clean, pushed, weights) > 0.05


def test_an_image_depends_on_no_other_one() -> None:
    params = tiny("train_003")
    view = View(build(params))
    chosen = [case for case in (Case(view, i) for i in params.interventions) if _is_chosen(case)]
    images = paint(view, chosen[::-1])
    whole = _finished("train_003")
    assert np.array_equal(to_srgb8(images.clean), whole.clean)
    for case, image in zip(chosen[::-1], images.violated, strict=True):
        index = [c.intervention.category for c in whole.cases].index(case.intervention.category)
        assert np.array_equal(to_srgb8(image), whole.violated[index])


def _is_chosen(case: Case) -> bool:
    return case.intervention.category in ("missing_cast_shadow", "missing_reflection", "floating_object")


def test_a_second_family_needs_no_new_kernels() -> None:
    import drjit as dr

    _finished("train_003")
    with dr.scoped_set_flag(dr.JitFlag.KernelHistory, True):
        dr.kernel_history_clear()
        finish(tiny("test_appearance_003"))
        kernels = [entry for entry in dr.kernel_history() if entry["type"] == dr.KernelType.JIT]
    assert kernels
    assert [k["hash"] for k in kernels if not k["cache_hit"]] == []


def test_a_removed_shadow_leaves_the_ground_as_bright_as_around_it() -> None:
    done = _finished("train_003")
    index = [case.intervention.category for case in done.cases].index("missing_cast_shadow")
    mask = done.masks[index].affected
    near = feathered(mask, 4.0) > 0
    ground = (done.cases[index].view.clean.what < 0) & near & ~mask & ~done.cases[index].view.shadow
    filled, dark = done.violated[index][mask].mean(), done.clean[mask].mean()
    around = done.clean[ground].mean()
    assert abs(filled - around) < 0.35 * abs(dark - around)


def test_a_pass_holds_equal_layers_once() -> None:
    world = build(tiny("train_003"))
    casters = own_casters(world)
    rules, order = pooled([Shade(casters), Shade(casters[1:]), Shade(casters)], np.zeros(3))
    assert len(rules.casters) == 3
    assert [tuple(rules.layers[k].casters) for k in order] == [(0, 1, 2), (1, 2), (0, 1, 2)]
    many = [Shade(casters, classes) for classes in range(9)]
    with pytest.raises(ValueError, match="8 layers"):
        pooled(many, np.zeros(3))


def test_mixing_leaves_pixels_of_no_weight_as_they_are() -> None:
    rng = np.random.default_rng(0)
    base: Image = rng.random((5, 5, 3), dtype=np.float32)
    other: Image = rng.random((5, 5, 3), dtype=np.float32)
    weights = np.eye(5, dtype=np.float32)
    result = mixed(base, other, weights)
    assert np.array_equal(result[weights == 0], base[weights == 0])
    assert np.allclose(result[weights == 1], other[weights == 1])


def test_images_that_show_nothing_or_too_much_are_refused() -> None:
    done = _finished("train_003")
    case, masks, image = done.cases[0], done.masks[0], done.violated[0]
    category = case.intervention.category
    assert image_misfit(category, done.clean, done.clean, masks) == "hardly visible"
    spoilt = image.copy()
    spoilt[~masks.influence] //= 2
    assert image_misfit(category, done.clean, spoilt, masks) == "changes something else"


def test_explanations_name_the_object() -> None:
    for family_id in IDS:
        for case in _finished(family_id).cases:
            assert case.body.name in VIOLATIONS[case.intervention.category].explain(case)
