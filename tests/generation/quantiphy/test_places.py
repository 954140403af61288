"""Places: free where they say so, closed off behind, deterministic, lit, light enough."""

from __future__ import annotations

import numpy as np
import pytest

from generation.core.seeds import item_rng
from generation.quantiphy.places import PLACES, Place, PlaceParams
from generation.quantiphy.things import KINDS
from generation.rendering.render import RenderSettings, render_clip
from generation.rendering.textures import texture
from generation.scene import Camera, Quantities, Scene
from tests.support.surfaces import misses, reaches_into

FURNISHED = [name for name, kind in PLACES.items() if kind.background == "C"]


def made(name: str, number: int = 0) -> tuple[PlaceParams, Place]:
    params = PLACES[name].sample(item_rng(number, "test", name))
    return params, PLACES[name].build(params)


def test_there_are_enough_places_of_every_kind():
    assert len(FURNISHED) >= 12
    for background in "XSC":
        scales = {kind.scale for kind in PLACES.values() if kind.background == background}
        assert scales == {"table", "room", "street", "open"}
    assert {kind.background for kind in PLACES.values() if kind.ground == "water"} == {"S", "C"}


@pytest.mark.parametrize("name", PLACES)
def test_names_refer_to_what_exists(name):
    kind = PLACES[name]
    assert kind.clashes <= KINDS.keys()
    assert kind.suits
    assert ("floats" in kind.suits) == (kind.ground == "water" or kind.background == "X")
    movable = [
        k
        for k in KINDS.values()
        if k.scale == kind.scale and k.moves & kind.suits and k.name not in kind.clashes
    ]
    assert movable


@pytest.mark.parametrize("name", PLACES)
def test_the_free_space_is_free(name):
    for number in range(3):
        _, place = made(name, number)
        low, high = np.array(place.free)
        assert low[0] == -high[0] == -place.extent
        assert low[1] < 0 < high[1]
        assert low[2] == 0 < high[2]
        # Painted lines lie a little above the ground.
        low[2] = 2e-3 * place.extent
        assert not any(reaches_into(body.rest, low, high) for body in place.backdrop)


@pytest.mark.parametrize("name", PLACES)
def test_sound_meshes_of_few_triangles_and_few_materials(name):
    _, place = made(name)
    assert sum(len(body.rest.faces) for body in place.backdrop) < 60_000
    assert len({body.object_id for body in place.backdrop}) == len(place.backdrop) <= 26
    for body in place.backdrop:
        assert body.is_static
        assert body.material.kind != "glass"
        assert np.isfinite(body.rest.vertices).all()
        assert np.allclose(np.linalg.norm(body.rest.normals, axis=1), 1, atol=1e-6)
        assert (body.rest.uvs is not None) == bool(body.material.texture)
        if body.material.texture:
            assert texture(body.material.texture).ndim == 3


@pytest.mark.parametrize("name", PLACES)
def test_building_is_pure_and_parameters_survive_json(name):
    params, first = made(name, 1)
    again = PLACES[name].build(PlaceParams.model_validate_json(params.model_dump_json()))
    assert made(name, 1)[0] == params
    assert again.lights == first.lights
    for one, other in zip(first.backdrop, again.backdrop, strict=True):
        assert one.material == other.material
        assert np.array_equal(one.rest.vertices, other.rest.vertices)


def _view(place: Place, fov: float, widths: float, pitch: float, width: int, height: int) -> Camera:
    """A camera that shows some extents of the width at the origin."""
    distance = widths * place.extent / (2 * np.tan(np.radians(fov) / 2))
    turn, middle = np.radians(pitch), 0.2 * widths * place.extent
    origin = (0.0, -distance * np.cos(turn), middle + distance * np.sin(turn))
    return Camera(origin, (0.0, 0.0, middle), fov, width, height)


def _rays(camera: Camera) -> np.ndarray:
    """Return directions (475, 3) through a grid of the image's points, corners included."""
    half = np.tan(np.radians(camera.fov_x_deg) / 2)
    u, v = np.meshgrid(np.linspace(-1, 1, 25), np.linspace(-0.75, 0.75, 19))
    forward = np.subtract(camera.target, camera.origin)
    forward /= np.linalg.norm(forward)
    up = np.cross([1.0, 0.0, 0.0], forward)
    return np.asarray(forward + half * (u.reshape(-1, 1) * np.array([1.0, 0.0, 0.0]) + v.reshape(-1, 1) * up))


def _screens(place: Place) -> np.ndarray:
    """Return the large triangles (F, 3, 3): grounds, walls and sky, which have to close the view alone."""
    corners = np.concatenate([body.rest.vertices[body.rest.faces] for body in place.backdrop])
    sizes = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    return np.asarray(corners[sizes > 0.3 * place.extent**2])


@pytest.mark.parametrize("name", FURNISHED)
def test_no_void_is_seen(name):
    _, place = made(name)
    for fov, widths, pitch in (
        (17.0, 2.0, 0.0),
        (26.0, 2.0, 3.0),
        (40.0, 2.0, 0.0),
        (50.0, 1.6, 8.0),
        (17.0, 0.7, 0.0),
    ):
        camera = _view(place, fov, widths, pitch, 64, 48)
        assert not misses(_screens(place), np.array(camera.origin), _rays(camera)).any(), (fov, widths, pitch)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["plain_room", "oak_table", "water_street", "kitchen", "warehouse", "street", "railway"]
)
def test_places_are_well_lit(name):
    _, place = made(name)
    still = np.zeros(1)
    scene = Scene(
        _view(place, 20.0, 1.6, 1.0, 64, 48),
        place.lights,
        place.environment,
        (),
        place.backdrop,
        24,
        1,
        Quantities("", still, still),
    )
    (frame,) = render_clip(scene, RenderSettings(spp=4, background_spp=4, detail=1, max_depth=4))
    assert 45 < np.median(frame) < 225
    assert (frame.min(axis=2) >= 250).mean() < 0.05
    assert (frame.max(axis=2) <= 3).mean() < 0.05
