"""Liquid in a vessel: volumes integrated from the meshes, whatever the tilt."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from generation.geometry.clipping import mean_positive, share_below
from generation.geometry.liquid import Cavity, up_at
from generation.geometry.solid import flipped, joined, volume
from generation.geometry.vessel import Shape, Vessel, vessel

ROUND = vessel(Shape(0.0195, 0.0215, 0.092, 0.0018, 0.0065))
WIDE = vessel(Shape(0.0325, 0.0345, 0.050, 0.0020, 0.0070))
SPOUTED = vessel(Shape(0.0150, 0.0165, 0.042, 0.0022, 0.0030, spout=0.0055))
VESSELS = {"round": ROUND, "wide": WIDE, "spouted": SPOUTED}
CAVITIES = {name: Cavity(body) for name, body in VESSELS.items()}

vessels = st.sampled_from(sorted(VESSELS))
shares = st.floats(1e-6, 0.999)
depths = st.lists(st.floats(-1, 1), min_size=3, max_size=3).map(lambda d: np.array([d]))


def _inside(cavity: Cavity, up: np.ndarray, level: float) -> float:
    cut = cavity.cut(up, level)
    return volume(joined([cut.wet, cut.top]))


@given(vessels, shares)
def test_upright_liquid_has_its_volume(name: str, share: float) -> None:
    cavity = CAVITIES[name]
    wanted = share * cavity.capacity()
    assert _inside(cavity, up_at(0.0), cavity.level(up_at(0.0), wanted)) == pytest.approx(wanted, rel=1e-9)


@given(vessels, shares, st.floats(0, 1.5))
def test_tilted_liquid_has_its_volume(name: str, share: float, tilt: float) -> None:
    cavity = CAVITIES[name]
    most = cavity.volume(up_at(tilt), cavity.brim(tilt, 0.0))
    wanted = share * most
    assert _inside(cavity, up_at(tilt), cavity.level(up_at(tilt), wanted)) == pytest.approx(wanted, rel=1e-9)


@given(vessels, st.floats(0.1, 0.9), st.floats(0, 0.004))
def test_a_pouring_vessel_leans_just_far_enough(name: str, share: float, head: float) -> None:
    cavity = CAVITIES[name]
    wanted = share * cavity.capacity()
    tilt = cavity.tilt(wanted, lambda _: head)
    assert _inside(cavity, up_at(tilt), cavity.brim(tilt, head)) == pytest.approx(wanted, rel=1e-9)
    assert cavity.tilt(0.9 * wanted, lambda _: head) > tilt


def test_the_level_agrees_with_a_cylinder() -> None:
    straight = vessel(Shape(0.02, 0.02, 0.10, 0.002, 0.005))
    cavity = Cavity(straight)
    low, high = (cavity.level(up_at(0.0), v) for v in (40e-6, 60e-6))
    area = 36 * np.sin(2 * np.pi / 72) * 0.02**2
    assert high - low == pytest.approx(20e-6 / area, rel=1e-9)


@given(vessels, shares, st.floats(0, 1.4))
def test_wet_and_dry_make_the_whole_wall(name: str, share: float, tilt: float) -> None:
    cavity = CAVITIES[name]
    up = up_at(tilt)
    most = cavity.volume(up, cavity.brim(tilt, 0.0))
    assume(share * most > 1e-9)
    cut = cavity.cut(up, cavity.level(up, share * most))
    assert _area(cut.wet) + _area(cut.dry) == pytest.approx(_area(VESSELS[name].cavity), rel=1e-9)
    dry = cut.dry.vertices[cut.dry.faces][_sizes(cut.dry) > 1e-14] @ up
    assert max((m.vertices @ up).max() for m in (cut.wet, cut.top)) <= dry.min() + 1e-9


def _sizes(mesh) -> np.ndarray:
    a, b, c = np.moveaxis(mesh.vertices[mesh.faces], 1, 0)
    return np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2


def _area(mesh) -> float:
    return float(_sizes(mesh).sum())


def test_the_topology_never_changes() -> None:
    cavity = CAVITIES["round"]
    cuts = [
        cavity.cut(up_at(tilt), level) for tilt, level in ((0.0, -1.0), (0.3, 0.03), (1.2, 0.01), (0.0, 1.0))
    ]
    for part in ("wet", "dry", "top"):
        first = getattr(cuts[0], part)
        for cut in cuts[1:]:
            assert np.array_equal(getattr(cut, part).faces, first.faces)
            assert getattr(cut, part).vertices.shape == first.vertices.shape


def test_normals_are_unit_and_leave_the_liquid() -> None:
    cavity = CAVITIES["wide"]
    cut = cavity.cut(up_at(0.5), cavity.level(up_at(0.5), 20e-6))
    for mesh in (cut.wet, cut.dry, cut.top):
        assert np.linalg.norm(mesh.normals, axis=1) == pytest.approx(1)
        a, b, c = np.moveaxis(mesh.vertices[mesh.faces], 1, 0)
        faces = np.cross(b - a, c - a)
        real = _sizes(mesh) > 1e-12
        assert (np.einsum("ij,ij->i", faces, mesh.normals[mesh.faces[:, 0]])[real] > 0).all()


@pytest.mark.parametrize("amount", [-1e-9, 1.0])
def test_a_vessel_refuses_what_it_can_not_hold(amount: float) -> None:
    with pytest.raises(ValueError, match="can't hold"):
        CAVITIES["round"].level(up_at(0.0), amount)


@given(st.floats(1e-6, 9e-4))
def test_the_open_side_has_its_area(area: float) -> None:
    cavity = CAVITIES["wide"]
    head = cavity.head(area)
    tilt = 0.8
    parts = cavity.cut(up_at(tilt), cavity.brim(tilt, head)).top
    lid = np.abs(parts.vertices[:, 2] - WIDE.height) < 1e-12
    flat = parts.faces[lid[parts.faces].all(axis=1)]
    a, b, c = np.moveaxis(parts.vertices[flat], 1, 0)
    assert np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2 == pytest.approx(area, rel=1e-6)


@given(depths)
@settings(max_examples=300)
def test_clipped_integrals_agree_with_a_fine_subdivision(depth: np.ndarray) -> None:
    steps = (np.arange(60) + 0.5) / 60
    u, v = np.meshgrid(steps, steps)
    fold = u + v > 1
    u, v = np.where(fold, 1 - u, u), np.where(fold, 1 - v, v)
    samples = depth[0, 0] + u * (depth[0, 1] - depth[0, 0]) + v * (depth[0, 2] - depth[0, 0])
    assert mean_positive(depth)[0] == pytest.approx(np.maximum(samples, 0).mean(), abs=2e-3)
    assert share_below(depth)[0] == pytest.approx((samples > 0).mean(), abs=0.05)


@pytest.mark.parametrize("body", VESSELS.values(), ids=list(VESSELS))
def test_a_vessel_is_a_closed_wall_of_real_thickness(body: Vessel) -> None:
    wall = joined([body.outside, flipped(body.cavity)])
    keys = np.unique(np.round(wall.vertices, 9), axis=0, return_inverse=True)[1].reshape(-1)[wall.faces]
    proper = keys[(keys[:, 0] != keys[:, 1]) & (keys[:, 1] != keys[:, 2]) & (keys[:, 2] != keys[:, 0])]
    edges = np.concatenate([proper[:, [0, 1]], proper[:, [1, 2]], proper[:, [2, 0]]])
    assert len(np.unique(edges, axis=0)) == len(edges)
    both = np.unique(np.sort(edges, axis=1), axis=0, return_counts=True)[1]
    assert (both == 2).all()
    assert volume(wall) > 0.4 * _area(body.cavity) * 0.0018
    assert body.outside.vertices[:, 2].min() > 0
    assert body.cavity.vertices[:, 2].min() >= 0.003 - 1e-9
    assert body.lip[1] == pytest.approx(0)
    assert body.lip[0] == body.mouth[:, 0].max()
