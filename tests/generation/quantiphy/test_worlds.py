from __future__ import annotations

import numpy as np
import pytest

from generation.core.seeds import item_rng
from generation.quantiphy.catalogue import Catalogue
from generation.quantiphy.params import WorldParams
from generation.quantiphy.records import camera_record
from generation.quantiphy.sampling import sample
from generation.quantiphy.world import build
from generation.rendering.camera import project
from tests.support.trivial_worlds import CATALOGUE, WIDE, clip, params, record, world

IDS = (
    "S2SX_000",
    "S2MC_001",
    "V2MS_003",
    "A2SS_002",
    "S3SX_000",
    "S3MC_002",
    "V3MX_001",
    "A3SS_001",
)
FLAT = tuple(name for name in IDS if name[1] == "2")
DEEP = tuple(name for name in IDS if name[1] == "3")


@pytest.mark.parametrize("video_id", FLAT)
def test_depth_never_changes_in_2d(video_id: str) -> None:
    camera = world(video_id).scene.camera
    depths = [project(camera, made.track.position)[:, 2] for made in world(video_id).tracks]
    assert np.ptp(np.concatenate(depths)) < 1e-6


@pytest.mark.parametrize("video_id", DEEP)
def test_something_changes_its_depth_in_3d(video_id: str) -> None:
    assert (
        max(
            np.ptp(project(world(video_id).scene.camera, m.track.position)[:, 2])
            for m in world(video_id).tracks
        )
        > 0.05
    )


@pytest.mark.parametrize("video_id", IDS)
def test_parameters_restore_the_world_bit_for_bit(video_id: str) -> None:
    drawn = params(video_id)
    again = build(WorldParams.model_validate_json(drawn.model_dump_json()), CATALOGUE)
    for one, other in zip(world(video_id).scene.objects, again.scene.objects, strict=True):
        assert one.object_id == other.object_id
        assert one.mesh_at(3).vertices.tobytes() == other.mesh_at(3).vertices.tobytes()


def test_a_clip_depends_on_its_key_and_seed_alone() -> None:
    name = "V2MS_003"
    again = sample(item_rng(0, "quantiphy", name), clip(name), WIDE, 0, CATALOGUE)
    assert again == params(name)
    assert params(name, 1) != params(name)


@pytest.mark.parametrize("video_id", IDS)
def test_object_number_and_names_fit_the_type(video_id: str) -> None:
    names = [entity.name for entity in record(video_id).entities]
    assert (len(names) > 1) == (video_id[2] == "M")
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("video_id", IDS)
def test_everything_stays_in_view_and_apart_unless_it_collides(video_id: str) -> None:
    made = record(video_id)
    for frame in made.frames:
        for k, one in enumerate(frame.entities):
            assert min(one.box) > 0
            assert max(one.box) < 1
            for j, other in enumerate(frame.entities[:k]):
                if {made.entities[k].motion, made.entities[j].motion} != {"collision"}:
                    overlap = np.minimum(one.box[2:], other.box[2:]) - np.maximum(one.box[:2], other.box[:2])
                    assert overlap.min() < 0


@pytest.mark.parametrize("video_id", IDS)
def test_the_record_holds_the_states_and_exact_times(video_id: str) -> None:
    made, tracks = record(video_id), world(video_id).tracks
    assert [frame.time for frame in made.frames] == [k / made.fps for k in range(made.num_frames)]
    for frame in made.frames:
        for state, track in zip(frame.entities, tracks, strict=True):
            assert np.array_equal(state.position, track.track.position[frame.index])
            assert np.array_equal(state.velocity, track.track.velocity[frame.index])
            assert np.array_equal(state.acceleration, track.track.acceleration[frame.index])


def test_intrinsics_and_extrinsics_project_like_the_renderer() -> None:
    camera = world("S3MC_002").scene.camera
    made = camera_record(camera)
    points = np.random.Generator(np.random.PCG64(3)).uniform(-1, 1, (20, 3))
    local = np.column_stack([points, np.ones(20)]) @ np.array(made.world_to_camera).T
    pixels = local[:, :2] / local[:, 2:] * made.focal_length + made.principal_point
    expected = project(camera, points)
    assert np.allclose(pixels, expected[:, :2] * (camera.width, camera.height))
    assert np.allclose(local[:, 2], expected[:, 2])


def test_depth_and_distance_are_those_to_the_camera() -> None:
    made = record("S3MC_002")
    state = made.frames[5].entities[0]
    assert state.distance == pytest.approx(np.linalg.norm(np.subtract(state.position, made.camera.origin)))
    forward = np.subtract(made.camera.target, made.camera.origin)
    along = np.dot(np.subtract(state.position, made.camera.origin), forward) / np.linalg.norm(forward)
    assert state.depth == pytest.approx(along)
    assert state.depth <= state.distance


def test_parts_of_a_thing_share_its_way() -> None:
    for track in world("S2MC_001").tracks:
        assert all(np.array_equal(part.poses, track.parts[0].poses) for part in track.parts)
        assert [part.object_id for part in track.parts] == [
            f"{track.params.entity_id}.{k}" for k in range(len(track.parts))
        ]


def test_without_fitting_kinds_it_says_which_clip() -> None:
    with pytest.raises(RuntimeError, match="S2SX_000"):
        sample(item_rng(0, "x"), clip("S2SX_000"), WIDE, 0, Catalogue({}, CATALOGUE.places))
