"""Outlines in the image, against every pixel's square; bodies that are not there; what moves."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from generation.rendering.camera import project
from generation.rendering.shapes import box
from generation.rendering.silhouettes import Silhouettes
from generation.scene import DeformingObject, Float, Mesh, RigidObject
from tests.support.scenes import RED, block, stage

_FAR = np.array([[0.08, 0.09, 0.12]])


def _deforming(*shapes: Mesh) -> DeformingObject:
    return DeformingObject("moved_0", "moved", RED, lambda frame: shapes[frame], np.eye(4)[None])


def _placed(mesh: Mesh, x: float = 0.0) -> Mesh:
    return dataclasses.replace(mesh, vertices=mesh.vertices + np.array([x, 0, 0.03]))


def _with_extra(mesh: Mesh, extra: Float, faces: list[list[int]]) -> Mesh:
    """The mesh with more vertices, and faces that index them."""
    more = np.array(faces, dtype=np.int64).reshape(-1, 3) + len(mesh.vertices)
    return Mesh(np.concatenate([mesh.vertices, extra]), np.concatenate([mesh.faces, more]))


def _outline(mesh: Mesh) -> tuple[tuple[float, ...], np.ndarray]:
    body = _deforming(mesh)
    silhouettes = Silhouettes(stage([body], 1))
    return silhouettes.box(body, 0), silhouettes.mask([body], 0)


_CUBE = _placed(box((0.03, 0.03, 0.03)))
_NOTHING = {
    "a point": (_FAR, [[0, 0, 0]]),
    "a line": (_FAR * [[1], [1.1], [1.2]], [[0, 1, 2]]),
    "a speck": (_FAR + 1e-8 * np.eye(3), [[0, 1, 2]]),
    "no face": (_FAR, []),
}


@pytest.mark.parametrize("name", _NOTHING)
def test_faces_without_area_do_not_count(name):
    plain, extended = _outline(_CUBE), _outline(_with_extra(_CUBE, *_NOTHING[name]))
    assert extended[0] == pytest.approx(plain[0], abs=1e-12)
    np.testing.assert_array_equal(extended[1], plain[1])


def test_small_faces_do_count():
    small = _with_extra(_CUBE, _FAR + 1e-4 * np.eye(3), [[0, 1, 2]])
    assert _outline(small)[0] != pytest.approx(_outline(_CUBE)[0], abs=1e-3)
    assert _outline(small)[1].sum() > _outline(_CUBE)[1].sum()


def test_a_body_without_area_is_a_point_and_covers_nothing():
    corners = np.array([[0, 0, 0], [0.02, 0, 0], [0.04, 0, 0]])
    body = _deforming(Mesh(corners, np.array([[0, 1, 2], [1, 1, 1]])))
    scene = stage([body], 1)
    silhouettes = Silhouettes(scene)
    x, y = project(scene.camera, corners.mean(axis=0, keepdims=True))[0, :2]
    assert silhouettes.box(body, 0) == pytest.approx((x, y, x, y))
    assert not silhouettes.mask([body], 0).any()


def test_a_body_that_appears_covers_only_where_it_is():
    gone = dataclasses.replace(_CUBE, vertices=np.tile(_FAR, (len(_CUBE.vertices), 1)))
    body = _deforming(gone, _CUBE)
    silhouettes = Silhouettes(stage([body], 2))
    np.testing.assert_array_equal(silhouettes.mask([body], 0, 1), _outline(_CUBE)[1])
    assert silhouettes.moves(body, 1)


def test_a_body_moves_against_the_frame_before_and_has_moved_since_the_first():
    here, there = (0, 0, 0.02), (0.01, 0, 0.02)
    rigid = block("moved_1", (0.02, 0.02, 0.02), [here, here, there, here])
    shapes = [_placed(box((0.02, 0.02, 0.02)), x) for x in (0, 0, 0.01, 0)]
    soft = _deforming(*shapes)
    still = block("prop_0", (0.02, 0.02, 0.02), [there])
    silhouettes = Silhouettes(stage([rigid, soft, still], 4))
    for body in (rigid, soft):
        assert [silhouettes.moves(body, n) for n in range(4)] == [False, False, True, True]
        assert [silhouettes.has_moved(body, n) for n in range(4)] == [False, False, True, False]
    assert not any(silhouettes.moves(still, n) or silhouettes.has_moved(still, n) for n in range(4))
    prints = silhouettes.fingerprints
    assert prints[0] == prints[1] == prints[3] != prints[2]


def test_normals_alone_make_a_difference():
    turned = dataclasses.replace(_CUBE, normals=-_CUBE.normals)
    body = _deforming(_CUBE, turned)
    silhouettes = Silhouettes(stage([body], 2))
    assert silhouettes.has_moved(body, 1)
    assert silhouettes.fingerprints[0] != silhouettes.fingerprints[1]


def test_the_mask_of_several_frames_and_bodies_is_their_union():
    one = block("moved_0", (0.02, 0.02, 0.02), [(-0.05, 0, 0.01), (-0.02, 0.02, 0.01), (0.05, 0, 0.01)])
    other = block("prop_0", (0.01, 0.01, 0.04), [(0, -0.04, 0.02)])
    silhouettes = Silhouettes(stage([one, other], 3))
    single = [silhouettes.mask([one], n) for n in range(3)]
    assert all((a != b).any() for a, b in itertools.pairwise(single))
    np.testing.assert_array_equal(silhouettes.mask([one], 0, 2), single[0] | single[2])
    np.testing.assert_array_equal(silhouettes.mask([one], 1, 1), single[1])
    np.testing.assert_array_equal(
        silhouettes.mask([one, other], 0, 2), single[0] | single[2] | silhouettes.mask([other], 1)
    )
    assert not silhouettes.mask([], 0, 1).any()
    assert not silhouettes.mask([one]).any()


def _common_depth(polygon: Float, height: int, width: int) -> Float:
    """How far each pixel's square and a convex polygon reach into each other, (H, W) px; < 0: the gap.

    Two convex figures are apart where one of their edges' normals parts them.
    """
    edges = np.roll(polygon, -1, axis=0) - polygon
    edges = edges[np.linalg.norm(edges, axis=1) > 1e-9]
    axes = np.concatenate([np.eye(2), np.stack([edges[:, 1], -edges[:, 0]], axis=1)])
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    centres = np.stack(np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5), axis=-1) @ axes.T
    reach = np.abs(axes).sum(axis=1) / 2
    low, high = (polygon @ axes.T).min(axis=0), (polygon @ axes.T).max(axis=0)
    return (np.minimum(high, centres + reach) - np.maximum(low, centres - reach)).min(axis=-1)


def _masks_and_depths(count: int = 40) -> list[tuple[np.ndarray, Float]]:
    """Masks of boxes lying anyhow, some of them partly out of the image, with what they should cover."""
    rng = np.random.default_rng(5)
    cases = []
    for number in range(count):
        pose = np.eye(4)
        pose[:3, :3] = Rotation.random(random_state=number).as_matrix()
        pose[:3, 3] = [*rng.uniform(-0.11, 0.11, 2), 0.03]
        mesh = box(tuple(rng.uniform(0.002, 0.08, 3)))
        body = RigidObject("prop_0", "prop", RED, mesh, pose[None])
        silhouettes = Silhouettes(stage([body], 1, 48, 36))
        polygon = silhouettes.polygon(body, 0) * (48, 36)
        cases.append((silhouettes.mask([body], 0), _common_depth(polygon, 36, 48)))
    return cases


def test_a_mask_holds_every_pixel_that_the_outline_reaches_into():
    cases = _masks_and_depths()
    assert sum((depth > 0.5).any() for _, depth in cases) > 25
    for mask, depth in cases:
        assert mask[depth > 0.5].all()
        assert (depth[mask] > -0.7).all()


def test_a_mask_holds_every_pixel_that_the_outline_touches():
    for mask, depth in _masks_and_depths():
        assert mask[depth > 1e-6].all()
