"""Size: clay is conserved exactly, stands on the table, and parts or merges where the twin says."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial import cKDTree

from generation.conservation.design import FACTORS, design
from generation.conservation.size import SIZE_STUDIO
from generation.geometry.solid import volume
from tests.support.coarse_clips import (
    cells_of,
    check_framed,
    check_quantities,
    check_still_ends,
    clip,
    distinct,
    is_there,
    meshes,
    some_frames,
)

RESHAPINGS = FACTORS["size"]["reshaping"]
CONDITIONS = ("conserving", "nonconserving")


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("reshaping", RESHAPINGS)
def test_clay_is_neither_made_nor_lost(reshaping, condition):
    for cell in cells_of("size", "reshaping", reshaping):
        scene = clip("size", cell.pair_id, condition)
        content = scene.quantities.reference[0]
        is_gain = cell.direction == "gain"
        loose = "spare_lump" if is_gain else "piece"
        extra = volume(meshes(scene, 0, loose)[loose]) if is_gain else 0.0
        untouched = next(body for body in scene.objects if body.object_id == "reference_lump")
        assert untouched.is_static
        assert volume(untouched.mesh_at(0)) == pytest.approx(content, rel=1e-9)
        for frame in some_frames(scene, cell.pair_id + condition):
            mesh = meshes(scene, frame, "moved_lump", loose)
            moved = volume(mesh["moved_lump"])
            assert moved == pytest.approx(scene.quantities.moved[frame], rel=1e-9)
            if condition == "nonconserving":
                assert moved + volume(mesh[loose]) == pytest.approx(content + extra, rel=1e-9)


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("reshaping", RESHAPINGS)
def test_everything_stays_in_the_frame_and_on_the_table_and_keeps_clear(reshaping, condition):
    for cell in cells_of("size", "reshaping", reshaping)[: 1 if condition == "conserving" else 2]:
        scene = clip("size", cell.pair_id, condition)
        for frame in range(3, scene.num_frames - 2):
            mesh = meshes(scene, frame)
            for name, body in mesh.items():
                check_framed(scene, body, (cell.pair_id, name, frame))
                assert body.vertices[:, 2].min() > -1e-12, (cell.pair_id, name, frame)
            for name in ("moved_lump", "reference_lump"):
                assert mesh[name].vertices[:, 2].min() == pytest.approx(0, abs=1e-12)
            if frame % 2:
                _check_clear(mesh, (cell.pair_id, frame))


def _thinned(mesh):
    """Return some distinct vertices; searching among many equal ones takes forever."""
    return mesh.vertices[distinct(mesh)[::5]]


def _check_clear(mesh, what):
    points = {name: _thinned(body) for name, body in mesh.items() if is_there(body)}
    for one, other in (
        ("moved_lump", "reference_lump"),
        ("moved_lump", "dish"),
        ("reference_lump", "dish"),
        ("reference_lump", "spare_lump"),
        ("piece", "spare_lump"),
        ("piece", "dish"),
    ):
        if one in points and other in points:
            gap = cKDTree(points[one]).query(points[other])[0].min()
            assert gap > 0.0015, (what, one, other, gap)


@pytest.mark.parametrize("reshaping", RESHAPINGS)
def test_a_loose_piece_is_outside_the_body_until_it_touches(reshaping):
    for cell in cells_of("size", "reshaping", reshaping)[:2]:
        scene = clip("size", cell.pair_id, "nonconserving")
        name = "spare_lump" if cell.direction == "gain" else "piece"
        gaps = {}
        for frame in range(scene.num_frames):
            mesh = meshes(scene, frame, "moved_lump", name)
            if not is_there(mesh[name]):
                continue
            body, loose = mesh["moved_lump"], _thinned(mesh[name])
            kept = distinct(body)
            distance, index = cKDTree(body.vertices[kept]).query(loose)
            normals = body.normals[kept][index]
            outward = np.einsum("ij,ij->i", loose - body.vertices[kept][index], normals)
            gaps[frame] = float(np.where(outward < 0, -distance, distance).min())
        contact = scene.notes["contact_frame"]
        assert gaps[contact] == pytest.approx(0, abs=0.0025), (cell.pair_id, gaps)
        assert all(gap > -0.0015 for gap in gaps.values()), (cell.pair_id, gaps)
        assert max(gaps.values()) > 0.02


@pytest.mark.parametrize("reshaping", RESHAPINGS)
def test_twins_are_the_same_until_the_change_begins(reshaping):
    for cell in cells_of("size", "reshaping", reshaping)[:2]:
        conserving, twin = (clip("size", cell.pair_id, condition) for condition in CONDITIONS)
        start = twin.notes["event_frames"][0]
        for frame in (0, start // 2, start):
            one, other = meshes(conserving, frame), meshes(twin, frame)
            assert list(one) == list(other)
            for name in one:
                same = np.array_equal(one[name].vertices, other[name].vertices)
                # Before it is there, a piece has no size: where doesn't matter.
                assert same or name == "piece", (cell.pair_id, name, frame)
                assert one[name].faces.shape == other[name].faces.shape
        one, other = meshes(conserving, 23), meshes(twin, 23)
        assert not np.array_equal(one["moved_lump"].vertices, other["moved_lump"].vertices)


def test_quantities_say_what_the_design_says():
    for cell in design("size"):
        conserving, twin = (clip("size", cell.pair_id, condition) for condition in CONDITIONS)
        check_quantities(conserving, twin, cell.direction)
        assert len(np.unique(twin.quantities.moved)) == 2


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("number", [1, 14, 27, 40])
def test_clips_begin_and_end_still_and_change_smoothly(number, condition):
    cell = design("size")[number]
    scene = clip("size", cell.pair_id, condition, fine=True)
    check_still_ends(scene)
    if condition == "conserving":
        body = next(b for b in scene.objects if b.object_id == "moved_lump")
        extents = np.stack([np.ptp(body.mesh_at(f).vertices, axis=0) for f in range(72)])
        assert np.abs(np.diff(extents, axis=0)).max() < 0.006  # m per frame


def test_both_lumps_begin_alike_and_the_moved_one_ends_as_asked():
    for cell in design("size"):
        scene = clip("size", cell.pair_id, "conserving")
        first, last = cell.factors["reshaping"].split("_to_")
        start, end = (meshes(scene, frame, "moved_lump", "reference_lump") for frame in (0, 23))
        extents = [np.ptp(m.vertices, axis=0) for m in (start["moved_lump"], start["reference_lump"])]
        assert extents[0] == pytest.approx(extents[1], rel=0.12)
        for mesh, shape in ((start["moved_lump"], first), (end["moved_lump"], last)):
            x, y, z = np.ptp(mesh.vertices, axis=0)
            slender = z / np.sqrt(x * y)
            low, high = {"sphere": (0.9, 1.1), "cylinder": (1.1, 1.45), "plane": (0.12, 0.22)}[shape]
            assert low < slender < high, (cell.pair_id, shape, slender)
        x = {name: mesh.vertices[:, 0].mean() for name, mesh in end.items()}
        assert (x["moved_lump"] > x["reference_lump"]) == (cell.factors["moved_position"] == "right")
        assert scene.camera == SIZE_STUDIO.camera(640, 480)
