"""Kinds of things: measures are true, bodies sound, names unique, colours as promised."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from generation.core.seeds import item_rng
from generation.geometry.solid import volume
from generation.quantiphy.things import KINDS, Thing, ThingParams, describe
from generation.rendering.palette import COLORS
from generation.rendering.render import RenderSettings, render_clip
from generation.rendering.textures import texture
from generation.scene import AreaLight, Camera, Material, Quantities, RigidObject, Scene
from physprobe.errors import UserError
from tests.support.surfaces import area, is_closed

SCALES = {"table": (0.05, 0.6), "room": (0.2, 2.5), "street": (1.0, 15.0), "open": (9.0, 100.0)}
AXES = {"length": 0, "thickness": 2, "height": 2, "wingspan": 1}


def made(name: str, number: int = 0) -> tuple[ThingParams, Thing]:
    kind = KINDS[name]
    params = kind.sample(item_rng(number, "test", name), kind.colors[number % len(kind.colors)])
    return params, kind.build(params)


def points(thing: Thing) -> np.ndarray:
    return np.concatenate([part.mesh.vertices for part in thing.parts])


def mean_color(material: Material) -> np.ndarray:
    """Return a material's colour; of a texture, that of its vivid texels, or of all if there are none."""
    if not material.texture:
        return np.array(material.color)
    texels = texture(material.texture)[::8, ::8].reshape(-1, 3)
    vivid = texels[np.ptp(texels, axis=1) > 0.12]
    return (vivid if len(vivid) > 0.3 * len(texels) else texels).mean(axis=0)


def test_there_are_enough_kinds_of_every_scale():
    assert len(KINDS) >= 24
    assert all(sum(kind.scale == scale for kind in KINDS.values()) >= 4 for scale in SCALES)
    moves = set().union(*(kind.moves for kind in KINDS.values()))
    assert moves == {
        "slides",
        "rolls",
        "drives",
        "floats",
        "flies",
        "rises",
        "falls",
        "swings",
        "orbits",
        "stands",
    }


@pytest.mark.parametrize("name", KINDS)
def test_measures_are_extents_of_the_meshes(name):
    for number in range(3):
        params, thing = made(name, number)
        assert thing.measures.keys() == thing.measure_axes.keys() != set()
        cloud = points(thing)
        for word, (a, b) in thing.measure_axes.items():
            along = np.subtract(b, a)
            size = np.linalg.norm(along)
            assert thing.measures[word] == pytest.approx(size, abs=1e-12)
            assert thing.measures[word] == pytest.approx(params.sizes.get(word, size), rel=1e-6)
            assert np.count_nonzero(along) == 1
            if word in AXES:
                assert np.flatnonzero(along) == [AXES[word]]
            extent = np.ptp(cloud @ (along / size))
            if word in ("wheel diameter", "rim diameter") or (name, word) == ("mug", "diameter"):
                assert all(np.abs(cloud[:, 0] - end[0]).min() < 1e-6 for end in (a, b))
                assert size <= extent + 1e-9
            else:
                assert size == pytest.approx(extent, abs=1e-6)


def test_parts_measured_alone_are_as_long_as_said():
    _, mug = made("mug")
    low, high = mug.measure_axes["diameter"]
    inside = points(mug)[points(mug)[:, 0] < high[0] + 1e-9]
    assert inside[:, 0].min() == pytest.approx(low[0], abs=1e-6)
    _, planet = made("planet")
    globe = planet.parts[planet.colored].mesh.vertices
    assert np.ptp(globe, axis=0) == pytest.approx(planet.measures["diameter"], rel=1e-6)
    _, bicycle = made("bicycle")
    (x0, _, z), (x1, _, _) = bicycle.measure_axes["wheel diameter"]
    front = points(bicycle)[points(bicycle)[:, 0] > (x0 + x1) / 2]
    assert front[:, 0].max() == pytest.approx(x1, abs=1e-6)
    assert points(bicycle)[:, 2].min() == pytest.approx(z - (x1 - x0) / 2, rel=2e-3)


@pytest.mark.parametrize("name", KINDS)
def test_the_origin_is_the_middle_and_the_ground_under_it(name):
    _, thing = made(name)
    low, high = points(thing).min(axis=0), points(thing).max(axis=0)
    assert np.allclose(low + high, 0, atol=1e-9)
    if "floats" in KINDS[name].moves and "stands" not in KINDS[name].moves:
        assert low[2] < thing.ground_z < 0
    elif thing.ground_z != pytest.approx(low[2]):
        assert low[2] < thing.ground_z < low[2] + 0.25 * (high[2] - low[2])


@pytest.mark.parametrize("name", KINDS)
def test_sizes_fit_the_scale(name):
    for number in range(3):
        _, thing = made(name, number)
        low, high = SCALES[KINDS[name].scale]
        size = np.ptp(points(thing), axis=0)
        assert low <= size.max() <= high


@pytest.mark.parametrize("name", KINDS)
def test_parts_are_closed_outward_bodies_of_few_triangles(name):
    _, thing = made(name)
    assert sum(len(part.mesh.faces) for part in thing.parts) < 15_000
    assert len({part.material for part in thing.parts}) == len(thing.parts) <= 10
    for part in thing.parts:
        assert is_closed(part.mesh)
        assert volume(part.mesh) > 0
        assert np.isfinite(part.mesh.vertices).all()
        assert np.allclose(np.linalg.norm(part.mesh.normals, axis=1), 1, atol=1e-6)
        assert part.material.kind != "glass"
        assert (part.mesh.uvs is not None) == bool(part.material.texture)


@pytest.mark.parametrize("name", KINDS)
def test_building_is_pure_and_parameters_survive_json(name):
    params, first = made(name)
    again = KINDS[name].build(ThingParams.model_validate_json(params.model_dump_json()))
    assert made(name)[0] == params
    assert again.measures == first.measures
    for one, other in zip(first.parts, again.parts, strict=True):
        assert one.material == other.material
        assert np.array_equal(one.mesh.vertices, other.mesh.vertices)
        assert np.array_equal(one.mesh.faces, other.mesh.faces)


@pytest.mark.parametrize("name", KINDS)
def test_each_promised_colour_dominates(name):
    kind = KINDS[name]
    for color in kind.colors:
        thing = kind.build(kind.sample(item_rng(0, "test"), color))
        own = mean_color(thing.parts[thing.colored].material)
        others = {c: np.linalg.norm(_hue(own) - _hue(np.array(rgb))) for c, rgb in COLORS.items()}
        assert color in sorted(others, key=others.__getitem__)[:3], (color, own)
        vivid = [
            p
            for p in thing.parts
            if np.ptp(mean_color(p.material)) > 0.15 and p is not thing.parts[thing.colored]
        ]
        largest = area(thing.parts[thing.colored].mesh)
        assert all(area(p.mesh) < largest or _alike(mean_color(p.material), own) for p in vivid)
        assert largest > 0.10 * sum(area(p.mesh) for p in thing.parts)


def _hue(rgb: np.ndarray) -> np.ndarray:
    """Return a colour as it looks: sRGB-like steps."""
    return np.asarray(rgb) ** (1 / 2.2)


def _alike(one: np.ndarray, other: np.ndarray) -> bool:
    return bool(np.linalg.norm(_hue(one) - _hue(other)) < 0.25)


def test_descriptions_are_unique():
    names = [
        describe(kind.sample(item_rng(0, "test"), color)) for kind in KINDS.values() for color in kind.colors
    ]
    assert len(set(names)) == len(names)
    assert describe(ThingParams(kind="car", color="red", sizes={})) == "red car"


def test_an_unknown_colour_is_refused():
    with pytest.raises(UserError, match="unknown colour of a tire 'red'; valid: black"):
        KINDS["tire"].sample(item_rng(0, "test"), "red")


FRONTS = {
    "car": (0.85, 0.86, 0.84),
    "train": (0.85, 0.86, 0.84),
    "truck": (0.85, 0.86, 0.84),
    "bus": (0.85, 0.86, 0.84),
    "steam locomotive": (0.85, 0.86, 0.84),
}


@pytest.mark.parametrize("name", FRONTS)
def test_lamps_are_in_front(name):
    _, thing = made(name)
    lamps = [part.mesh for part in thing.parts if part.material.color == FRONTS[name]]
    assert lamps
    assert all(lamp.vertices[:, 0].mean() > 0.35 * points(thing)[:, 0].max() for lamp in lamps)


@pytest.mark.parametrize("name", ["bird", "rubber duck", "airplane", "motorboat"])
def test_the_front_is_narrower_or_higher_than_the_back(name):
    _, thing = made(name)
    cloud = points(thing)
    front = cloud[cloud[:, 0] > 0.9 * cloud[:, 0].max()]
    back = cloud[cloud[:, 0] < 0.9 * cloud[:, 0].min()]
    if name == "rubber duck":
        assert front[:, 2].mean() > back[:, 2].mean()
    else:
        assert np.ptp(front[:, 1]) < np.ptp(back[:, 1])


GROUPS = (
    [tuple(g) for g in itertools.batched(KINDS, 6)]
    if hasattr(itertools, "batched")
    else [tuple(list(KINDS)[k : k + 6]) for k in range(0, len(KINDS), 6)]
)


@pytest.mark.slow
@pytest.mark.parametrize("names", GROUPS, ids=lambda names: names[0])
def test_every_kind_can_be_rendered(names):
    """Six things, each shrunk to unit size, stand in a row; each shows in its own sixth of the image."""
    bodies = []
    for k, name in enumerate(names):
        _, thing = made(name)
        size = np.ptp(points(thing), axis=0).max()
        pose = np.eye(4)
        pose[0, 3] = (k - 2.5) * 1.1
        for j, part in enumerate(thing.parts):
            vertices = part.mesh.vertices / size
            mesh = type(part.mesh)(vertices, part.mesh.faces, part.mesh.normals, part.mesh.uvs)
            bodies.append(RigidObject(f"thing_{k}.{j}", "prop", part.material, mesh, pose[None]))
    still = np.zeros(1)
    scene = Scene(
        Camera((0.0, -20.0, 0.0), (0.0, 0.0, 0.0), 19.0, 64, 48),
        (AreaLight((-3.0, -8.0, 6.0), (0.0, 0.0, 0.0), (4.0, 4.0), (8.0, 8.0, 8.0)),),
        (0.3, 0.3, 0.3),
        tuple(bodies),
        (),
        24,
        1,
        Quantities("", still, still),
    )
    (frame,) = render_clip(scene, RenderSettings(spp=4, background_spp=4, detail=1, max_depth=3))
    empty = frame[0, 0].astype(int)
    differs = np.abs(frame.astype(int) - empty).max(axis=2) > 12
    for k in range(len(names)):
        assert differs[:, round(k * 64 / 6) : round((k + 1) * 64 / 6)].any(), names[k]
