from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from builders.conservation.source import read_clips
from builders.selections.chosen import choose, selections_for
from builders.selections.clips import clip_facts
from builders.selections.reading import SelectionsError, read_selections
from builders.selections.report import report
from generation.core.raw import RawFolder
from physprobe.conservation.frames import uniform_indices
from physprobe.conservation.vocabulary import FRAME_COUNTS
from physprobe.errors import UserError
from tests.support.selection_files import selection, write_selections


def write(path: Path, *lines: tuple[str, str, str, tuple[int, ...]]) -> Path:
    return write_selections(path, [selection(*line) for line in lines])


@pytest.fixture(scope="module")
def video_ids(raw) -> list[str]:
    return [clip.record.video_id for clip in read_clips(raw, partial=True)]


def test_without_files_frames_are_uniform_and_kinematic(raw, video_ids):
    chosen = selections_for(raw, partial=True)
    assert chosen.available_extractions == ("uniform", "kinematic")
    assert set(chosen) == {
        (video_id, extraction, count)
        for video_id in video_ids
        for extraction in ("uniform", "kinematic")
        for count in FRAME_COUNTS
    }
    assert len(chosen) == 6 * 2 * 5
    for (_, extraction, count), indices in chosen.items():
        assert (indices[0], indices[-1], len(indices)) == (0, 23, count)
        assert (indices == uniform_indices(24, count)) == (extraction == "uniform")
    assert not chosen.missing("kinematic")
    assert len(chosen.missing("human")) == 6 * 5


def test_files_add_what_they_hold(raw, video_ids, tmp_path):
    first, second = video_ids[:2]
    people = write(
        tmp_path / "people.jsonl",
        ("human", "P2", first, (0, 9, 23)),
        ("human", "P1", first, (0, 4, 23)),
        ("human", "P3", first, (0, 10, 23)),
        ("human", "P1", second, (0, 4, 8, 9, 23)),
    )
    model = write(tmp_path / "model.jsonl", ("model", "M@1", second, (0, 3, 23)))
    chosen = selections_for(raw, [people, model], partial=True)
    assert chosen.available_extractions == ("uniform", "kinematic", "model", "human")
    assert chosen[first, "human", 3] == (0, 9, 23)
    assert chosen[second, "human", 5] == (0, 4, 8, 9, 23)
    assert chosen[second, "model", 3] == (0, 3, 23)
    assert (first, "model", 3) not in chosen
    assert chosen.selectors == {"human": ("P1", "P2", "P3"), "model": ("M@1",)}
    missing = chosen.missing("human")
    assert len(missing) == 6 * 5 - 2
    assert missing[:5] == ((first, 5), (first, 7), (first, 9), (first, 16), (second, 3))


def test_bad_files_are_refused(raw, tmp_path):
    file = write(tmp_path / "people.jsonl", ("human", "P1", "nothing", (0, 9, 23)))
    with pytest.raises(SelectionsError, match=r"people.jsonl, line 1: unknown clip 'nothing'"):
        selections_for(raw, [file], partial=True)


def test_an_unfinished_folder_needs_partial(raw):
    with pytest.raises(UserError, match="lacks 9 of 12 pairs"):
        selections_for(raw)


def test_records_that_are_gone_are_told(raw, tmp_path):
    copy = RawFolder.open(Path(shutil.copytree(raw.path, tmp_path / "copy")))
    clips = read_clips(copy, partial=True)
    clips[0].path.with_suffix(".json").unlink()
    with pytest.raises(UserError, match=r"can't read .*conserving.json"):
        choose(clips)


def test_a_report_says_who_chose_how_much_and_how_far_apart(raw, video_ids, tmp_path):
    first, second = video_ids[:2]
    file = write(
        tmp_path / "chosen.jsonl",
        ("human", "P1", first, (0, 4, 23)),
        ("human", "P2", first, (0, 7, 23)),
        ("human", "P1", second, (0, 4, 23)),
        ("human", "P2", second, (0, 4, 23)),
        ("model", "M@1", second, (0, 3, 23)),
    )
    lines = [*report(read_selections([file], clip_facts(read_clips(raw, partial=True))), video_ids)]
    assert lines == [
        "model: 1 selections by 1; 1 of 30 clips x frame counts, 29 missing",
        "human: 4 selections by 2; 2 of 30 clips x frame counts, 28 missing",
        "  chosen by several: 2, unanimously: 1; "
        "two choices of one clip lie 1.5 frames apart in each slot on average",
    ]
