"""Clay: closed-form and mesh volumes, and bodies that become one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generation.geometry.clay import Dents, Lump, set_down
from generation.geometry.merging import extracted, occupied, smooth_minimum
from generation.geometry.solid import padded_soup, volume
from generation.geometry.superellipse import Form, distance, surface

forms = st.builds(Form, st.floats(0.2, 1.0), st.floats(0.15, 1.6))


def _dents(seed: int = 0, depth: float = 0.0008) -> Dents:
    rng = np.random.default_rng(seed)
    directions = rng.standard_normal((20, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    return Dents(directions, rng.uniform(-0.2, 1, 20) * depth, rng.uniform(0.15, 0.35, 20))


def test_an_ellipsoid_and_a_cylinder_are_members() -> None:
    a, c = Form(1.0, 0.5).half_axes(4 / 3 * np.pi * 0.02**2 * 0.01)
    assert (a, c) == pytest.approx((0.02, 0.01))
    a, c = Form(1e-4, 2.0).half_axes(np.pi * 0.01**2 * 0.04)
    assert (a, c) == pytest.approx((0.01, 0.02), rel=1e-3)


@given(forms)
@settings(max_examples=40)
def test_the_closed_form_is_the_volume_of_the_body(form: Form) -> None:
    a, c = form.half_axes(1.0)
    z = np.linspace(0, 1, 200_001)
    middle = (z[1:] + z[:-1]) / 2
    rho = (1 - middle ** (2 / form.exponent)) ** (form.exponent / 2)
    assert 2 * np.pi * a**2 * c * (rho**2).mean() == pytest.approx(1.0, rel=1e-3)


# Flat bodies of exponent 1 are lenses, whose sharp rim folds under dents; no clip reshapes through one.
kneaded = st.builds(Form, st.floats(0.2, 0.95), st.floats(0.15, 1.6))


@given(kneaded | st.just(Form(1.0, 1.0)), st.integers(0, 5))
@settings(max_examples=30, deadline=None)
def test_a_lump_has_its_volume_and_faces_outwards(form: Form, seed: int) -> None:
    mesh = Lump(form, 72e-6, _dents(seed), 1.06).mesh()
    assert volume(mesh) == pytest.approx(72e-6, rel=1e-9)
    edges = np.concatenate([mesh.faces[:, [0, 1]], mesh.faces[:, [1, 2]], mesh.faces[:, [2, 0]]])
    assert len(np.unique(edges, axis=0)) == len(edges)
    a, b, c = np.moveaxis(mesh.vertices[mesh.faces], 1, 0)
    assert (np.einsum("ij,ij->i", np.cross(b - a, c - a), mesh.normals[mesh.faces[:, 0]]) > -1e-12).all()


@pytest.mark.parametrize("form", [Form(1.0, 1.0), Form(0.26, 1.28), Form(0.5, 0.17)])
def test_scaling_changes_a_smooth_lump_very_little(form: Form) -> None:
    """The mesh of the form alone differs from the closed form by far less than a visible amount."""
    smooth = Lump(form, 72e-6, _dents(depth=0.0)).mesh()
    extent = np.ptp(smooth.vertices, axis=0)
    a, c = form.half_axes(72e-6)
    assert extent[:2] == pytest.approx(2 * a, rel=0.02)
    assert extent[2] == pytest.approx(2 * c, rel=0.08)


def test_distances_are_right_near_the_surface() -> None:
    form = Form(0.6, 0.7)
    axes = form.half_axes(72e-6)
    rng = np.random.default_rng(0)
    directions = rng.standard_normal((500, 3))
    on = surface(directions / np.linalg.norm(directions, axis=1, keepdims=True), form, axes)
    assert distance(on, form, axes) == pytest.approx(0, abs=1e-9)
    assert (distance(1.03 * on, form, axes) > 0).all()
    assert (distance(0.97 * on, form, axes) < 0).all()


def test_set_down_stands_on_its_place() -> None:
    mesh = set_down(Lump(Form(1.0, 1.0), 1e-5, _dents()).mesh(), np.array([0.1, 0.2, 0.003]))
    assert mesh.vertices[:, 2].min() == pytest.approx(0.003, abs=1e-15)
    assert mesh.vertices[:, :2].mean(axis=0) == pytest.approx([0.1, 0.2], abs=1e-3)


def test_padding_adds_nothing_and_refuses_to_cut() -> None:
    mesh = Lump(Form(1.0, 1.0), 1e-5, _dents()).mesh()
    padded = padded_soup(mesh, len(mesh.faces) + 100)
    assert len(padded.faces) == len(mesh.faces) + 100
    assert volume(padded) == pytest.approx(volume(mesh), rel=1e-12)
    with pytest.raises(ValueError, match="don't fit"):
        padded_soup(mesh, len(mesh.faces) - 1)


BOX = np.array([-0.05, -0.05, -0.05]), np.array([0.05, 0.05, 0.09])


def _two(gap: float, neck: float):
    one, other = (Lump(Form(1.0, 1.0), 4 / 3 * np.pi * r**3, _dents(depth=0.0)) for r in (0.03, 0.02))
    offset = np.array([0.0, 0.0, 0.05 + gap])
    return lambda p: smooth_minimum(one.distance(p), other.distance(p - offset), neck)


@pytest.mark.parametrize(("gap", "parts"), [(0.004, 2), (-0.004, 1)])
def test_the_common_surface_is_closed(gap: float, parts: int) -> None:
    mesh = extracted(_two(gap, 0.0), *BOX)
    edges = np.sort(
        np.concatenate([mesh.faces[:, [0, 1]], mesh.faces[:, [1, 2]], mesh.faces[:, [2, 0]]]), axis=1
    )
    unique, counts = np.unique(edges, axis=0, return_counts=True)
    assert (counts == 2).all()
    assert len(np.unique(mesh.faces)) - len(unique) + len(mesh.faces) == 2 * parts
    expected = 4 / 3 * np.pi * (0.03**3 + 0.02**3)
    assert volume(mesh) == pytest.approx(expected, rel=0.03)


def test_the_estimate_agrees_with_the_mesh() -> None:
    for gap, neck in ((0.004, 0.0), (-0.006, 0.006)):
        body = _two(gap, neck)
        assert occupied(body, *BOX) == pytest.approx(volume(extracted(body, *BOX)), rel=0.01)


def test_a_neck_only_adds() -> None:
    rng = np.random.default_rng(0)
    first, second = rng.uniform(-0.02, 0.02, (2, 1000))
    joined = smooth_minimum(first, second, 0.006)
    assert (joined <= np.minimum(first, second)).all()
    far = np.abs(first - second) > 0.006
    assert np.array_equal(joined[far], np.minimum(first, second)[far])
