"""Clips: what changes follows the truth, what doesn't stays still, and the bits never differ."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import ndimage

from generation.rendering.mitsuba_scene import MitsubaScene
from generation.rendering.render import RenderSettings, render_clip, renderer_info
from generation.rendering.silhouettes import Silhouettes
from generation.rendering.tone import to_srgb8
from generation.rendering.window import whole
from tests.support.scenes import FAST, coins, growing_rod, pixels_digest, stage
from tests.support.truth import psnr, truth

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def clip() -> list[np.ndarray]:
    return list(render_clip(coins(), FAST))


def test_frames_have_the_size_and_number_of_the_scene(clip):
    assert len(clip) == 6
    assert all(f.shape == (72, 96, 3) and f.dtype == np.uint8 for f in clip)


def test_frames_that_repeat_a_geometry_repeat_the_pixels(clip):
    np.testing.assert_array_equal(clip[0], clip[1])
    np.testing.assert_array_equal(clip[4], clip[5])
    assert (clip[1] != clip[2]).any()


def test_every_frame_is_close_to_the_truth(clip):
    scene = coins()
    for number in (0, 3, 5):
        assert psnr(clip[number], truth(scene, number)) > 33


def test_a_body_that_changes_its_shape_is_followed():
    scene = growing_rod()
    frames = list(render_clip(scene, FAST))
    assert psnr(frames[3], truth(scene, 3)) > 33


def test_pixels_whose_light_stays_do_not_flicker(clip):
    scene = coins()
    truths = np.stack([truth(scene, n, 256) for n in (0, 2, 3, 5)])
    # Smoothed, so that the truth's own noise doesn't count as change.
    smooth = ndimage.gaussian_filter(truths, (0, 2, 2, 0))
    is_still = np.ptp(smooth, axis=0).max(axis=2) < 0.5
    assert is_still.mean() > 0.3
    deviation = np.stack(clip).astype(float).std(axis=0).max(axis=2)
    assert deviation[is_still].mean() < 0.1
    assert np.quantile(deviation[is_still], 0.98) == 0


def test_a_coin_leaves_no_ghost(clip):
    scene = coins()
    outlines = Silhouettes(scene)
    left = outlines.mask(scene.objects, 0) & ~ndimage.binary_dilation(
        outlines.mask(scene.objects, 5), iterations=2
    )
    error = ndimage.gaussian_filter(clip[5] - truth(scene, 5), (1.5, 1.5, 0))
    assert left.sum() > 100
    assert np.abs(error[left]).max() < 3


def test_no_pixel_of_the_table_sparkles(clip):
    table = clip[0][:14].astype(float)
    median = ndimage.median_filter(table, (5, 5, 1))
    assert np.abs(table - median).max() < 8


def test_a_clip_in_which_nothing_moves_is_one_picture():
    scene = stage(coins().objects[:1], 3)
    frames = list(render_clip(scene, FAST))
    assert all((f == frames[0]).all() for f in frames)


def test_without_denoising_noise_is_left(clip):
    noisy = next(iter(render_clip(coins(), RenderSettings(4, 16, 4, 4, denoise=False))))
    expected = truth(coins(), 0)
    assert 20 < psnr(noisy, expected) < psnr(clip[0], expected)


def test_moved_bodies_look_like_bodies_loaded_there():
    scene = growing_rod()
    moved, loaded = (
        MitsubaScene(scene),
        MitsubaScene(stage([_still(scene.objects[0], 2), scene.objects[1]], 1)),
    )
    moved.show(3)
    moved.show(2)
    pixels = whole(scene.camera).pixels()
    np.testing.assert_array_equal(moved.color(pixels, 4, 4), loaded.color(pixels, 4, 4))


def _still(body, frame):
    from generation.scene import DeformingObject

    return DeformingObject(
        body.object_id, body.role, body.material, lambda _: body.mesh_at(frame), body.poses
    )


_ELSEWHERE = """
import sys
sys.path.insert(0, sys.argv[1])
from tests.support import scenes
from generation.rendering import variant
threads, before = int(sys.argv[2]), sys.argv[3]
if threads:
    variant.set_threads(threads)
if before:
    scenes.pixels_digest(getattr(scenes, before)())
print(scenes.pixels_digest(scenes.coins()))
"""


def _digest_elsewhere(threads: int, before: str, **environment: str) -> str:
    command = [sys.executable, "-c", _ELSEWHERE, str(ROOT), str(threads), before]
    done = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=True
    )
    return done.stdout.split()[-1]


@pytest.mark.slow
def test_pixels_depend_neither_on_threads_nor_on_earlier_clips_nor_on_the_process():
    here = pixels_digest(coins())
    assert here == pixels_digest(coins())
    assert here == _digest_elsewhere(1, "growing_rod")
    assert here == _digest_elsewhere(2, "")


@pytest.mark.slow
def test_the_scalar_variant_films_the_same_clip(tmp_path, clip):
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import numpy\nfrom tests.support.scenes import *\n"
        "numpy.save(sys.argv[2], list(render_clip(coins(), FAST)))"
    )
    path = tmp_path / "frames.npy"
    environment = {**os.environ, "PHYSPROBE_VARIANT": "scalar_rgb"}
    subprocess.run([sys.executable, "-c", code, str(ROOT), str(path)], env=environment, check=True)
    scalar = np.load(path)
    assert scalar.shape == (6, 72, 96, 3)
    for number in (0, 3):
        assert psnr(scalar[number], truth(coins(), number)) > 32
    np.testing.assert_array_equal(scalar[4], scalar[5])
    assert (scalar[0][:10] == scalar[3][:10]).all()


def test_the_record_names_what_made_the_pixels():
    info = renderer_info(RenderSettings())
    assert info.variant.endswith("_rgb")
    assert (info.spp, info.background_spp) == (16, 36)
    assert info.denoiser.startswith("oidn ")
    assert info.processor
    assert {"mitsuba", "drjit", "av"} <= set(info.versions)
    assert renderer_info(RenderSettings(denoise=False)).denoiser == "none"


def test_tone_mapping_is_plain_srgb():
    linear = np.array([[[0.0, 0.0031308, 0.214041], [1.0, 7.0, -1.0]]], dtype=np.float32)
    np.testing.assert_array_equal(to_srgb8(linear), [[[0, 10, 127], [255, 255, 0]]])
