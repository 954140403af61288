"""Volume: nothing is lost, nothing collides, twins part only where the change begins."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial import cKDTree

from generation.conservation.design import design
from generation.conservation.glassware import glass, jug
from generation.conservation.volume import AMOUNTS
from generation.geometry.liquid import Cavity
from generation.geometry.solid import joined, volume
from tests.support.coarse_clips import (
    cells_of,
    check_framed,
    check_quantities,
    check_still_ends,
    clip,
    is_there,
    meshes,
    some_frames,
)

CASES = [(transfer, amount) for transfer in ("tall_to_short", "short_to_tall") for amount in AMOUNTS]
CONDITIONS = ("conserving", "nonconserving")
VESSELS = ("reference_glass", "source_glass", "target_glass", "jug")
WET = ("source_liquid", "target_liquid", "reference_liquid")
STREAMS = ("stream", "jug_stream")


def _cells(transfer, amount):
    return [cell for cell in cells_of("volume", "transfer", transfer) if cell.factors["amount"] == amount]


def _kinds(scene_cell):
    source, target = scene_cell.factors["transfer"].split("_to_")
    return {
        "reference_glass": glass(source),
        "source_glass": glass(source),
        "target_glass": glass(target),
    } | {"jug": jug()}


def _poses(scene, frame):
    return {body.object_id: body.pose_at(frame) for body in scene.objects}


def _below(scene, frame, name, vessel):
    """Integrate the cavity of a vessel below the level surface that the scene shows in it."""
    pose = _poses(scene, frame)[name]
    up = pose[:3, :3].T @ [0, 0, 1]
    (top,) = meshes(scene, frame, f"{name}_liquid_top").values()
    level = np.median(top.vertices[:, 2])
    return Cavity(vessel).volume(up, float(level - pose[2, 3]))


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize(("transfer", "amount"), CASES)
def test_no_drop_is_lost(transfer, amount, condition):
    for cell in _cells(transfer, amount):
        scene = clip("volume", cell.pair_id, condition)
        content = scene.quantities.reference[0]
        total = content + scene.notes["volumes"]["jug"][0]
        for frame in some_frames(scene, cell.pair_id + condition):
            mesh = meshes(scene, frame, *WET, *(f"{name}_top" for name in WET), *STREAMS)
            source, target, untouched = (volume(joined([mesh[name], mesh[f"{name}_top"]])) for name in WET)
            streams = [volume(mesh[name]) for name in STREAMS]
            spare = _below(scene, frame, "jug", jug())
            assert source + target + sum(streams) + spare == pytest.approx(total, rel=1e-6)
            assert untouched == pytest.approx(content, rel=1e-6)
            moved = scene.quantities.moved[frame]
            if frame == scene.num_frames - 1:
                assert target == pytest.approx(moved, rel=1e-6)
                assert sum(streams) == 0
            elif frame == 0:
                assert source == pytest.approx(moved, rel=1e-6)


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize(("transfer", "amount"), CASES)
def test_everything_stays_in_the_frame_and_keeps_clear(transfer, amount, condition):
    for cell in _cells(transfer, amount)[:3]:
        scene = clip("volume", cell.pair_id, condition)
        vessels = _kinds(cell)
        for frame in range(3, scene.num_frames - 2):
            mesh = meshes(scene, frame)
            for name, body in mesh.items():
                check_framed(scene, body, (cell.pair_id, name, frame))
                assert body.vertices[:, 2].min() > 0, (cell.pair_id, name, frame)
            _check_clear(scene, frame, vessels)
            _check_streams(scene, frame, mesh, vessels["target_glass"])


def _profile(vessel, mesh):
    """Return heights and largest radii of a surface of revolution, ascending."""
    z, r = mesh.vertices[:, 2], np.hypot(*mesh.vertices[:, :2].T)
    heights = np.unique(np.round(z, 9))
    return heights, np.array([r[np.abs(z - height) < 1e-8].max() for height in heights])


def _check_clear(scene, frame, vessels):
    poses = _poses(scene, frame)
    for one, body in vessels.items():
        heights, radii = _profile(body, body.outside)
        for other, obstacle in vessels.items():
            if one == other:
                continue
            pose = np.linalg.inv(poses[one]) @ poses[other]
            points = obstacle.outside.vertices @ pose[:3, :3].T + pose[:3, 3]
            within = (points[:, 2] > -0.001) & (points[:, 2] < body.height + 0.001)
            near = np.hypot(*points[within, :2].T)
            limit = np.interp(points[within, 2], heights, radii) + 0.001
            assert (near - limit).min(initial=1) > 0, (one, other, frame)


def _check_streams(scene, frame, mesh, target):
    place = _poses(scene, frame)["target_glass"][:3, 3]
    heights, radii = _profile(target, target.cavity)
    for name in STREAMS:
        if not is_there(mesh[name]):
            continue
        points = mesh[name].vertices - place
        inside = points[points[:, 2] < target.height + 0.001]
        limit = np.interp(inside[:, 2], heights, radii) - 0.0005
        assert (limit - np.hypot(*inside[:, :2].T)).min(initial=1) > 0, (name, frame)
    if all(is_there(mesh[name]) for name in STREAMS):
        one, other = (mesh[name].vertices for name in STREAMS)
        assert cKDTree(one).query(other)[0].min() > 0.001, frame


@pytest.mark.parametrize(("transfer", "amount"), CASES)
def test_twins_are_the_same_until_the_change_begins(transfer, amount):
    for cell in _cells(transfer, amount)[:4]:
        conserving, twin = (clip("volume", cell.pair_id, condition) for condition in CONDITIONS)
        start = twin.notes["event_seconds"][0] - (0.62 if cell.direction == "gain" else 0.0)
        last = int(start * twin.fps)
        assert last >= 3
        for frame in (0, last // 2, last):
            one, other = meshes(conserving, frame), meshes(twin, frame)
            assert list(one) == list(other)
            for name in one:
                assert np.array_equal(one[name].vertices, other[name].vertices), (cell.pair_id, name, frame)
                assert np.array_equal(one[name].normals, other[name].normals)
                assert np.array_equal(one[name].faces, other[name].faces)


def test_quantities_say_what_the_design_says():
    for cell in design("volume"):
        conserving, twin = (clip("volume", cell.pair_id, condition) for condition in CONDITIONS)
        check_quantities(conserving, twin, cell.direction)
        reference = twin.quantities.reference
        assert np.array_equal(reference, conserving.quantities.reference)
        behind = twin.notes["volumes"]["source"][-1]
        assert (behind > 0.2 * reference[0]) == (cell.direction == "loss")
        assert (twin.notes["volumes"]["jug"][-1] == 0) == (cell.direction == "gain")


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("number", [0, 9, 22, 37])
def test_clips_begin_and_end_still_and_move_smoothly(number, condition):
    cell = design("volume")[number]
    scene = clip("volume", cell.pair_id, condition, fine=True)
    check_still_ends(scene)
    for body in scene.objects:
        corners = np.array([[0, 0, 0, 1], [0, 0, 0.09, 1], [0.03, 0, 0, 1]])
        path = np.stack([body.pose_at(f) @ corners.T for f in range(72)])
        assert np.abs(np.diff(path, n=2, axis=0)).max() < 0.0095, body.object_id  # m per frame squared


def test_camera_lamps_and_backdrop_never_change():
    first, *others = [clip("volume", cell.pair_id, "conserving") for cell in design("volume")[::6]]
    for scene in others:
        assert (scene.camera, scene.lights, scene.environment) == (
            first.camera,
            first.lights,
            first.environment,
        )
        assert [b.material for b in scene.backdrop] == [b.material for b in first.backdrop]


def test_the_moved_liquid_ends_on_its_side():
    for cell in design("volume"):
        scene = clip("volume", cell.pair_id, "conserving")
        ends = {body.object_id: body.pose_at(23)[0, 3] for body in scene.objects}
        on_right = ends["target_glass"] > ends["source_glass"] > ends["reference_glass"]
        assert on_right == (cell.factors["moved_position"] == "right")
        between = ends["target_glass"] < ends["source_glass"] < ends["reference_glass"]
        assert on_right != between
