from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from generation.quantiphy import clip as clips
from generation.quantiphy.clip import check_item, film
from generation.quantiphy.params import WorldParams
from generation.quantiphy.questions import write_questions
from generation.quantiphy.records import WorldRecord
from generation.quantiphy.world import build
from physprobe.video import decode_frames
from tests.support.scenes import FAST
from tests.support.trivial_worlds import CATALOGUE, SMALL, params


@pytest.fixture(scope="module")
def item(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small clip of a few frames with a short plan of questions."""
    folder = tmp_path_factory.mktemp("item")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clips, "build", lambda made: build(made, CATALOGUE))
        film(params("S2SX_000", 0, SMALL), "small", 0, folder, FAST)
    return folder


def _record(item: Path) -> WorldRecord:
    return WorldRecord.model_validate_json((item / "record.json").read_text())


@pytest.mark.slow
def test_a_finished_clip_passes_its_check_and_a_damaged_one_does_not(item: Path, tmp_path: Path) -> None:
    check_item(item)
    for name in ("original.mp4", "segmented.mp4", "record.json"):
        (tmp_path / name).write_bytes((item / name).read_bytes())
    check_item(tmp_path)
    (tmp_path / "segmented.mp4").write_bytes((item / "original.mp4").read_bytes())
    with pytest.raises(ValueError, match="segmented"):
        check_item(tmp_path)


@pytest.mark.slow
def test_the_record_rebuilds_the_clip_and_its_questions(item: Path) -> None:
    record = _record(item)
    restored = WorldParams.model_validate(record.parameters)
    assert restored == params("S2SX_000", 0, SMALL)
    assert len(write_questions(record)) == record.static_questions + record.dynamic_questions
    assert all(0.9 < state.visibility <= 1 for frame in record.frames for state in frame.entities)


@pytest.mark.slow
def test_the_segmented_video_shows_the_thing_and_nothing_else(item: Path) -> None:
    record, number = _record(item), 10
    (full,), (bare,) = (decode_frames(item / name, [number]) for name in ("original.mp4", "segmented.mp4"))
    left, top, right, bottom = np.array(record.frames[number].entities[0].box) * (160, 90, 160, 90)
    outside = np.ones((90, 160), dtype=bool)
    outside[int(top) - 3 : int(bottom) + 4, int(left) - 3 : int(right) + 4] = False
    assert np.abs(bare[outside].astype(float) - 235).max() < 8
    assert np.abs(full[outside].astype(float) - 235).min() > 8
    middle = slice(int((top + bottom) / 2) - 1, int((top + bottom) / 2) + 2), int((left + right) / 2)
    assert np.abs(full[middle].astype(float) - bare[middle]).max() < 16
