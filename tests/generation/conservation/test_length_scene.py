"""Straws measured from their meshes: length, cut, extension, and where they stand."""

import numpy as np
import pytest

from generation.conservation.design import design
from tests.support.scene_geometry import find_cell, scenes, vertices_over_time

CELLS = {cell.pair_id: cell for cell in design("length")}
PAIRS = list(CELLS)


def _body(scene, object_id):
    return next(b for b in scene.objects if b.object_id == object_id)


def _measured_length(body, num_frames):
    """Extent along the body's own axis, (T,) m."""
    axes = np.stack([body.pose_at(f)[:3, 0] for f in range(num_frames)])
    points = np.broadcast_to(v := vertices_over_time(body, num_frames), (num_frames, *v.shape[1:]))
    return np.ptp(np.einsum("tvi,ti->tv", points, axes), axis=1)


@pytest.mark.parametrize("pair_id", PAIRS)
def test_lengths_are_exact_in_every_frame(pair_id):
    for scene in scenes("length", pair_id, 0):
        for role in ("moved", "reference"):
            measured = _measured_length(_body(scene, f"{role}_0"), scene.num_frames)
            assert measured == pytest.approx(getattr(scene.quantities, role), abs=1e-12)


@pytest.mark.parametrize("pair_id", PAIRS)
def test_a_cut_drops_and_an_extension_grows(pair_id):
    scene = scenes("length", pair_id, 0)[1]
    change = np.diff(scene.quantities.moved) / scene.quantities.reference[0]
    if CELLS[pair_id].direction == "loss":
        (cut,) = np.flatnonzero(change)
        assert cut + 1 == scene.notes["cut_frame"]
        assert -0.35 <= change[cut] <= -0.25
    else:
        assert 0.25 <= change.sum() <= 0.40
        assert (change >= 0).all()
        assert change.max() < 0.02  # of the straw, per frame


@pytest.mark.parametrize("pair_id", PAIRS)
def test_nothing_sinks_into_the_table(pair_id):
    for scene in scenes("length", pair_id, 0):
        for body in scene.objects:
            points = vertices_over_time(body, scene.num_frames)
            assert points[..., 2].min() > -1e-9
            assert points[..., 2].min(axis=1).max() < 0.0005  # nor does anything float


@pytest.mark.parametrize("pair_id", PAIRS)
def test_scrap_hides_in_the_straw_until_the_cut_and_ends_well_apart(pair_id):
    conserving, scene = scenes("length", pair_id, 0)
    assert [b.object_id for b in conserving.objects] == ["moved_0", "reference_0"]
    if CELLS[pair_id].direction == "gain":
        assert len(scene.objects) == 2
        return
    scrap, moved = _body(scene, "scrap"), _body(scene, "moved_0")
    cut = scene.notes["cut_frame"]
    pieces = vertices_over_time(scrap, scene.num_frames)
    for frame in (0, cut - 1):
        pose = moved.pose_at(frame)
        local = (pieces[frame] - pose[:3, 3]) @ pose[:3, :3]
        whole = _body(conserving, "moved_0").rest.vertices
        assert (local.min(axis=0) > whole.min(axis=0)).all()
        assert (local.max(axis=0) < whole.max(axis=0)).all()
    for straw in ("moved_0", "reference_0"):
        others = _body(scene, straw).mesh_at(71).vertices
        gaps = np.linalg.norm(pieces[-1][:, None] - others[None], axis=2)
        assert gaps.min() > 0.020, straw
    missing = scene.quantities.reference[-1] - scene.quantities.moved[-1]
    assert _measured_length(scrap, 72)[-1] == pytest.approx(missing, abs=1e-4)


@pytest.mark.parametrize("pair_id", PAIRS)
def test_the_straw_moves_as_its_cell_says(pair_id):
    cell, (scene, _) = find_cell("length", pair_id), scenes("length", pair_id, 0)
    moved, reference = _body(scene, "moved_0"), _body(scene, "reference_0")
    side = 1 if cell.factors["side"] == "right" else -1
    away = np.sign(moved.pose_at(0)[1, 3])
    start, end = moved.mesh_at(0).vertices, moved.mesh_at(71).vertices
    assert np.array_equal(np.sign(reference.poses[0, 1, 3]), -away)
    assert start[:, 0].min() == pytest.approx(reference.mesh_at(0).vertices[:, 0].min(), abs=1e-9)
    if cell.factors["action"] == "slide":
        assert end[:, 1:] == pytest.approx(start[:, 1:], abs=1e-12)
        assert side * (end - start)[:, 0].mean() > 0.02
    elif cell.factors["action"] == "rotate":
        assert moved.pose_at(0)[:3, 3] == pytest.approx(moved.pose_at(71)[:3, 3], abs=1e-12)
        assert (away * end[:, 1]).min() >= (away * start[:, 1]).min() - 0.001
        assert np.ptp(end[:, 1]) > 0.035
    else:
        assert moved.pose_at(71)[:3, 0] == pytest.approx([0, 0, 1], abs=1e-9)
        assert np.ptp(end[:, 2]) == pytest.approx(0.140, abs=1e-9)
        beyond = side * end[:, 0] - (side * reference.mesh_at(0).vertices[:, 0]).max()
        assert beyond.min() > 0.015


@pytest.mark.parametrize("pair_id", [p for p in PAIRS if "_near_" in p])
def test_far_moves_further_than_near(pair_id):
    def way(p):
        moved = _body(scenes("length", p, 0)[0], "moved_0")
        return np.linalg.norm(moved.mesh_at(71).vertices - moved.mesh_at(0).vertices, axis=1).max()

    assert way(pair_id.replace("_near_", "_far_")) > way(pair_id) + 0.005


def test_colours_follow_the_object_type():
    for pair_id in PAIRS:
        scene = scenes("length", pair_id, 0)[0]
        same = _body(scene, "moved_0").material == _body(scene, "reference_0").material
        assert same == ("_uniform_" in pair_id)


def test_an_inner_tube_shows_only_once_it_is_drawn_out():
    pair_id = next(p for p in PAIRS if CELLS[p].direction == "gain")
    conserving, scene = scenes("length", pair_id, 0)
    moved, plain = _body(scene, "moved_0"), _body(conserving, "moved_0")
    outer = len(plain.rest.vertices)
    for frame in range(scene.notes["extension_frames"][0] + 1):
        mesh = moved.mesh_at(frame)
        assert np.array_equal(mesh.vertices[:outer], plain.mesh_at(frame).vertices)
        pose = moved.pose_at(frame)
        local = (mesh.vertices[outer:] - pose[:3, 3]) @ pose[:3, :3]
        assert local[:, 0].min() > 0
        assert local[:, 0].max() <= 0.140 + 1e-12
