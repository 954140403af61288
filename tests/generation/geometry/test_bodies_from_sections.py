"""General mesh builders: closed, outward, of the promised size, and rightly shaded."""

from __future__ import annotations

import numpy as np
import pytest

from generation.geometry.creases import shaded
from generation.geometry.lofts import ball, hull, pipe, rod, rounded_box, spindle
from generation.geometry.outlines import arc, plate, triangles
from generation.geometry.placing import bounds, mirrored, moved, repeated, rotation, scaled, turned
from generation.geometry.solid import volume
from generation.rendering.shapes import box
from generation.scene import Mesh
from tests.support.surfaces import area, is_closed, reaches_into

L_SHAPE = np.array([[0, 0], [3, 0], [3, 1], [1, 1], [1, 2], [0, 2]], dtype=np.float64)
BODIES = {
    "rounded_box": (rounded_box((1, 2, 3), 0.05), 6.0, 0.03),
    "ball": (ball(2.0), 4 / 3 * np.pi, 0.006),
    "rod": (rod((0, 0, 0), (1, 2, 2), 0.5, 64), 0.75 * np.pi, 0.006),
    "bent pipe": (pipe(np.array([[0, 0, 0], [0, 0, 1.0], [0.1, 0, 2]]), 0.1, 48), np.pi * 0.0201, 0.02),
    "L plate": (plate(L_SHAPE, 0.5), 2.0, 1e-9),
    "bevelled L plate": (plate(L_SHAPE, 0.5, 0.01), 2.0, 0.01),
    "hull": (hull([0, 1, 2], [1, 1, 1], [0, 0, 0], [1, 1, 1], count=64), np.pi / 2, 0.004),
    "spindle": (spindle(np.array([[0, 0], [1, 1e-6], [1, 2], [0, 2.000001]]), 96), 2 * np.pi, 0.004),
}


@pytest.mark.parametrize("name", BODIES)
def test_bodies_are_closed_outward_and_as_large_as_promised(name):
    mesh, expected, tolerance = BODIES[name]
    assert is_closed(mesh)
    assert volume(mesh) == pytest.approx(expected, rel=tolerance)
    assert np.allclose(np.linalg.norm(mesh.normals, axis=1), 1)


@pytest.mark.parametrize("name", ["rounded_box", "ball", "rod", "L plate", "hull"])
def test_normals_point_out_of_the_faces(name):
    mesh = BODIES[name][0]
    a, b, c = np.moveaxis(mesh.vertices[mesh.faces], 1, 0)
    outward = np.cross(b - a, c - a)
    outward /= np.linalg.norm(outward, axis=1, keepdims=True)
    assert (np.einsum("fkj,fj->fk", mesh.normals[mesh.faces], outward) > 0.3).all()


def test_extents_are_exact():
    low, high = bounds([rounded_box((1, 2, 3), 0.1)])
    assert np.allclose(high - low, (1, 2, 3), atol=1e-12)
    low, high = bounds([ball(0.3)])
    assert np.allclose(high - low, 0.3, atol=1e-12)


def test_bends_are_smooth_and_edges_sharp():
    bent = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [2, 0, 0.3], [2, 1, 0.3]], dtype=np.float64)
    faces = np.array([[0, 1, 2], [0, 2, 3], [1, 4, 5], [1, 5, 2]])
    assert len(shaded(bent, faces, 30.0).vertices) == 6
    assert len(shaded(bent, faces, 10.0).vertices) == 8


def test_cutting_an_outline_keeps_its_area():
    outline = np.vstack([arc(0, 0, 1, 0, 270, 30), [[0.0, 0.0]]])
    cut = triangles(outline)
    corners = outline[cut]
    twice = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    x, z = outline.T
    assert len(cut) == len(outline) - 2
    assert (twice > 0).all()
    assert twice.sum() == pytest.approx((x * np.roll(z, -1) - np.roll(x, -1) * z).sum())


def test_a_mirrored_body_stays_closed_and_outward():
    body = moved(BODIES["L plate"][0], 1, 2, 3)
    other = mirrored(body)
    assert volume(other) == pytest.approx(volume(body))
    assert np.allclose(other.vertices, body.vertices * [1, -1, 1])


def test_scaled_normals_stay_perpendicular():
    flat = scaled(ball(1.0), 1, 2, 0.5)
    expected = flat.vertices / np.array([1, 4, 0.25])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert np.allclose(flat.normals, expected, atol=1e-9)


def test_turning_follows_the_right_hand():
    assert np.allclose(rotation("z", 90) @ [1, 0, 0], [0, 1, 0])
    assert np.allclose(rotation("x", 90) @ [0, 1, 0], [0, 0, 1])
    assert np.allclose(turned(Mesh(np.eye(3), np.array([[0, 1, 2]])), "y", 90).vertices[2], [1, 0, 0])


def test_copies_stand_where_they_should():
    copies = repeated(rounded_box((1, 1, 1), 0.1), np.array([[0, 0, 0], [5, 0, 0]]), np.array([1.0, 2.0]))
    assert is_closed(copies)
    assert volume(copies) == pytest.approx(9 * volume(rounded_box((1, 1, 1), 0.1)))
    assert bounds([copies])[1][0] == pytest.approx(6.0)


def test_the_measuring_tools_see_holes_and_overlaps():
    cube = box((2, 2, 2))
    assert area(cube) == pytest.approx(24)
    assert not is_closed(Mesh(cube.vertices, cube.faces[1:]))
    low, high = np.array([-0.5, -0.5, 0.5]), np.array([0.5, 0.5, 1.5])
    assert reaches_into(cube, low, high)
    assert not reaches_into(cube, low, np.array([0.5, 0.5, 1.0]))
    assert not reaches_into(cube, low + 5, high + 5)
    corner = Mesh(np.array([[0, 0, 9], [9, 0, 0], [0, 9, 0.0]]), np.array([[0, 1, 2]]))
    assert reaches_into(corner, np.zeros(3), np.full(3, 3.1))
    assert not reaches_into(corner, np.zeros(3), np.full(3, 2.9))
