"""Size: clay is conserved exactly, stands on the table, and parts or merges where the twin says."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial import cKDTree

from generation.conservation.design import FACTORS, design
from generation.conservation.size import SIZE_STUDIO
from generation.geometry.solid import volume
from tests.support.coarse_clips import box_of, cells_of, clip, meshes, some_frames

RESHAPINGS = FACTORS["size"]["reshaping"]
CONDITIONS = ("conserving", "nonconserving")
MARGIN = 0.01


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("reshaping", RESHAPINGS)
def test_clay_is_neither_made_nor_lost(reshaping, condition):
    for cell in cells_of("size", "reshaping", reshaping):
        scene = clip("size", cell.pair_id, condition)
        content = scene.quantities.reference[0]
        for frame in some_frames(scene, cell.pair_id + condition):
            mesh = meshes(scene, frame)
            moved, reference = (volume(mesh[f"{name}_lump"]) for name in ("moved", "reference"))
            assert moved == pytest.approx(scene.quantities.moved[frame], rel=1e-9)
            assert reference == pytest.approx(content, rel=1e-9)
            if condition == "nonconserving":
                loose = volume(mesh["spare_lump" if cell.direction == "gain" else "piece"])
                extra = volume(meshes(scene, 0)["spare_lump"]) if cell.direction == "gain" else 0.0
                assert moved + loose == pytest.approx(content + extra, rel=1e-9)


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("reshaping", RESHAPINGS)
def test_everything_stays_in_the_frame_and_on_the_table(reshaping, condition):
    for cell in cells_of("size", "reshaping", reshaping)[: 1 if condition == "conserving" else 2]:
        scene = clip("size", cell.pair_id, condition)
        for frame in range(3, scene.num_frames - 2):
            mesh = meshes(scene, frame)
            for name, body in mesh.items():
                box = box_of(scene, body)
                assert (box[:2] >= MARGIN).all(), (cell.pair_id, name, frame, box)
                assert (box[2:] <= 1 - MARGIN).all(), (cell.pair_id, name, frame, box)
                assert body.vertices[:, 2].min() > -1e-12, (cell.pair_id, name, frame)
            for name in ("moved_lump", "reference_lump"):
                assert mesh[name].vertices[:, 2].min() == pytest.approx(0, abs=1e-12)


def _thinned(mesh):
    """Return some distinct vertices; searching among many equal ones takes forever."""
    return np.unique(mesh.vertices, axis=0)[::5]


def _is_there(mesh):
    return np.ptp(mesh.vertices, axis=0).any()


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("reshaping", RESHAPINGS)
def test_lumps_and_dish_keep_clear(reshaping, condition):
    for cell in cells_of("size", "reshaping", reshaping)[: 1 if condition == "conserving" else 2]:
        scene = clip("size", cell.pair_id, condition)
        for frame in range(3, scene.num_frames - 2, 2):
            points = {n: _thinned(m) for n, m in meshes(scene, frame).items() if _is_there(m)}
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
                    assert gap > 0.0015, (cell.pair_id, one, other, frame, gap)


@pytest.mark.parametrize("reshaping", RESHAPINGS)
def test_a_loose_piece_is_outside_the_body_until_it_touches(reshaping):
    for cell in cells_of("size", "reshaping", reshaping)[:2]:
        scene = clip("size", cell.pair_id, "nonconserving")
        name = "spare_lump" if cell.direction == "gain" else "piece"
        gaps = {}
        for frame in range(scene.num_frames):
            mesh = meshes(scene, frame)
            if not _is_there(mesh[name]):
                continue
            body, loose = mesh["moved_lump"], _thinned(mesh[name])
            kept = np.unique(body.vertices, axis=0, return_index=True)[1]
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
        assert np.array_equal(conserving.quantities.moved, conserving.quantities.reference)
        assert "event" not in conserving.notes
        moved, reference = twin.quantities.moved, twin.quantities.reference
        share = moved[-1] / reference[-1] - 1
        assert 0.25 <= abs(share) <= 0.35
        assert np.sign(share) == (1 if cell.direction == "gain" else -1)
        assert moved[0] == reference[0]
        assert len(np.unique(moved)) == 2


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("number", [1, 14, 27, 40])
def test_clips_begin_and_end_still_and_change_smoothly(number, condition):
    cell = design("size")[number]
    scene = clip("size", cell.pair_id, condition, fine=True)
    first, last = meshes(scene, 0), meshes(scene, 71)
    for frame in (3, 7, 64, 67):
        now, rest = meshes(scene, frame), first if frame < 8 else last
        for name, mesh in now.items():
            assert np.array_equal(mesh.vertices, rest[name].vertices), (name, frame)
            assert np.array_equal(mesh.faces, rest[name].faces)
    if condition == "conserving":
        body = next(b for b in scene.objects if b.object_id == "moved_lump")
        extents = np.stack([np.ptp(body.mesh_at(f).vertices, axis=0) for f in range(72)])
        assert np.abs(np.diff(extents, axis=0)).max() < 0.006  # m per frame


def test_both_lumps_begin_alike_and_the_moved_one_ends_as_asked():
    for cell in design("size"):
        scene = clip("size", cell.pair_id, "conserving")
        first, last = cell.factors["reshaping"].split("_to_")
        start, end = meshes(scene, 0), meshes(scene, 23)
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
