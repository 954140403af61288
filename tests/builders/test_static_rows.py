from __future__ import annotations

import io
from collections import Counter, defaultdict

import numpy as np
import pytest
from PIL import Image

from builders.conservation.source import read_clips
from builders.conservation.static import static_rows
from generation.core.raw import RawFolder
from physprobe.conservation.prompts import relation_of, static_question
from physprobe.conservation.vocabulary import LETTERS
from physprobe.errors import UserError
from physprobe.video import decode_frames


@pytest.fixture(scope="module")
def clips(raw_full):
    return {clip.record.video_id: clip for clip in read_clips(RawFolder.open(raw_full))}


@pytest.fixture(scope="module")
def rows(clips):
    return list(static_rows(list(clips.values())))


def test_every_conserving_clip_and_its_twin_is_asked(rows, clips):
    asked = [clip for clip in clips.values() if clip.record.domain in ("number", "length")]
    assert [row["video_id"] for row in rows] == [clip.record.video_id for clip in asked]
    assert Counter(row["condition"] for row in rows) == {"conserving": 96, "nonconserving": 96}
    assert len({row["question_id"] for row in rows}) == 192


def test_the_image_is_the_last_frame(rows, clips):
    for row in rows[::40]:
        clip = clips[row["video_id"]]
        (last,) = decode_frames(clip.path, [clip.record.num_frames - 1])
        shown = np.asarray(Image.open(io.BytesIO(row["image"]["bytes"])))
        np.testing.assert_array_equal(shown, last)
        assert row["frame_index"] == clip.record.num_frames - 1
        assert row["image"]["path"] == f"{row['video_id']}.png"


def test_the_right_option_is_true_of_the_last_frame(rows, clips):
    for row in rows:
        record = clips[row["video_id"]].record
        moved, reference = record.quantities.moved[-1], record.quantities.reference[-1]
        true = "same" if moved == reference else "moved_more" if moved > reference else "moved_less"
        right = row["options"][LETTERS.index(row["answer"])]
        assert relation_of(row["domain"], right, record.moved_position) == true == row["answer_relation"]
        assert row["question"] == static_question(row["domain"], row["options"])
        assert "final image" not in row["question"]


def test_orders_and_right_letters_are_balanced(rows):
    cells = defaultdict(list)
    for row in rows:
        cells[row["domain"], row["condition"]].append(row)
    assert len(cells) == 4
    for cell in cells.values():
        assert Counter(row["answer"] for row in cell) == dict.fromkeys(LETTERS, 16)
        assert set(Counter(tuple(row["options"]) for row in cell).values()) == {8}


def test_rows_repeat_exactly(rows, clips):
    assert list(static_rows(list(clips.values()))) == rows


def test_other_domains_have_no_static_questions(clips):
    first = next(iter(clips.values()))
    volume = [
        type(first)(first.cell, first.path, first.record.model_copy(update={"domain": domain}))
        for domain in ("volume", "size")
    ]
    assert list(static_rows(volume)) == []


def test_a_changed_clip_is_told(clips):
    first = next(iter(clips.values()))
    changed = type(first)(first.cell, first.path, first.record.model_copy(update={"media_sha256": "0" * 64}))
    with pytest.raises(UserError, match="is not the file its record describes"):
        list(static_rows([changed]))
