"""Coins keep their distance, rows keep their extent, and each count is what lies in the row."""

import numpy as np
import pytest

from generation.conservation.design import design
from tests.support.scene_geometry import find_cell, scenes, vertices_over_time

PAIRS = [cell.pair_id for cell in design("number")]
SEEDS = (0, 5)


def _coins(scene):
    return [body for body in scene.objects if body.object_id != "saucer"]


def _centres(scene, bodies):
    """Centres of the coins' lower faces, (N, T, 3)."""
    return np.stack([np.broadcast_to(b.poses[:, :3, 3], (scene.num_frames, 3)) for b in bodies])


def _saucer(scene):
    points = vertices_over_time(scene.objects[-1], scene.num_frames)[0]
    centre = scene.objects[-1].poses[0, :3, 3]
    return centre, np.hypot(*(points - centre)[:, :2].T).max(), points[:, 2].max()


def _row(scene, frame):
    """Centres along x of the coins that lie on the table in the moved row, ascending."""
    y = next(b for b in scene.objects if b.role == "moved").poses[0, 1, 3]
    centres = _centres(scene, _coins(scene))[:, frame]
    return np.sort(centres[(np.abs(centres[:, 1] - y) < 0.001) & (centres[:, 2] == 0.0), 0])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("pair_id", PAIRS)
def test_no_coin_ever_touches_another(pair_id, seed):
    for scene in scenes("number", pair_id, seed):
        coins = _coins(scene)
        centres = _centres(scene, coins)
        radii = np.array([np.hypot(*b.rest.vertices[:, :2].T).max() for b in coins])
        heights = np.array([np.ptp(b.rest.vertices[:, 2]) for b in coins])
        across = np.linalg.norm(centres[:, None, :, :2] - centres[None, :, :, :2], axis=3)
        above = centres[:, None, :, 2] - centres[None, :, :, 2]
        apart = across - (radii[:, None] + radii)[..., None] > 0.0003
        lifted = (above > heights[None, :, None]) | (-above > heights[:, None, None])
        free = apart | lifted | np.eye(len(coins), dtype=bool)[..., None]
        assert free.all(), np.argwhere(~free)[:3]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("pair_id", PAIRS)
def test_coins_clear_the_saucer_or_lie_flat_inside_it(pair_id, seed):
    for scene in scenes("number", pair_id, seed):
        centre, rim_radius, rim_height = _saucer(scene)
        for body in _coins(scene):
            path = np.broadcast_to(body.poses[:, :3, 3], (scene.num_frames, 3))
            radius = np.hypot(*body.rest.vertices[:, :2].T).max()
            away = np.hypot(*(path - centre)[:, :2].T)
            outside = away > rim_radius + radius
            inside = away + radius < 0.8 * rim_radius + 0.0005
            assert (outside | inside | (path[:, 2] > rim_height)).all(), body.object_id


@pytest.mark.parametrize("pair_id", PAIRS)
def test_saucer_stands_clear_of_both_rows(pair_id):
    for scene in scenes("number", pair_id, 0):
        centre, rim_radius, _ = _saucer(scene)
        for body in _coins(scene):
            if body.role != "prop":
                radius = np.hypot(*body.rest.vertices[:, :2].T).max()
                assert np.hypot(*(body.poses[0, :2, 3] - centre[:2])) > rim_radius + radius + 0.002


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("pair_id", PAIRS)
def test_rows_start_aligned_and_end_equally_wide_in_both_twins(pair_id, seed):
    conserving, twin = scenes("number", pair_id, seed)
    count = find_cell("number", pair_id).factors["count"]
    moved = [b for b in conserving.objects if b.role == "moved"]
    reference = [b for b in conserving.objects if b.role == "reference"]
    assert len(moved) == len(reference) == count
    assert [b.material for b in moved] == [b.material for b in reference]
    for one, other in zip(moved, reference, strict=True):
        assert abs(one.poses[0, 0, 3] - other.poses[0, 0, 3]) < 0.001
    ends = [_row(scene, -1) for scene in (conserving, twin)]
    assert [len(row) for row in ends] == [s.quantities.moved[-1] for s in (conserving, twin)]
    assert ends[0][[0, -1]] == pytest.approx(ends[1][[0, -1]], abs=1e-12)
    for row in ends:
        assert np.diff(row) == pytest.approx(np.diff(row).mean(), abs=1e-12)
    start = _row(conserving, 0)
    assert np.ptp(ends[0]) > 1.12 * np.ptp(start)


@pytest.mark.parametrize("pair_id", PAIRS)
def test_far_spreads_wider_than_near(pair_id):
    if "_near_" in pair_id:
        near, far = (scenes("number", p, 0)[0] for p in (pair_id, pair_id.replace("_near_", "_far_")))
        assert np.ptp(_row(far, -1)) > 1.15 * np.ptp(_row(near, -1))


@pytest.mark.parametrize("pair_id", PAIRS)
def test_count_is_what_lies_in_the_row(pair_id):
    for scene in scenes("number", pair_id, 0):
        counted = [len(_row(scene, frame)) for frame in range(scene.num_frames)]
        assert counted == scene.quantities.moved.tolist()


@pytest.mark.parametrize("pair_id", PAIRS)
def test_reference_row_never_moves(pair_id):
    for scene in scenes("number", pair_id, 0):
        assert all(b.is_static for b in scene.objects if b.role == "reference")


def test_mixed_rows_hold_several_metals_and_uniform_rows_one():
    for pair_id in PAIRS:
        row = [b.material for b in scenes("number", pair_id, 0)[0].objects if b.role == "moved"]
        assert len(set(row)) == (3 if "_mixed_" in pair_id else 1)


def test_nuisances_vary_over_seeds_and_pairs():
    drawn = [scenes("number", p, seed)[1] for p in PAIRS for seed in SEEDS]
    saucers = np.array([s.objects[-1].poses[0, :2, 3] for s in drawn])
    assert len(np.unique(np.sign(saucers), axis=0)) == 4
    assert len({s.notes["slot"] for s in drawn}) >= 8
    assert len({b.material for s in drawn for b in s.objects}) == 4
