"""Every object stays wholly inside the frame, everywhere in the design."""

import numpy as np
import pytest

from generation.conservation.design import design
from tests.support.scene_geometry import boxes_over_time, scenes

MARGIN = 0.01
# The other domains have tests of their own: their bodies change shape.
RIGID = ("number", "length")


@pytest.mark.parametrize("seed", [0, 7])
@pytest.mark.parametrize("domain", RIGID)
def test_all_boxes_lie_inside_the_frame_in_every_frame(domain, seed):
    for cell in design(domain):
        for scene in scenes(domain, cell.pair_id, seed):
            for object_id, boxes in boxes_over_time(scene).items():
                inside = (boxes[:, :2] >= MARGIN).all() and (boxes[:, 2:] <= 1 - MARGIN).all()
                assert inside, (cell.pair_id, object_id, boxes.min(axis=0), boxes.max(axis=0))


@pytest.mark.parametrize("domain", RIGID)
def test_upper_is_above_lower_from_first_to_last_frame(domain):
    for cell in design(domain):
        for scene in scenes(domain, cell.pair_id, 0):
            boxes = boxes_over_time(scene)
            moved = _union([b for name, b in boxes.items() if name.startswith("moved")], scene)
            reference = _union([b for name, b in boxes.items() if name.startswith("reference")], scene)
            if domain == "number":
                moved, reference = (
                    moved[:1],
                    reference[:1],
                )  # later a coin may be in the saucer: see test_number
            upper, lower = (
                (moved, reference) if cell.factors["moved_position"] == "upper" else (reference, moved)
            )
            assert (upper[:, 3] < lower[:, 1]).all(), cell.pair_id


def _union(boxes, scene):
    full = np.stack([np.broadcast_to(b, (scene.num_frames, 4)) for b in boxes])
    return np.concatenate([full[..., :2].min(axis=0), full[..., 2:].max(axis=0)], axis=1)


@pytest.mark.parametrize("domain", RIGID)
def test_camera_lamps_and_table_never_change_within_a_domain(domain):
    first, *others = [scene for cell in design(domain) for scene in scenes(domain, cell.pair_id, 0)]
    for scene in others:
        assert scene.camera == first.camera
        assert scene.lights == first.lights
        assert scene.environment == first.environment
        assert [b.material for b in scene.backdrop] == [b.material for b in first.backdrop]
