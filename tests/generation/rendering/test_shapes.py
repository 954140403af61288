"""Meshes are closed, face outwards, and have the volume they should."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generation.rendering.reliefs import EMBLEMS, relief
from generation.rendering.shapes import box, join, lathe, medal, saucer, tube


def _welded_faces(mesh):
    """Faces over distinct positions: doubled vertices at sharp edges count once."""
    _, index = np.unique(np.round(mesh.vertices, 9), axis=0, return_inverse=True)
    return index.reshape(-1)[mesh.faces]


def _directed_edges(faces):
    return np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])


def _volume(mesh):
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    return float((a * np.cross(b, c)).sum() / 6)


def _normal_agreement(mesh):
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    flat = np.cross(b - a, c - a)
    flat /= np.linalg.norm(flat, axis=1, keepdims=True)
    return (flat[:, None] * mesh.normals[mesh.faces]).sum(axis=2)


def assert_closed(mesh, euler):
    faces = _welded_faces(mesh)
    edges = _directed_edges(faces)
    assert len(np.unique(edges, axis=0)) == len(edges), "an edge is used twice in one direction"
    undirected, uses = np.unique(np.sort(edges, axis=1), axis=0, return_counts=True)
    assert (uses == 2).all(), "the surface has a hole"
    assert len(np.unique(faces)) - len(undirected) + len(faces) == euler
    assert np.linalg.norm(mesh.normals, axis=1) == pytest.approx(1.0)
    assert _volume(mesh) > 0


@settings(max_examples=25, deadline=None)
@given(length=st.floats(0.02, 0.5), outer=st.floats(0.003, 0.02), wall=st.floats(0.1, 0.6))
def test_tube_is_a_torus_with_the_volume_of_its_wall(length, outer, wall):
    inner = outer * (1 - wall)
    mesh = tube(length, outer, inner, segments=96)
    assert_closed(mesh, euler=0)
    half = (outer - inner) / 2
    # Straight wall plus the rounded edges: two halves of a torus of minor radius `half` (Pappus).
    straight = np.pi * (outer**2 - inner**2) * (length - 2 * half)
    edges = 2 * np.pi * (outer + inner) / 2 * np.pi * half**2
    # Both are polygons: 96 sides around, 6 chords along each rounded edge, which lie inside the circles.
    chords = np.sinc(1 / 6)
    assert _volume(mesh) == pytest.approx((straight + chords * edges) * np.sinc(2 / 96), rel=1e-9)
    assert mesh.vertices[:, 0].min() == pytest.approx(0.0, abs=1e-12)
    assert mesh.vertices[:, 0].max() == pytest.approx(length, abs=1e-12)
    assert _normal_agreement(mesh).min() > 0.9


def test_tube_texture_runs_around_it_and_along_it():
    mesh = tube(0.2, 0.005, 0.004, segments=48)
    around, along = mesh.uvs.T
    assert along == pytest.approx(mesh.vertices[:, 0] / 0.2)
    assert np.cos(np.pi * around) == pytest.approx(mesh.vertices[:, 1] / np.hypot(*mesh.vertices[:, 1:].T))


@settings(max_examples=25, deadline=None)
@given(size=st.tuples(*[st.floats(0.01, 2.0)] * 3))
def test_box_encloses_its_size(size):
    mesh = box(size)
    assert_closed(mesh, euler=2)
    assert _volume(mesh) == pytest.approx(np.prod(size))
    assert _normal_agreement(mesh) == pytest.approx(1.0)


def test_box_top_carries_the_texture_upright():
    mesh = box((2.0, 1.0, 0.1))
    top = mesh.vertices[:, 2] > 0
    top &= mesh.normals[:, 2] > 0.5
    assert mesh.uvs[top] == pytest.approx(mesh.vertices[top, :2] / (2.0, 1.0) + 0.5)


@given(radius=st.floats(0.01, 1.0))
@settings(max_examples=6, deadline=None)
def test_lathe_turns_a_half_circle_into_a_smooth_ball(radius):
    bend = np.linspace(-np.pi / 2, np.pi / 2, 33)
    profile = radius * np.stack([np.cos(bend), np.sin(bend)], axis=1)
    profile[[0, -1], 0] = 0.0
    mesh = lathe(profile, 64)
    assert_closed(mesh, euler=2)
    assert _volume(mesh) == pytest.approx(4 / 3 * np.pi * radius**3, rel=0.01)
    assert mesh.normals * radius == pytest.approx(mesh.vertices, abs=0.03 * radius)


def test_lathe_keeps_sharp_edges_sharp():
    mesh = lathe(np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 2.0], [0.0, 2.0]]), 96)
    assert_closed(mesh, euler=2)
    assert _volume(mesh) == pytest.approx(2 * np.pi, rel=0.002)
    # Flat caps, round side: no normal leans between them.
    assert np.isin(np.round(np.abs(mesh.normals[:, 2]), 12), [0.0, 1.0]).all()


def test_saucer_stands_on_the_table_around_a_flat_floor():
    mesh = saucer(0.033, 0.041, 0.010, 0.0035)
    assert_closed(mesh, euler=2)
    assert mesh.vertices[:, 2].min() == 0.0
    r = np.hypot(mesh.vertices[:, 0], mesh.vertices[:, 1])
    inside = (mesh.normals[:, 2] > 0.7) & (r < 0.0325)
    assert mesh.vertices[inside, 2] == pytest.approx(0.0035)
    assert r.max() < 0.0415
    assert _normal_agreement(mesh).min() > 0.7


@pytest.mark.parametrize("emblem", EMBLEMS)
def test_medal_is_closed_and_its_relief_adds_metal(emblem):
    struck = medal(0.013, 0.0025, relief(emblem), reeds=80)
    assert_closed(struck, euler=2)
    disc = np.pi * 0.013**2 * 0.0025
    assert 0.9 * disc < _volume(struck) < 1.25 * disc
    assert struck.vertices[:, 2].min() == 0.0
    assert np.hypot(struck.vertices[:, 0], struck.vertices[:, 1]).max() <= 0.013 + 1e-12
    assert np.quantile(_normal_agreement(struck), 0.05) > 0.8  # smooth normals follow the surface


def test_medal_volume_of_a_plain_disc():
    plain = medal(0.5, 0.2, lambda x, y: np.zeros_like(x), segments=360)
    bevel = 0.035 * 0.5
    # A cylinder less the two bevels, rings of triangular section (Pappus).
    expected = np.pi * 0.25 * 0.2
    for height in (0.6 * bevel, 0.8 * bevel):
        expected -= 2 * np.pi * (0.5 - bevel / 3) * bevel * height / 2
    assert _volume(plain) == pytest.approx(expected, rel=1e-3)


def test_join_offsets_faces():
    both = join([box((1, 1, 1)), box((2, 2, 2))])
    assert _volume(both) == pytest.approx(9.0)
    assert both.faces.max() == len(both.vertices) - 1
