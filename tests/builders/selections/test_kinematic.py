from __future__ import annotations

import numpy as np
import pytest

from builders.selections.kinematic import Motion, kinematic_indices, motion_of, scene_change
from generation.core.records import ClipRecord
from physprobe.conservation.frames import uniform_indices
from physprobe.conservation.vocabulary import FRAME_COUNTS
from physprobe.errors import UserError

T = 20
BOX = np.array([0.4, 0.4, 0.6, 0.8])


def motion(boxes=None, quaternions=None, visibility=None, quantities=None) -> Motion:
    boxes = np.tile(BOX, (T, 1, 1)) if boxes is None else np.asarray(boxes)
    bodies = boxes.shape[:2]
    return Motion(
        boxes,
        np.tile([1.0, 0, 0, 0], (*bodies, 1)) if quaternions is None else np.asarray(quaternions),
        np.ones(bodies) if visibility is None else np.asarray(visibility),
        np.ones((T, 2)) if quantities is None else np.asarray(quantities),
        width=640,
        height=480,
    )


def turning(angle: float) -> np.ndarray:
    """A turn about z that starts after the tenth frame and takes one frame."""
    after = [np.cos(angle / 2), 0, 0, np.sin(angle / 2)]
    return np.array([[[1.0, 0, 0, 0]]] * 10 + [[after]] * (T - 10))


def from_frame_10(before, after) -> np.ndarray:
    return np.array([[before]] * 10 + [[after]] * (T - 10))


def to_the_right(box: np.ndarray, way: float) -> np.ndarray:
    return box + np.array([way, 0, way, 0])


def only_step(change: np.ndarray) -> float:
    assert np.count_nonzero(change) == 1
    assert change[9] > 0
    return float(change[9])


def test_nothing_moves_nothing_changes():
    assert not scene_change(motion()).any()


def test_a_body_counts_with_its_path_in_image_diagonals():
    moved = to_the_right(BOX, 0.1)  # 64 pixels to the right, of a diagonal of 800
    assert only_step(scene_change(motion(from_frame_10(BOX, moved)))) == pytest.approx(0.08)


def test_bodies_add_up():
    boxes = from_frame_10(BOX, to_the_right(BOX, 0.1))
    two = np.concatenate([boxes, boxes - [0, 0.3, 0, 0.3]], axis=1)
    one = scene_change(motion(boxes))
    np.testing.assert_allclose(scene_change(motion(two)), 2 * one)


def test_a_deforming_body_of_constant_pose_counts_with_its_box():
    flat = [0.3, 0.7, 0.7, 0.8]  # clay pressed flat: lower and wider, standing where it stood
    step = only_step(scene_change(motion(from_frame_10(BOX, flat))))
    assert step == pytest.approx(np.hypot(64, 144) / 800)  # its upper left corner


def test_a_rising_liquid_counts():
    level = np.linspace(0.75, 0.5, T)
    boxes = np.array([[[0.4, y, 0.6, 0.8]] for y in level])
    change = scene_change(motion(boxes))
    np.testing.assert_allclose(change, 0.25 / (T - 1) * 480 / 800)


def test_a_turn_counts_where_the_box_stays():
    step = only_step(scene_change(motion(quaternions=turning(0.2))))
    assert step == pytest.approx(0.2 * np.hypot(128, 192) / 2 / 800)


def test_opposite_quaternions_are_one_orientation():
    turn = turning(0.2)
    turn[12:] *= -1
    np.testing.assert_allclose(
        scene_change(motion(quaternions=turn)), scene_change(motion(quaternions=turning(0.2)))
    )


def test_a_turn_and_the_move_it_causes_are_not_counted_twice():
    boxes = from_frame_10(BOX, to_the_right(BOX, 0.1))
    both = scene_change(motion(boxes, quaternions=turning(0.2)))
    assert both.max() == scene_change(motion(boxes)).max()


def test_what_nobody_sees_does_not_count():
    boxes = from_frame_10(BOX, to_the_right(BOX, 0.1))
    assert not scene_change(motion(boxes, visibility=np.zeros((T, 1)))).any()
    half = scene_change(motion(boxes, visibility=np.full((T, 1), 0.5)))
    np.testing.assert_allclose(half, scene_change(motion(boxes)) / 2)


def test_moving_outside_the_image_does_not_count():
    outside = to_the_right(BOX, 1.0)
    assert not scene_change(motion(from_frame_10(outside, to_the_right(outside, 0.5)))).any()


@pytest.mark.parametrize("absent", [(0.9, 0.9, 0.9, 0.9), (3.0, 0.4, 3.2, 0.8), (0.2, 0.3, 0.2, 0.5)])
def test_appearing_counts_with_the_size_and_not_with_the_way_from_nowhere(absent):
    step = only_step(scene_change(motion(from_frame_10(absent, BOX))))
    assert step == pytest.approx(np.hypot(128, 192) / 800)
    back = only_step(scene_change(motion(from_frame_10(BOX, absent))))
    assert back == pytest.approx(step)


def test_quantities_count_relative_to_their_largest_value():
    change = scene_change(motion(quantities=from_frame_10([4.0, 4.0], [5.0, 4.0])[:, 0]))
    assert only_step(change) == pytest.approx(0.2)
    assert not scene_change(motion(quantities=np.zeros((T, 2)))).any()


def test_a_scene_without_bodies_has_its_quantities():
    change = scene_change(motion(np.zeros((T, 0, 4)), quantities=from_frame_10([1.0, 1.0], [0.5, 1.0])[:, 0]))
    assert only_step(change) == pytest.approx(0.5)


@pytest.fixture(scope="module")
def record(raw) -> ClipRecord:
    """A clip of 24 frames in which one body slides in frames 6 to 12."""
    return ClipRecord.model_validate_json((raw.items()[0] / "conserving.json").read_text())


def test_a_record_becomes_arrays(record):
    arrays = motion_of(record)
    assert arrays.boxes.shape == arrays.quaternions.shape == (24, 2, 4)
    assert arrays.quantities.shape == (24, 2)
    assert tuple(arrays.boxes[23, 1]) == record.frames[23].objects[1].box
    assert (arrays.width, arrays.height) == (record.width, record.height)


def test_a_body_that_a_frame_does_not_list_is_absent_there(record):
    frames = [
        frame.model_copy(update={"objects": frame.objects[: 1 if frame.index < 10 else 2]})
        for frame in record.frames
    ]
    change = scene_change(motion_of(record.model_copy(update={"frames": tuple(frames)})))
    assert np.flatnonzero(change).tolist() == [6, 7, 8, 9, 10, 11]
    assert change[9] > 2 * change[8]


def test_kinematic_frames_lie_in_the_motion(record):
    chosen = kinematic_indices(record, FRAME_COUNTS)
    assert set(chosen) == set(FRAME_COUNTS)
    assert chosen[3] == (0, 9, 23)
    assert chosen[7] == (0, 7, 8, 9, 10, 11, 23)
    assert all((c[0], c[-1], len(c)) == (0, 23, count) for count, c in chosen.items())


def test_a_still_clip_is_shown_uniformly(record):
    still = tuple(
        frame.model_copy(update={"index": k})
        for k, frame in enumerate((record.frames[0],) * record.num_frames)
    )
    chosen = kinematic_indices(record.model_copy(update={"frames": still}), FRAME_COUNTS)
    assert chosen == {count: uniform_indices(24, count) for count in FRAME_COUNTS}


def test_a_record_without_all_its_frames_is_refused(record):
    short = record.model_copy(update={"frames": record.frames[:-1]})
    with pytest.raises(UserError, match=rf"{record.video_id} holds 23 frames and 24 quantities, not 24"):
        kinematic_indices(short, FRAME_COUNTS)
