from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generation.consistency.solids import Form, Solid

FORMS: tuple[Form, ...] = ("ball", "block", "cylinder")
VOLUMES = {"ball": 4 / 3 * np.pi, "block": 8.0, "cylinder": 2 * np.pi}


def _pose(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    pose = np.eye(4)
    pose[:3, :3] = turn * np.sign(np.linalg.det(turn)) @ np.diag(rng.uniform(0.2, 1.5, 3))
    pose[:3, 3] = rng.uniform(-1, 1, 3)
    return pose


def _inside(solid: Solid, points: np.ndarray) -> np.ndarray:
    """Tell by definition, not by crossing."""
    x, y, z = (np.linalg.solve(solid.pose[:3, :3], (points - solid.center).T)).copy()
    if solid.form == "ball":
        return x**2 + y**2 + z**2 <= 1
    if solid.form == "block":
        return np.maximum(np.maximum(abs(x), abs(y)), abs(z)) <= 1
    return (x**2 + y**2 <= 1) & (abs(z) <= 1)


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_crossing_is_where_points_on_the_line_are_inside(form: Form, seed: int) -> None:
    solid, rng = Solid(form, _pose(seed)), np.random.default_rng(seed + 1)
    origins, ends = rng.uniform(-3, 3, (20, 3)), rng.uniform(-1.5, 1.5, (20, 3))
    enter, leave = solid.crossing(origins, ends)
    for share in np.linspace(-1, 2, 61):
        points = origins + share * (ends - origins)
        near_edge = (abs(share - enter) < 1e-6) | (abs(share - leave) < 1e-6)
        expected = (enter <= share) & (share <= leave)
        assert np.array_equal(_inside(solid, points) | near_edge, expected | near_edge)


@pytest.mark.parametrize("form", FORMS)
def test_mesh_fills_the_solid_and_faces_outwards(form: Form) -> None:
    solid = Solid(form, _pose(3))
    mesh = solid.mesh()
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    volume = np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6
    assert volume == pytest.approx(VOLUMES[form] * np.linalg.det(solid.pose[:3, :3]), rel=3e-3)
    assert mesh.normals is not None
    facing = np.einsum("ij,ij->i", np.cross(b - a, c - a), mesh.normals[mesh.faces[:, 1]])
    assert (facing > -1e-12).all()
