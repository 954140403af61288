"""Light in liquids against Mitsuba's own integrators and the Beer-Lambert law; guides through glass."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from generation.rendering import absorbing
from generation.rendering.mitsuba_scene import MitsubaScene
from generation.rendering.silhouettes import Silhouettes
from generation.rendering.variant import is_scalar
from generation.rendering.window import whole
from generation.scene import SceneObject
from tests.support.glass_scenes import BLUE, HEAD_ON, filled_tumbler, slab
from tests.support.scenes import WOOD, block, coins, stage

_REPEATS = 8
CLEAR = (0.0, 0.0, 0.0)
SKY = (0.9, 0.8, 0.7)
# Rays start a little off the surface they leave, so that each way is this much shorter at the most, m.
_START_OFF = 1.5e-5
_WALL = block("wall", (0.4, 0.02, 0.4), [(0, 0.2, 0.05)], WOOD)


@pytest.fixture(autouse=True)
def _vectorised():
    if is_scalar():
        pytest.skip("the integrators follow many paths at once")
    absorbing.register()


def _repeats(loaded: MitsubaScene, kind: str, depth: int, spp: int) -> np.ndarray:
    """Images with other random numbers each, (K, H, W, 3), for a pixel's depend on its place in the list."""
    camera = loaded.scene.camera
    pixels = whole(camera).pixels()
    properties = {"type": kind, "max_depth": depth}
    if kind != absorbing.PATH:
        properties["rr_depth"] = depth
    images = []
    for shift in 97 * np.arange(_REPEATS):
        values = loaded._sampler.sample(properties, np.roll(pixels, shift, axis=0), spp)
        images.append(np.roll(values, -shift, axis=0).reshape(camera.height, camera.width, 3))
    return np.stack(images)


def _check_agreement(images: np.ndarray, others: np.ndarray) -> None:
    """Compare means over blocks of pixels, with regard to how they scatter."""
    count, height, width, _ = images.shape
    one, two = (
        i.reshape(count, height // 6, 6, width // 6, 6, 3).mean(axis=(2, 4)) for i in (images, others)
    )
    error = np.sqrt((one.var(axis=0, ddof=1) + two.var(axis=0, ddof=1)) / count)
    gap = np.abs(one.mean(axis=0) - two.mean(axis=0))
    assert (gap < 5 * error + 0.004 * two.mean(axis=0)).all()
    assert one.mean() == pytest.approx(two.mean(), rel=0.004)


def test_liquid_in_a_glass_looks_as_with_free_flights_but_less_noisy():
    tumbler = filled_tumbler()
    # Under the sky alone: rays that a lens gathers from a lamp would drown the rest.
    scene = stage(tumbler.objects, 1, camera=tumbler.camera, lights=())
    loaded = MitsubaScene(scene)
    images, others = (_repeats(loaded, kind, 16, 64) for kind in (absorbing.PATH, "volpath"))
    _check_agreement(images, others)
    wet = Silhouettes(scene).mask([scene.objects[1]], 0)
    assert wet.sum() > 80
    variance, other = (i.var(axis=0, ddof=1)[wet].mean(axis=1) for i in (images, others))
    assert (variance < other).mean() > 0.8
    assert variance.mean() < 0.3 * other.mean()


@pytest.mark.parametrize("depth", [2, 4])
def test_plastic_metal_and_wood_look_as_with_plain_paths(depth):
    plastic = block("prop_0", (0.03, 0.02, 0.02), [(0, 0.005, 0.01)])
    loaded = MitsubaScene(stage([*coins().objects, plastic], 6, 48, 36))
    images, others = (_repeats(loaded, kind, depth, 64) for kind in (absorbing.PATH, "path"))
    _check_agreement(images, others)


def test_glass_that_stands_in_a_scene_picks_the_integrator():
    assert MitsubaScene(coins())._integrator(4) == {"type": "path", "max_depth": 4}
    assert MitsubaScene(filled_tumbler())._integrator(4) == {"type": absorbing.PATH, "max_depth": 16}


def _seen(*bodies: SceneObject) -> MitsubaScene:
    """Bodies in an even sky, and nothing else."""
    return MitsubaScene(stage(bodies, 1, camera=HEAD_ON, backdrop=(), lights=(), environment=SKY))


def _color(loaded: MitsubaScene) -> np.ndarray:
    return loaded.color(whole(HEAD_ON).pixels(), 16, 8)


def _ways(seen: np.ndarray, unweakened: Sequence[float] | np.ndarray) -> np.ndarray:
    """Lengths in m of the way through a blue liquid that a weakened light tells of, (N, 3)."""
    return -np.log(seen / unweakened) / BLUE


@pytest.mark.parametrize("depth", [0.003, 0.02])
def test_a_slab_weakens_light_by_the_law_of_beer_and_lambert(depth):
    through, clear = _color(_seen(slab(depth, BLUE))), _color(_seen(slab(depth, CLEAR)))
    np.testing.assert_allclose(clear, np.tile(SKY, (len(clear), 1)), rtol=1e-4)
    np.testing.assert_allclose(_ways(through, clear), depth, atol=_START_OFF)


def test_two_slabs_weaken_one_after_the_other():
    double = _seen(slab(0.01, BLUE), slab(0.02, BLUE, y=0.05))
    np.testing.assert_allclose(_ways(_color(double), SKY), 0.03, atol=2 * _START_OFF)


@pytest.mark.parametrize("ior", [1.0001, 1.5])
@pytest.mark.parametrize("is_clear", [True, False], ids=["clear", "blue"])
def test_guides_show_what_is_behind_glass_as_the_glass_tints_it(ior, is_clear):
    loaded = _seen(slab(0.01, CLEAR if is_clear else BLUE, ior), _WALL)
    albedo, normal = loaded.guides(whole(HEAD_ON).pixels(), 4)
    np.testing.assert_allclose(_ways(albedo, WOOD.color), 0 if is_clear else 0.01, atol=_START_OFF)
    np.testing.assert_allclose(normal, np.tile([0.0, -1.0, 0.0], (len(normal), 1)), atol=1e-5)


def test_guides_show_the_sky_behind_glass_as_white_without_a_normal():
    albedo, normal = _seen(slab(0.01, BLUE)).guides(whole(HEAD_ON).pixels(), 4)
    np.testing.assert_allclose(_ways(albedo, np.ones(3)), 0.01, atol=_START_OFF)
    assert not normal.any()


def test_guides_of_opaque_bodies_are_those_of_mitsuba():
    scene = coins()
    loaded = MitsubaScene(scene)
    pixels = whole(scene.camera).pixels()
    found = loaded._sampler.sample({"type": absorbing.GUIDES, "max_depth": 16}, pixels, 4)
    np.testing.assert_allclose(found, np.hstack(loaded.guides(pixels, 4)), atol=1e-5)
    assert np.ptp(found, axis=0).min() > 0.1
