from __future__ import annotations

import numpy as np
import pytest

from generation.rendering.camera import project
from generation.rendering.masks import Masks, rays
from generation.scene import Camera
from tests.support.scenes import block, stage


def test_rays_go_through_the_pixels_they_are_named_for() -> None:
    camera = Camera((0.3, -2.0, 1.0), (0.0, 0.1, 0.2), 37.0, 64, 48)
    x, y = np.array([0.0, 13.5, 64.0]), np.array([48.0, 7.25, 0.0])
    points = np.array(camera.origin) + 3.7 * rays(camera, x, y)
    assert np.allclose(project(camera, points)[:, :2] * (64, 48), np.stack([x, y], axis=1))


@pytest.mark.slow
def test_coverage_is_the_area_of_what_the_backdrop_leaves_free() -> None:
    """A block before the table covers what its outline says; one behind another still counts once."""
    near = block("near", (0.08, 0.002, 0.06), [(0.0, 0.0, 0.03), (0.01, 0.0, 0.03)])
    scene = stage([near], 2)
    masks = Masks(scene)
    first, second = masks.coverage(0), masks.coverage(1)
    assert first.shape == (72, 96)
    corners = project(scene.camera, near.mesh_at(0).vertices)[:, :2] * (96, 72)
    width, height = np.ptp(corners, axis=0)
    assert 0.75 * width * height < first.sum() < 1.02 * width * height
    assert set(np.unique(first * 4)) <= {0.0, 1.0, 2.0, 3.0, 4.0}
    assert np.abs(first - second).max() > 0.9

    behind = block("behind", (0.04, 0.002, 0.03), [(0.0, 0.05, 0.03)] * 2)
    both = Masks(stage([near, behind], 2)).coverage(0)
    assert both.sum() == pytest.approx(first.sum(), rel=0.25)
