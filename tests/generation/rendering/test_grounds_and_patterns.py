"""Textures of grounds and balls: linear images, always the same, seamless where they repeat."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from generation.rendering.grounds import GROUNDS
from generation.rendering.palette import COLORS
from generation.rendering.patterns import PATTERNS, print_texture, printed_pattern
from generation.rendering.textures import texture

PRINTS = [print_texture(pattern, "orange") for pattern in PATTERNS]


@pytest.mark.parametrize("name", [*GROUNDS, *PRINTS])
def test_a_texture_is_a_linear_image_that_is_made_anew_with_the_same_bytes(name):
    image = texture(name)
    assert image.dtype == np.float32
    assert image.shape == ((512, 512, 3) if name in GROUNDS else (512, 1024, 3))
    assert 0 <= image.min() < image.max() <= 1
    first = hashlib.sha256(image.tobytes()).digest()
    texture.cache_clear()
    assert hashlib.sha256(texture(name).tobytes()).digest() == first


@pytest.mark.parametrize("name", sorted(set(GROUNDS) - {"sky"}))
def test_grounds_repeat_without_a_seam(name):
    """Across the border, neighbours differ no more than across the liveliest place inside."""
    tone = texture(name).mean(axis=2)
    for image in (tone, tone.T):
        inside = np.abs(np.diff(image, axis=0)).mean(axis=1)
        assert np.abs(image[0] - image[-1]).mean() <= 1.05 * inside.max()


def test_the_sky_repeats_sideways_and_brightens_towards_the_horizon():
    sky = texture("sky")
    inside = np.abs(np.diff(sky, axis=1)).mean(axis=(0, 2)).max()
    assert np.abs(sky[:, 0] - sky[:, -1]).mean() <= 1.05 * inside
    assert sky[-1, :, 0].mean() > 2 * sky[0, :, 0].mean()


@pytest.mark.parametrize("pattern", PATTERNS)
def test_prints_meet_at_the_seam_of_a_ball(pattern):
    image = texture(print_texture(pattern, "blue"))
    inside = np.abs(np.diff(image, axis=1)).mean(axis=(0, 2)).max()
    assert np.abs(image[:, 0] - image[:, -1]).mean() <= 1.05 * inside


def test_a_soccer_ball_is_black_at_the_corners_of_an_icosahedron_and_white_between_them():
    golden = (1 + 5**0.5) / 2
    corners = np.array([np.roll((0, a, b * golden), k) for a in (1, -1) for b in (1, -1) for k in range(3)])
    faces = corners[ConvexHull(corners).simplices].mean(axis=1)
    assert (len(corners), len(faces)) == (12, 20)
    assert all(_tone("soccer_white", corner) < 0.03 for corner in corners)
    assert all(_tone("soccer_white", face) > 0.7 for face in faces)


def _tone(name: str, direction: np.ndarray) -> float:
    """Return how light a texture of a ball is where a direction leaves it."""
    x, y, z = direction / np.linalg.norm(direction)
    u, v = np.arctan2(y, x) / (2 * np.pi) % 1, np.arcsin(z) / np.pi + 0.5
    return float(texture(name)[int((1 - v) * 511.99), int(u * 1023.99)].mean())


def test_only_known_patterns_and_colours_are_printed():
    assert printed_pattern("soccer_mauve") is None
    assert printed_pattern("cube_red") is None
    assert set(COLORS) >= {"red", "blue", "gray", "black", "white"}
