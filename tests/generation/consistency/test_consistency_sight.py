"""The closed-form queries against Mitsuba's, which trace meshes."""

from __future__ import annotations

import numpy as np
import pytest

from generation.consistency.case import View
from generation.consistency.render_stage import Stage
from generation.consistency.sight import MIRROR, cast, directions, surface_normals
from generation.consistency.world import build
from generation.rendering.variant import activate
from tests.support.tiny_families import tiny


@pytest.fixture(scope="module", params=["train_003", "test_appearance_003"])
def view(request: pytest.FixtureRequest) -> View:
    return View(build(tiny(request.param)))


def test_what_is_seen_is_what_mitsubas_rays_meet(view: View) -> None:
    mi, world = activate(), view.world
    rays = directions(world.camera)
    eye = np.broadcast_to(np.asarray(world.camera.origin), rays.shape)
    hits = cast(world, world.solids, eye, rays)
    stage = Stage(world)
    found = stage.handle.ray_intersect(mi.Ray3f(mi.Point3f(*eye.T.tolist()), mi.Vector3f(*rays.T.tolist())))
    distance = np.array(found.t)
    wrong = np.abs(distance - hits.distance) > 0.01
    assert wrong.mean() < 0.003  # outlines: meshes are inscribed
    mirror = np.zeros(len(rays), dtype=bool)
    y = np.array(found.p)[1]
    mirror[:] = np.abs(y - world.mirror_y) < 1e-4
    assert (mirror != (hits.what == MIRROR)).mean() < 0.003


def test_shadows_are_where_mitsubas_rays_to_the_lamp_are_blocked(view: View) -> None:
    mi, world, sight = activate(), view.world, view.clean
    room = (sight.what < 0) & sight.is_surface
    points = sight.points[room]
    # From just off the surface, inwards.
    inwards = points + 1e-3 * (np.array([0.0, 0.0, 1.0]) - points)
    way = world.lamp - inwards
    length = np.linalg.norm(way, axis=1)
    ray = mi.Ray3f(mi.Point3f(*inwards.T.tolist()), mi.Vector3f(*(way / length[:, None]).T.tolist()))
    ray.maxt = mi.Float(length.tolist())
    blocked = np.array(Stage(world).handle.ray_test(ray))
    assert (blocked != view.shadow[room]).mean() < 0.005
    assert 0.01 < blocked.mean() < 0.6


def test_normals_are_those_of_the_meshes(view: View) -> None:
    for index, solid in enumerate(view.world.solids):
        mesh = solid.mesh()
        corners = mesh.vertices[mesh.faces]
        middles = corners.mean(axis=1)
        flat = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        size = np.linalg.norm(flat, axis=1)
        whole = size > 1e-9
        cosine = np.sum(surface_normals(solid, middles[whole]) * flat[whole] / size[whole, None], axis=1)
        assert (cosine > 0.99).all(), index


def test_an_object_shades_no_part_of_itself_that_faces_the_lamp(view: View) -> None:
    for index in range(len(view.world.solids)):
        assert not (view.shadow_of(index) & (view.clean.what == index)).any()
