"""What classifiers see: each feature answers to what it is named after."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from builders.consistency.audit.features import FEATURE_SETS, describe
from builders.consistency.audit.hog import CELLS, ORIENTATIONS, hog
from builders.consistency.audit.noise import noise
from builders.consistency.audit.pictures import Picture, decode
from builders.consistency.audit.seams import seams


def picture(values: np.ndarray) -> Picture:
    return Picture(1000, np.clip(values, 0, 255).round().astype(np.uint8))


def noisy(level: float, size: int = 96) -> np.ndarray:
    return 120 + np.random.default_rng(0).normal(0, level, (size, size, 3))


def test_the_residual_keeps_noise_and_drops_shading() -> None:
    down, right = np.mgrid[:96, :96]
    ramp = np.repeat((down + 0.5 * right)[..., None], 3, axis=2)
    assert np.abs(picture(2 * (ramp // 2)).residual).mean() < np.abs(picture(noisy(1)).residual).mean()
    assert not Picture(0, (down + right)[..., None].repeat(3, 2).astype(np.uint8)).residual.any()
    assert picture(noisy(6)).residual.std() == pytest.approx(6, rel=0.05)
    assert picture(noisy(6) + 0.3 * ramp).residual.std() == pytest.approx(6, rel=0.05)


def test_noise_tells_level_shape_and_neighbours() -> None:
    white = noisy(6)
    level, _, kurtosis, _, zeros, right, down, *_ = noise(picture(white))
    assert level == pytest.approx(np.log(36), abs=0.1)
    assert kurtosis == pytest.approx(3, abs=0.4)
    assert zeros < 0.1
    assert noise(picture(noisy(0)))[4] == 1
    smeared = (white + np.roll(white, 1, axis=1)) / 2
    assert noise(picture(smeared))[5] > right + 0.3
    assert noise(picture(smeared))[6] == pytest.approx(down, abs=0.1)


def test_noise_tells_whether_channels_share_it() -> None:
    own, shared = noisy(6), noisy(6)[..., :1].repeat(3, axis=2)
    assert np.abs(noise(picture(own))[30:33]).max() < 0.1
    assert noise(picture(shared))[30:33] == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize(("angle", "bin_"), [(0, 0), (90, ORIENTATIONS // 2)])
def test_hog_points_along_gradients(angle: int, bin_: int) -> None:
    wave = np.sin(np.arange(96) / 3)[None].repeat(96, axis=0).astype(np.float32)
    found = hog(wave.T if angle else wave).reshape(CELLS * CELLS, ORIENTATIONS)
    assert (found**2).sum() == pytest.approx(1, abs=1e-5)
    assert (found[:, bin_] ** 2).sum() > 0.99


def test_hog_keeps_place() -> None:
    half = np.zeros((96, 96), np.float32)
    half[:, 48:] = np.random.default_rng(0).normal(size=(96, 48))
    cells = (hog(half) ** 2).reshape(CELLS, CELLS, ORIENTATIONS).sum(axis=2)
    assert cells[:, 4:].sum() > 0.95


def test_seams_tell_a_straight_step_and_a_jump_of_noise() -> None:
    plain = noisy(3)
    step = plain.copy()
    step[20:70, 40:] += 12
    assert seams(picture(step))[8] > seams(picture(plain))[8] + 0.3  # stands out most among columns
    assert seams(picture(step.swapaxes(0, 1)))[11] == pytest.approx(seams(picture(step))[8], abs=1e-4)
    quiet = plain.copy()
    quiet[20:70, 20:70] = 120 + 0.1 * (plain[20:70, 20:70] - 120)
    assert seams(picture(quiet))[-1] > seams(picture(plain))[-1] + 1


def test_all_parts_have_the_same_length_for_every_image() -> None:
    names = {part for features in FEATURE_SETS for part in features.parts}
    flat, odd = picture(np.zeros((100, 100, 3))), picture(noisy(6, 75))
    lengths = [{name: len(values) for name, values in describe(each).items()} for each in (flat, odd)]
    assert lengths[0] == lengths[1]
    assert lengths[0].keys() == names
    for each in (flat, odd):
        assert all(np.isfinite(values).all() for values in describe(each).values())


def test_a_thumbnail_holds_means() -> None:
    values = np.zeros((50, 70, 3))
    values[:, 35:] = 255
    small = describe(picture(values))["thumbnail"].reshape(16, 16, 3)
    assert not small[:, :8].any()
    assert small[:, 8:] == pytest.approx(1)


def test_decoding() -> None:
    data = io.BytesIO()
    pixels = noisy(6).round().astype(np.uint8)
    Image.fromarray(pixels).save(data, format="PNG")
    found = decode(data.getvalue())
    assert found.file_bytes == len(data.getvalue())
    assert (found.pixels == pixels).all()
    with pytest.raises(ValueError, match="can't be decoded"):
        decode(b"x")
