"""Other units of length: the same picture."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from generation.rendering.camera import project
from generation.rendering.enlarged import enlarged
from generation.rendering.mitsuba_scene import MitsubaScene
from generation.rendering.window import whole
from generation.scene import Scene
from tests.support.glass_scenes import BLUE, filled_tumbler, passing_tumbler
from tests.support.scenes import coins, growing_rod


def _off_centre(scene: Scene) -> Scene:
    """The scene, with a camera and lamps that look past the origin."""
    target = (0.01, 0.02, 0.03)
    return dataclasses.replace(
        scene,
        camera=dataclasses.replace(scene.camera, target=target),
        lights=tuple(dataclasses.replace(lamp, target=target) for lamp in scene.lights),
    )


@pytest.mark.parametrize("make", [coins, growing_rod, passing_tumbler])
def test_lengths_grow_and_all_else_stays(make):
    scene, factor = _off_centre(make()), 20.0
    large = enlarged(scene, factor)
    assert large.camera.origin == pytest.approx(factor * np.array(scene.camera.origin))
    assert large.camera.target == pytest.approx(factor * np.array(scene.camera.target))
    same = dataclasses.replace(large.camera, origin=scene.camera.origin, target=scene.camera.target)
    assert same == scene.camera
    for lamp, old in zip(large.lights, scene.lights, strict=True):
        for name in ("origin", "target", "size"):
            assert getattr(lamp, name) == pytest.approx(factor * np.array(getattr(old, name)))
        assert lamp.radiance == old.radiance
    assert (large.environment, large.num_frames) == (scene.environment, scene.num_frames)
    for body, old in zip((*large.objects, *large.backdrop), (*scene.objects, *scene.backdrop), strict=True):
        assert (body.object_id, body.role, body.is_static) == (old.object_id, old.role, old.is_static)
        for frame in (0, scene.num_frames - 2):
            _check_body(body, old, frame, factor)


def _check_body(body, old, frame, factor):
    mesh, rest = body.mesh_at(frame), old.mesh_at(frame)
    np.testing.assert_allclose(mesh.vertices, factor * rest.vertices, atol=1e-12)
    np.testing.assert_array_equal(mesh.faces, rest.faces)
    np.testing.assert_array_equal(mesh.normals, rest.normals)
    pose, was = body.pose_at(frame), old.pose_at(frame)
    np.testing.assert_array_equal(pose[:3, :3], was[:3, :3])
    np.testing.assert_allclose(pose[:3, 3], factor * was[:3, 3])
    np.testing.assert_array_equal(pose[3], [0, 0, 0, 1])


def test_a_liquid_in_smaller_units_absorbs_less_by_the_unit():
    wet = enlarged(filled_tumbler(), 20.0).objects[1].material
    assert wet.absorption == pytest.approx(np.array(BLUE) / 20)
    assert dataclasses.replace(wet, absorption=BLUE) == filled_tumbler().objects[1].material


def test_the_first_scene_stays_as_it_was():
    scene = coins()
    before = [body.poses.copy() for body in scene.objects]
    enlarged(scene, 20.0)
    for body, poses in zip(scene.objects, before, strict=True):
        np.testing.assert_array_equal(body.poses, poses)


@pytest.mark.parametrize("make", [coins, growing_rod, passing_tumbler])
def test_a_factor_of_one_changes_nothing(make):
    scene = make()
    same = enlarged(scene, 1.0)
    assert (same.camera, same.lights) == (scene.camera, scene.lights)
    for body, old in zip((*same.objects, *same.backdrop), (*scene.objects, *scene.backdrop), strict=True):
        assert body.material == old.material
        np.testing.assert_array_equal(body.poses, old.poses)
        np.testing.assert_array_equal(body.mesh_at(1).vertices, old.mesh_at(1).vertices)


def test_it_looks_the_same():
    scene = coins()
    pixels = whole(scene.camera).pixels()
    large = enlarged(scene, 20.0)
    xy = [project(s.camera, s.objects[1].mesh_at(3).vertices)[:, :2] for s in (scene, large)]
    np.testing.assert_allclose(*xy, atol=1e-12)
    pictures = []
    for each in (scene, large):
        loaded = MitsubaScene(each)
        loaded.show(3)
        pictures.append(loaded.color(pixels, 16, 4))
    # The same random numbers: only paths that pass an edge by a rounding error differ.
    is_close = np.isclose(*pictures, rtol=1e-3, atol=1e-4).all(axis=1)
    assert is_close.mean() > 0.97
    assert pictures[0].mean() == pytest.approx(pictures[1].mean(), rel=2e-3)
