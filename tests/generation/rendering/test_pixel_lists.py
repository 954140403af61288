"""Sampling lists of pixels, their denoising, and the materials they see."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from generation.rendering import denoise, materials, pixels, variant
from generation.rendering.mitsuba_scene import MitsubaScene
from generation.rendering.sensor import make_sensor
from generation.rendering.window import Window, around, whole
from generation.scene import Material
from physprobe import renderer
from physprobe.errors import UserError
from tests.support.scenes import block, coins, stage


@pytest.fixture(scope="module")
def loaded() -> MitsubaScene:
    return MitsubaScene(coins())


def test_a_list_sees_what_a_film_sees(loaded):
    mi = variant.activate()
    camera = loaded.scene.camera
    listed = loaded.color(whole(camera).pixels(), 64, 4).reshape(camera.height, camera.width, 3)
    integrator = mi.load_dict({"type": "path", "max_depth": 4})
    film = np.array(
        mi.render(loaded.handle, sensor=make_sensor(camera), integrator=integrator, spp=64, seed=1)
    )
    # Eight by eight pixels at a time the noise is small.
    blocks = (image.reshape(9, 8, 12, 8, 3).mean(axis=(1, 3)) for image in (listed, film))
    np.testing.assert_allclose(*blocks, rtol=0.03)


def test_the_same_list_gets_the_same_numbers(loaded):
    chosen = Window(20, 30, 40, 20).pixels()
    np.testing.assert_array_equal(loaded.color(chosen, 4, 4), loaded.color(chosen, 4, 4))


def test_pixels_that_nothing_tells_apart_are_equal_in_all_frames(loaded):
    chosen = whole(loaded.scene.camera).pixels()
    loaded.show(0)
    first = loaded.color(chosen, 4, 3)
    loaded.show(5)
    last = loaded.color(chosen, 4, 3)
    loaded.show(0)
    is_equal = (first == last).all(axis=1).reshape(72, 96)
    assert is_equal[:12].mean() > 0.9
    assert not is_equal.all()


def test_long_lists_are_done_in_parts(loaded, monkeypatch):
    chosen = whole(loaded.scene.camera).pixels()
    at_once = loaded.color(chosen, 16, 4)
    monkeypatch.setattr(pixels, "_LANES", 1 << 14)
    in_parts = loaded.color(chosen, 16, 4)
    assert in_parts.shape == at_once.shape
    np.testing.assert_allclose(in_parts.mean(axis=0), at_once.mean(axis=0), rtol=0.01)


def test_odd_sample_counts_are_rounded_and_still_averaged(loaded):
    chosen = whole(loaded.scene.camera).pixels()[::7]
    odd, even = loaded.color(chosen, 30, 4), loaded.color(chosen, 64, 4)
    np.testing.assert_allclose(odd.mean(axis=0), even.mean(axis=0), rtol=0.03)


def test_windows_list_their_pixels_row_by_row():
    window = Window(5, 7, 3, 2)
    assert window.pixels().tolist() == [[5, 7], [6, 7], [7, 7], [5, 8], [6, 8], [7, 8]]
    mask = np.array([[False, True, False], [True, False, False]])
    assert window.pixels(mask).tolist() == [[6, 7], [5, 8]]


def test_a_window_around_a_mask_stays_in_the_image():
    mask = np.zeros((20, 30), dtype=bool)
    mask[4:6, 25:28] = True
    assert around(mask, 0) == Window(25, 4, 3, 2)
    assert around(mask, 5) == Window(20, 0, 10, 11)


def test_denoising_brings_noise_down_to_the_border():
    rng = np.random.default_rng(0)
    ramp = np.linspace(0.2, 0.6, 64, dtype=np.float32)[None, :, None] * np.ones((48, 1, 3), np.float32)
    noisy = ramp * rng.gamma(8, 1 / 8, ramp.shape).astype(np.float32)
    guide = np.full_like(ramp, 0.5)
    clean = denoise.denoise(noisy, guide, guide)
    for part in (slice(0, 64), slice(60, 64), slice(0, 4)):
        before, after = (np.sqrt(np.mean((i - ramp)[:, part] ** 2)) for i in (noisy, clean))
        assert after < before / 4


def test_denoising_loads_no_torch():
    code = (
        "import sys, numpy as np\nfrom generation.rendering import denoise\n"
        "image = np.ones((32, 32, 3), np.float32)\ndenoise.denoise(image, image, image)\n"
        "assert 'torch' not in sys.modules\n"
    )
    subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(Path.cwd())}, check=True
    )


@pytest.mark.parametrize(
    "material",
    [
        Material("diffuse", two_sided=True),
        Material("diffuse", texture="oak"),
        Material("plastic", roughness=0.0),
        Material("plastic", roughness=0.3, two_sided=True),
        Material("metal", roughness=0.0, preset="Au"),
        Material("metal", roughness=0.2),
        Material("glass", roughness=0.0),
        Material("glass", roughness=0.1, ior_inside=1.33),
        Material("glass", roughness=0.0, absorption=(10.0, 100.0, 50.0)),
    ],
    ids=str,
)
def test_every_material_renders(material):
    scene = stage([block("body", (0.05, 0.05, 0.03), [(0, 0, 0.02)], material)], 1, 32, 24)
    color = MitsubaScene(scene).color(whole(scene.camera).pixels(), 16, 4)
    assert np.isfinite(color).all()
    assert color.min() >= 0
    assert 0.02 < color.mean() < 2


def test_a_liquid_absorbs_the_more_the_longer_the_way():
    def through(depth: float) -> np.ndarray:
        dye = Material("glass", roughness=0.0, ior_inside=1.0001, absorption=(0.0, 40.0, 40.0))
        scene = stage([block("dye", (0.2, 0.2, depth), [(0, 0, depth / 2 + 1e-4)], dye)], 1, 16, 12)
        return MitsubaScene(scene).color(Window(6, 4, 4, 4).pixels(), 256, 12).mean(axis=0)

    thin, thick = through(0.005), through(0.02)
    assert thick[1] / thick[0] < 0.7 * thin[1] / thin[0]


def test_an_unknown_texture_is_named():
    with pytest.raises(UserError, match="marble"):
        materials.bsdf(Material("diffuse", texture="marble"))


def test_mitsuba_must_not_be_imported_before_its_library_is_chosen(monkeypatch):
    variant.activate()
    other = renderer.Choice("llvm_ad_rgb", "/elsewhere/libLLVM.so", "1", (), "")
    monkeypatch.setattr(renderer, "choose", lambda: other)
    with pytest.raises(RuntimeError, match="before"):
        variant.activate.__wrapped__()
