"""A clip with glass and liquid: few paths, yet near the truth, and what has passed leaves no trace."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import ndimage

from generation.rendering.crop import StillPixels
from generation.rendering.render import RenderSettings, render_clip
from generation.rendering.silhouettes import Silhouettes
from tests.support.glass_scenes import passing_tumbler
from tests.support.truth import psnr, truth

SETTINGS = RenderSettings(spp=16, background_spp=64, detail=4, max_depth=4)


@pytest.fixture(scope="module")
def clip() -> np.ndarray:
    return np.stack(list(render_clip(passing_tumbler(), SETTINGS)))


@pytest.fixture(scope="module")
def truths() -> dict[int, np.ndarray]:
    return {frame: truth(passing_tumbler(), frame, 256) for frame in (0, 2, 5)}


def _smooth(image: np.ndarray) -> np.ndarray:
    """Without single bright pixels, where a path came upon the lamp through glass by chance."""
    return ndimage.gaussian_filter(ndimage.median_filter(image, (3, 3, 1)), (1.5, 1.5, 0))


def test_every_frame_is_close_to_the_truth(clip, truths):
    for number, expected in truths.items():
        assert psnr(clip[number], expected) > 34
        assert np.abs(_smooth(clip[number].astype(float)) - _smooth(expected)).mean() < 1


def test_frames_that_repeat_a_geometry_repeat_the_pixels(clip):
    np.testing.assert_array_equal(clip[0], clip[1])
    np.testing.assert_array_equal(clip[4], clip[5])
    assert all((a != b).any() for a, b in ((clip[1], clip[2]), (clip[2], clip[3]), (clip[3], clip[4])))


def test_pixels_whose_light_stays_do_not_flicker(clip, truths):
    is_still = np.ptp([_smooth(t) for t in truths.values()], axis=0).max(axis=2) < 0.5
    assert is_still.mean() > 0.5
    deviation = clip.astype(float).std(axis=0).max(axis=2)[is_still]
    assert (deviation == 0).mean() > 0.75
    assert deviation.mean() < 0.2


def test_where_a_glass_has_passed_the_first_pixels_are_back(clip):
    scene = passing_tumbler()
    passed = Silhouettes(scene).mask(scene.objects, 2, 3)
    assert passed.sum() > 200
    assert (clip[2] != clip[0])[passed].any(axis=1).mean() > 0.9
    np.testing.assert_array_equal(clip[5][passed], clip[0][passed])


def test_where_a_glass_was_at_first_nothing_is_left_of_it(clip, truths):
    scene = passing_tumbler()
    silhouettes = Silhouettes(scene)
    others = ndimage.binary_dilation(silhouettes.mask(scene.objects, 2, 3, 5), iterations=4)
    left = silhouettes.mask(scene.objects, 0) & ~others
    assert left.sum() > 150
    for number in (2, 5):
        assert np.abs(_smooth(clip[0] - truths[number])[left]).mean() > 8
        assert np.abs(_smooth(clip[number] - truths[number])[left]).max() < 4


_SHAPE = (48, 64)


class _Still:
    """Pixels that few paths follow; a body comes to one spot, where it is darker."""

    def __init__(self) -> None:
        rng = np.random.default_rng(3)
        self.spot = np.zeros(_SHAPE, dtype=bool)
        self.spot[20:28, 28:36] = True
        self.nowhere = np.zeros(_SHAPE, dtype=bool)
        self.bare = rng.uniform(0.2, 0.4, (*_SHAPE, 3)).astype(np.float32)
        self.covered = np.where(self.spot[..., None], self.bare / 3, self.bare)
        self.first = rng.uniform(0.2, 0.4, (*_SHAPE, 3)).astype(np.float32)
        self.clean = rng.uniform(0.6, 0.9, (*_SHAPE, 3)).astype(np.float32)
        self.pixels = StillPixels(~self.nowhere, self.bare.reshape(-1, 3), self.first, is_coarse=True)

    def follow(self, probe: np.ndarray, moving: np.ndarray, displaced: np.ndarray) -> np.ndarray:
        new = probe.reshape(-1, 3)
        return self.pixels.update(self.pixels.share(new, lambda: moving), new, self.clean, lambda: displaced)


def test_what_a_body_covers_is_new_and_the_rest_the_first_frame_s():
    still = _Still()
    shown = still.follow(still.covered, still.spot, still.spot)
    np.testing.assert_allclose(shown[still.spot], still.clean[still.spot], rtol=1e-6)
    far = ~ndimage.binary_dilation(still.spot, np.ones((3, 3)), iterations=24)
    assert far.sum() > 200
    np.testing.assert_array_equal(shown[far], still.first[far])


def test_what_a_body_uncovers_is_as_at_first_unless_one_stood_there_then():
    for displaced_later in (False, True):
        still = _Still()
        still.follow(still.covered, still.spot, still.spot)
        shown = still.follow(still.bare, still.spot, still.spot if displaced_later else still.nowhere)
        expected = still.clean if displaced_later else still.first
        np.testing.assert_allclose(shown[still.spot], expected[still.spot], rtol=1e-6)
        if not displaced_later:
            np.testing.assert_array_equal(shown, still.first)


def test_a_change_of_light_alone_is_followed_too():
    still = _Still()
    shown = still.follow(still.covered, still.nowhere, still.nowhere)
    np.testing.assert_allclose(shown[still.spot], still.clean[still.spot], rtol=1e-6)
    # And kept while it lasts, whatever new samples would say.
    before, still.clean = still.clean, still.clean[::-1]
    again = still.follow(still.covered, still.nowhere, still.spot)
    np.testing.assert_allclose(again[still.spot], before[still.spot], rtol=1e-6)
