"""``python -m builders build --selections``: choices become rows, and nothing else changes."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders.build import build
from builders.cli import app
from builders.conservation.balance import QUESTION_CELL, balance_problems
from builders.conservation.rows import question_rows
from builders.conservation.schema import QUESTIONS
from builders.conservation.source import Clip, read_clips
from builders.verify import verify
from generation.core.raw import RawFolder
from physprobe.cli.runner import run
from physprobe.conservation.vocabulary import FRAME_COUNTS, PROMPT_STYLES
from tests.support.damage import Row, edit, problems
from tests.support.raw_conservation import NUM_FRAMES
from tests.support.selection_files import selection, write_selections

LAST = NUM_FRAMES - 1


@pytest.fixture(scope="module")
def clips(raw_mini: Path) -> tuple[Clip, ...]:
    return read_clips(RawFolder.open(raw_mini))


def choice(video_id: str, indices: list[int], selector: str = "P1") -> Row:
    return selection("human", selector, video_id, indices)


@pytest.fixture(scope="module")
def chosen(raw_mini: Path, clips: tuple[Clip, ...], tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A model chose everywhere; three people for one clip, one of them for another."""
    folder = tmp_path_factory.mktemp("selections")
    video_ids = [clip.record.video_id for clip in clips]
    model = [
        selection("model", "M@1", video_id, [*range(count - 1), LAST])
        for video_id in video_ids
        for count in FRAME_COUNTS
    ]
    people = [
        choice(video_ids[0], [0, 4, LAST], "P1"),
        choice(video_ids[0], [0, 9, LAST], "P2"),
        choice(video_ids[0], [0, 10, LAST], "P3"),
        choice(video_ids[5], [0, 3, 5, 8, LAST], "P3"),
    ]
    return [
        write_selections(folder / "model.jsonl", model),
        write_selections(folder / "people.jsonl", people),
    ]


@pytest.fixture(scope="module")
def built(raw_mini: Path, chosen: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(raw_mini, tmp_path_factory.mktemp("chosen") / "conservationbench", selections=chosen).out


def rows(dataset: Path, *extractions: str) -> list[Row]:
    every = pq.read_table(dataset / QUESTIONS.name).to_pylist()
    return [row for row in every if row["extraction"] in extractions]


def test_choices_become_rows_in_every_style(built: Path, clips: tuple[Clip, ...]) -> None:
    assert len(rows(built, "model")) == 24 * 4 * 5
    assert all(row["frame_indices"][:-1] == [*range(row["frame_count"] - 1)] for row in rows(built, "model"))
    human = rows(built, "human")
    assert [(row["video_id"], row["prompt_style"], row["frame_indices"]) for row in human] == [
        *((clips[0].record.video_id, style, [0, 9, LAST]) for style in PROMPT_STYLES),
        *((clips[5].record.video_id, style, [0, 3, 5, 8, LAST]) for style in PROMPT_STYLES),
    ]


def test_choices_change_no_other_row(built: Path, built_mini: Path) -> None:
    computed = ("uniform", "kinematic")
    assert rows(built, *computed) == rows(built_mini, *computed)


def test_it_is_sound_and_can_be_made_again(built: Path, raw_mini: Path, chosen: list[Path]) -> None:
    assert verify(built, raw=raw_mini, selections=chosen).problems == ()
    without = verify(built, raw=raw_mini, selections=chosen[:1]).problems
    assert len(without) == 8
    assert all("human: RAW gives no such row (was it built with a selections file?)" in p for p in without)


def test_balance_is_told_for_each_way_to_pick_frames(built: Path) -> None:
    summary = verify(built).summary
    exact = "20 cells of 6 questions; each option order 1 times; right letters A 2, B 2, C 2"
    for shown in ("uniform", "kinematic", "model"):
        assert f"{shown} number nonconserving: {exact}" in summary
    (sparse,) = [line for line in summary if line.startswith("human number conserving")]
    assert sparse.startswith("human number conserving: 4 cells of 1 questions; each option order 0-1 times; ")


def test_the_card_says_who_picked_how_much(built: Path) -> None:
    card = (built / "README.md").read_text()
    assert "24 clips, 1,448 question rows" in card
    assert "| `model` | a BLIP-2 model, as SeViLA's Localizer (M@1) | 120 of 120 | 480 |" in card
    assert "(3; the choice closest to all others is taken) | 2 of 120 | 8 |" in card
    assert "Not present" not in card
    assert "The paper also has frames picked by" not in card
    assert "python -m builders build RAW --out conservationbench --selections FILE\n" in card


def test_a_missing_style_is_told(built: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(built, tmp_path / "copy"))

    def drop(every: list[Row]) -> list[Row]:
        return [r for r in every if (r["extraction"], r["prompt_style"]) != ("human", "cot")]

    edit(copy, QUESTIONS, drop)
    lacking = [line for line in problems(copy) if "no question for cot" in line]
    assert [line.rpartition(": ")[2] for line in lacking] == [
        "no question for cot, 3 frames, human",
        "no question for cot, 5 frames, human",
    ]


def test_the_command_takes_several_files(
    raw_mini: Path, built: Path, chosen: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    arguments = ["build", str(raw_mini), "--out", str(out)]
    for file in chosen:
        arguments += ["--selections", str(file)]
    assert run(app, arguments) == 0
    assert "(1,448 questions, 24 videos, 24 static)" in capsys.readouterr().out
    assert (out / "manifest.json").read_bytes() == (built / "manifest.json").read_bytes()
    arguments = ["verify", str(out), "--raw", str(raw_mini)]
    for file in chosen:
        arguments += ["--selections", str(file)]
    assert run(app, arguments) == 0


def test_a_bad_file_lists_every_line_and_writes_nothing(
    raw_mini: Path, clips: tuple[Clip, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = clips[0].record.video_id
    choices = [
        choice(first, [0, 4, LAST]),
        choice("nothing", [0, 4, LAST]),
        {**choice(first, [0, 4, LAST], "P2"), "frame_count": 5},
        choice(first, [0, 4, LAST - 1], "P3"),
        choice(first, [0, 4, 4, 6, LAST], "P4"),
    ]
    file = write_selections(tmp_path / "people.jsonl", choices)
    before = sorted(tmp_path.rglob("*"))
    arguments = ["build", str(raw_mini), "--out", str(tmp_path / "out"), "--selections", str(file)]
    assert run(app, arguments) == 2
    assert capsys.readouterr().err.splitlines() == [
        "error: 4 problems in the selections file; nothing was written",
        f"  {file}, line 2: unknown clip 'nothing'",
        f"  {file}, line 3: frame_indices has 3 entries, frame_count is 5",
        f"  {file}, line 4: the clip's last frame, {LAST}, is missing",
        f"  {file}, line 5: duplicate indices: 4",
    ]
    assert sorted(tmp_path.rglob("*")) == before


@settings(deadline=None, max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_whatever_was_chosen_is_asked_and_nearly_balanced(data: Any, clips: tuple[Clip, ...]) -> None:
    video_ids = [clip.record.video_id for clip in clips]
    keys = st.tuples(st.sampled_from(video_ids), st.sampled_from(["model", "human"]), st.sampled_from([3, 5]))
    frames = {key: (*range(key[2] - 1), LAST) for key in data.draw(st.sets(keys, min_size=1, max_size=60))}
    asked = list(question_rows(clips, frames))  # type: ignore[arg-type]
    assert len(asked) == len(frames) * len(PROMPT_STYLES)
    found = {(row["video_id"], row["extraction"], row["frame_count"]): row["frame_indices"] for row in asked}
    assert found == frames
    assert [*balance_problems(asked, QUESTION_CELL, complete=False)] == []
