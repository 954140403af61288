"""The pinhole of the annotations is the pinhole of the pixels."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from generation.rendering.camera import axes, project
from generation.rendering.mitsuba_scene import MitsubaScene
from generation.rendering.silhouettes import Silhouettes
from generation.rendering.window import whole
from generation.scene import Camera, Material
from tests.support.scenes import block, coins, stage

_MARKER = Material("diffuse", (0.0, 1.0, 0.0))


def _coverage(scene, spp=64):
    """Share of each pixel that green bodies cover, (H, W)."""
    albedo, _ = MitsubaScene(scene).guides(whole(scene.camera).pixels(), spp)
    share = (albedo[:, 1] - albedo[:, 0]).reshape(scene.camera.height, scene.camera.width)
    background = share[0, 0]
    return np.clip((share - background) / (1 - background), 0, 1)


@pytest.mark.parametrize(
    "place", [(0, 0, 0.01), (0.07, 0.05, 0.02), (-0.06, -0.04, 0.03), (0.05, -0.05, 0.005)]
)
def test_a_rendered_marker_lies_where_it_is_projected(place):
    scene = stage([block("marker", (0.006, 0.006, 0.006), [place], _MARKER)], 1)
    coverage = _coverage(scene)
    y, x = np.mgrid[: coverage.shape[0], : coverage.shape[1]] + 0.5
    seen = np.array([(x * coverage).sum(), (y * coverage).sum()]) / coverage.sum()
    expected = project(scene.camera, np.array([place]))[0, :2] * (scene.camera.width, scene.camera.height)
    np.testing.assert_allclose(seen, expected, atol=0.35)


def test_the_optical_axis_meets_the_middle_and_depth_is_along_it():
    camera = Camera((0.1, -0.5, 0.4), (0.02, 0.03, 0.01), 35, 160, 120)
    right, down, forward = axes(camera)
    np.testing.assert_allclose(axes(camera) @ axes(camera).T, np.eye(3), atol=1e-12)
    assert down[2] < 0
    middle = np.array(camera.origin) + 0.7 * forward
    np.testing.assert_allclose(project(camera, middle[None]), [[0.5, 0.5, 0.7]])
    edge = middle + 0.7 * np.tan(np.radians(17.5)) * right
    np.testing.assert_allclose(project(camera, edge[None])[0, :2], [1.0, 0.5])


def test_boxes_are_tight_around_what_is_rendered():
    body = block("marker", (0.05, 0.03, 0.02), [(0.01, 0.02, 0.01)], _MARKER)
    scene = stage([body], 1)
    rows, columns = np.nonzero(_coverage(scene) > 0.02)
    box = np.array(Silhouettes(scene).box(body, 0)) * (96, 72, 96, 72)
    seen = [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]
    np.testing.assert_allclose(box, seen, atol=1.0)


def test_masks_hold_every_pixel_that_a_body_covers():
    body = block("marker", (0.05, 0.03, 0.02), [(0.01, 0.02, 0.01)], _MARKER)
    scene = stage([body], 1)
    mask, covered = Silhouettes(scene).mask([body], 0), _coverage(scene) > 0.5
    assert (mask | ~covered).all()
    assert mask.sum() < 1.6 * covered.sum()


def test_fingerprints_are_equal_exactly_where_frames_are():
    scene = coins(6)
    prints = Silhouettes(scene).fingerprints
    assert prints[0] == prints[1]
    assert prints[4] == prints[5]
    assert len(set(prints)) == 4
    turned = dataclasses.replace(scene, num_frames=1)
    assert Silhouettes(turned).fingerprints == prints[:1]
