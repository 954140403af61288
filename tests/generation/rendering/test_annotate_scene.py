"""Poses, boxes and visibility on scenes where the answer is known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from generation.rendering.annotate import annotate, quaternion
from generation.rendering.camera import project
from generation.rendering.sight import surface_samples
from generation.scene import Camera, Material, Mesh
from tests.support.scenes import block, coins, disc, stage

# From straight in front, so that a screen hides what its rectangle covers.
_FRONT = Camera((0.0, -1.0, 0.05), (0.0, 0.0, 0.05), 20, 96, 72)


def _screened(share: float, material: Material | None = None):
    """A thin plate, the left share of which a screen right before it hides."""
    plate = block("plate", (0.1, 0.001, 0.05), [(0, 0, 0.05)], role="moved")
    left = -0.06 + (0.01 + 0.1 * share) / 2
    extra = [material] if material else []
    screen = block("screen", (0.01 + 0.1 * share, 0.001, 0.08), [(left, -0.002, 0.05)], *extra)
    return stage([plate, screen], 1, camera=_FRONT)


@pytest.mark.parametrize("share", [0.0, 0.25, 0.5, 0.9])
def test_visibility_is_the_share_that_nothing_hides(share):
    plate, screen = annotate(_screened(share))[0].objects
    assert plate.visibility == pytest.approx(1 - share, abs=0.03)
    assert screen.visibility == 1


def test_what_is_behind_a_wall_is_not_seen_at_all():
    assert annotate(_screened(1.2))[0].objects[0].visibility == 0


def test_the_backdrop_hides_too_but_is_not_listed():
    buried = block("buried", (0.05, 0.05, 0.02), [(0, 0, -0.05)])
    (state,) = annotate(stage([buried], 1))[0].objects
    assert (state.object_id, state.visibility) == ("buried", 0)


def test_glass_hides_nothing():
    plate, _ = annotate(_screened(0.9, Material("glass", (1, 1, 1), 0.0)))[0].objects
    assert plate.visibility == 1


def test_a_body_does_not_hide_itself():
    ring = block("bar", (0.02, 0.08, 0.06), [(0.02, 0, 0.03)])
    assert annotate(stage([ring], 1))[0].objects[0].visibility == 1


def test_bodies_of_one_material_are_told_apart():
    scene = coins(6)
    states = {s.object_id: s for s in annotate(scene)[0].objects}
    assert all(s.visibility == 1 for s in states.values())
    lid = block("lid", (0.03, 0.03, 0.001), [(0.03, 0.03, 0.008)])
    covered = {s.object_id: s for s in annotate(stage([*scene.objects, lid], 6))[0].objects}
    assert covered["reference_2"].visibility < 0.5
    assert covered["reference_0"].visibility == covered["moved_1"].visibility == 1


def test_boxes_are_those_of_all_projected_vertices():
    scene = coins(6)
    for record in annotate(scene)[::3]:
        assert record.time == pytest.approx(record.index / 24, abs=1e-6)
        for state, body in zip(record.objects, scene.objects, strict=True):
            xy = project(scene.camera, body.mesh_at(record.index).vertices)[:, :2]
            np.testing.assert_allclose(state.box, [*xy.min(axis=0), *xy.max(axis=0)], atol=1e-6)
            np.testing.assert_allclose(state.position, body.pose_at(record.index)[:3, 3], atol=1e-6)


def test_records_repeat_exactly_and_are_short():
    scene = coins(6)
    records = annotate(scene)
    assert records == annotate(scene)
    assert records[0].objects == records[1].objects
    assert all(len(str(v)) <= 10 for s in records[3].objects for v in (*s.box, *s.quaternion, s.visibility))


@given(st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: sum(v * v for v in q) > 0.01))
def test_quaternions_are_unit_with_w_first_and_not_negative(q):
    rotation = Rotation.from_quat(q).as_matrix()
    w, x, y, z = quaternion(rotation)
    assert w >= 0
    assert np.hypot.reduce([w, x, y, z]) == pytest.approx(1)
    np.testing.assert_allclose(Rotation.from_quat([x, y, z, w]).as_matrix(), rotation, atol=1e-9)


def test_a_half_turn_has_one_quaternion():
    for axis in np.eye(3):
        one, other = (quaternion(Rotation.from_rotvec(s * np.pi * axis).as_matrix()) for s in (1, -1))
        np.testing.assert_allclose(one, other, atol=1e-12)


def test_samples_spread_evenly_over_the_surface():
    points, normals = surface_samples(disc(1.0, 2.0), 4000)
    area = 2 * np.pi + 4 * np.pi
    assert (np.abs(normals[:, 2]) > 0.5).mean() == pytest.approx(2 * np.pi / area, abs=0.01)
    on_side = points[np.abs(normals[:, 2]) < 0.5]
    assert np.histogram(on_side[:, 2], 4, (0, 2))[0] == pytest.approx(len(on_side) / 4, rel=0.05)
    np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1)


def test_a_mesh_without_area_has_no_samples():
    point = Mesh(np.zeros((3, 3)), np.array([[0, 1, 2]]))
    points, normals = surface_samples(point)
    assert points.shape == normals.shape == (0, 3)
