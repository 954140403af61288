"""``python -m builders build``: rows, determinism, and what bad input gets."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from itertools import groupby
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from builders.build import build
from builders.cli import app
from builders.conservation.schema import CONFIGS, QUESTIONS, STATIC, VIDEOS
from builders.selections.kinematic import kinematic_indices
from builders.verify import verify
from generation.core.records import ClipRecord
from physprobe.cli.runner import run
from physprobe.conservation.frames import uniform_indices
from physprobe.conservation.prompts import question_text, relation_of
from physprobe.conservation.vocabulary import FRAME_COUNTS, PROMPT_STYLES
from tests.support.raw_conservation import NUM_FRAMES, make_raw


def rows(dataset: Path, config: str) -> list[dict[str, Any]]:
    return pq.read_table(dataset / config).to_pylist()


def tree(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    assert run(app, [str(argument) for argument in arguments]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert error.count("\n") == 1
    return error


def test_question_rows(built_mini: Path) -> None:
    questions = rows(built_mini, "questions")
    videos = {row["video_id"]: row for row in rows(built_mini, "videos")}
    assert len(questions) == len(videos) * len(PROMPT_STYLES) * len(FRAME_COUNTS) * 2 == 24 * 40
    for row in questions:
        parameters = json.loads(videos[row["video_id"]]["parameters"])
        claims = [relation_of(row["domain"], text, parameters["moved_position"]) for text in row["options"]]
        assert claims["ABC".index(row["answer"])] == row["answer_relation"]
        assert row["question"] == question_text(row["domain"], row["prompt_style"], row["options"])
        wanted = f"{row['video_id']}__{row['prompt_style']}_{row['frame_count']}_{row['extraction']}"
        assert row["question_id"] == wanted
        assert (row["answer_relation"] == "same") == (row["condition"] == "conserving")


def test_frames_are_spread_in_time_or_by_the_records_motion(built_mini: Path, raw_mini: Path) -> None:
    for row in rows(built_mini, "questions"):
        count = row["frame_count"]
        record = (raw_mini / "items" / row["pair_id"] / f"{row['condition']}.json").read_text()
        wanted = {
            "uniform": lambda count=count: uniform_indices(NUM_FRAMES, count),
            "kinematic": lambda record=record, count=count: kinematic_indices(
                ClipRecord.model_validate_json(record), [count]
            )[count],
        }[row["extraction"]]()
        assert tuple(row["frame_indices"]) == wanted


def test_questions_on_a_clip_stand_together(built_mini: Path) -> None:
    """So that whoever reads in order has each clip decoded once."""
    ids = [row["video_id"] for row in rows(built_mini, "questions")]
    assert len(list(groupby(ids))) == 24


def test_orders_of_uniform_rows_are_those_of_the_first_build(built_mini: Path) -> None:
    """Whatever else is asked: other ways to pick frames have orders of their own."""
    uniform = [
        (row["question_id"], row["options"])
        for row in rows(built_mini, "questions")
        if row["extraction"] == "uniform"
    ]
    digest = hashlib.sha256(json.dumps(uniform).encode()).hexdigest()
    assert digest == "b84bc0c6a3a4fb01da3337d3394652d8c107acedf4bff362c0c06ea721c6661c"


def test_static_rows_are_there(built_mini: Path) -> None:
    static = rows(built_mini, "static")
    assert [row["video_id"] for row in static] == [row["video_id"] for row in rows(built_mini, "videos")]
    assert all(row["image"]["bytes"].startswith(b"\x89PNG") for row in static)


def test_video_rows_embed_the_raw_files(built_mini: Path, raw_mini: Path) -> None:
    for row in rows(built_mini, "videos"):
        item = raw_mini / "items" / row["pair_id"]
        record = json.loads((item / f"{row['condition']}.json").read_text())
        assert row["video"]["bytes"] == (item / f"{row['condition']}.mp4").read_bytes()
        assert row["quantities"] == record["quantities"]
        assert json.loads(row["parameters"]) == record["parameters"]
        assert (row["seed"], row["fps"], row["num_frames"]) == (0, 24, NUM_FRAMES)


def test_columns_are_the_contract(built_mini: Path) -> None:
    for spec in CONFIGS:
        assert pq.read_schema(built_mini / spec.shard("test", 0, 1)).equals(spec.schema)
    assert " ".join(QUESTIONS.schema.names) == (
        "question_id pair_id video_id domain condition prompt_style frame_count extraction frame_indices "
        "question options answer answer_relation transformation"
    )
    assert " ".join(VIDEOS.schema.names) == (
        "video_id pair_id domain condition video fps num_frames parameters quantities seed"
    )
    assert " ".join(STATIC.schema.names) == (
        "question_id pair_id video_id domain condition frame_index image question options answer "
        "answer_relation"
    )


def test_same_raw_same_bytes(raw_mini: Path, built_mini: Path, tmp_path: Path) -> None:
    other = build(raw_mini, tmp_path / "deep" / "er" / "conservationbench")
    assert other.is_new
    assert tree(other.out) == tree(built_mini)
    assert [p.name for p in other.out.parent.iterdir()] == ["conservationbench"]


def test_another_seed_shows_other_orders(built_mini: Path, tmp_path: Path) -> None:
    other = build(make_raw(tmp_path / "raw", seed=1), tmp_path / "out").out
    pairs = zip(rows(built_mini, "questions"), rows(other, "questions"), strict=True)
    same = sum(one["options"] == two["options"] for one, two in pairs)
    assert 0 < same < 960 / 2


def test_rebuilding_says_already_built(
    raw_mini: Path, dataset: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = tree(dataset)
    assert run(app, ["build", str(raw_mini), "--out", str(dataset)]) == 0
    assert capsys.readouterr().out.startswith("already built: ")
    assert tree(dataset) == before


def test_other_content_is_refused(dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = tree(dataset)
    other = make_raw(tmp_path / "raw", seed=1)
    error = refusal(capsys, "build", other, "--out", dataset)
    assert "seed 0" in error
    assert "seed 1" in error
    assert "choose another --out or remove that folder" in error
    assert tree(dataset) == before
    assert [p.name for p in tmp_path.glob(".*")] == []


def test_another_card_over_the_same_rows_is_refused(
    raw_mini: Path, dataset: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (dataset / "README.md").write_text("mine")
    assert "another README.md" in refusal(capsys, "build", raw_mini, "--out", dataset)
    assert (dataset / "README.md").read_text() == "mine"


def test_a_folder_with_something_else_is_refused(
    raw_mini: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "thesis.tex").write_text("years of work")
    assert "choose another --out" in refusal(capsys, "build", raw_mini, "--out", out)
    assert tree(out) == {"thesis.tex": b"years of work"}
    assert "is a file" in refusal(capsys, "build", raw_mini, "--out", out / "thesis.tex")
    assert "lies in the raw folder" in refusal(capsys, "build", raw_mini, "--out", raw_mini / "out")


def test_an_empty_folder_is_taken(raw_mini: Path, built_mini: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    assert tree(build(raw_mini, tmp_path / "out").out) == tree(built_mini)


def test_what_a_killed_build_left_is_replaced(raw_mini: Path, built_mini: Path, tmp_path: Path) -> None:
    left = tmp_path / ".out.building"
    (left / "questions").mkdir(parents=True)
    (left / "questions" / "00000.unfinished").write_bytes(b"half")
    assert tree(build(raw_mini, tmp_path / "out").out) == tree(built_mini)
    assert not left.exists()


def test_two_builds_of_one_folder_do_not_meet(raw_mini: Path, tmp_path: Path) -> None:
    from builders.folder import workshop
    from physprobe.errors import UserError

    with workshop(tmp_path / "out") as scratch:
        with pytest.raises(UserError, match="another build is writing"):
            build(raw_mini, tmp_path / "out")
        assert scratch.is_dir()


def test_unfinished_raw(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    raw = make_raw(tmp_path / "raw", limit=5)
    error = refusal(capsys, "build", raw, "--out", tmp_path / "out")
    assert "lacks 7 of 12 pairs" in error
    assert f"python -m generation conservationbench --preset mini --seed 0 --out {raw}" in error
    assert not (tmp_path / "out").exists()
    assert run(app, ["build", str(raw), "--out", str(tmp_path / "out"), "--partial"]) == 0
    assert "**incomplete**" in (tmp_path / "out" / "README.md").read_text()
    assert verify(tmp_path / "out").problems == ()


def test_raw_without_any_item(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    raw = make_raw(tmp_path / "raw", limit=0)
    assert "lacks 12 of 12 pairs" in refusal(capsys, "build", raw, "--out", tmp_path / "out", "--partial")


def test_not_a_raw_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "is not a raw folder" in refusal(capsys, "build", tmp_path / "no", "--out", tmp_path / "out")


def _set_benchmark(raw: Path) -> None:
    path = raw / "raw.json"
    path.write_text(path.read_text().replace("conservationbench", "other"))


def _edit_record(raw: Path, old: str, new: str) -> None:
    path = next(raw.glob("items/*/conserving.json"))
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def _swap_media(raw: Path) -> None:
    one, two = sorted(raw.glob("items/*/conserving.mp4"))[:2]
    shutil.copy(one, two)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_set_benchmark, "unknown benchmark 'other'; valid: conservationbench"),
        (lambda raw: _edit_record(raw, '"fps":24', '"fps":"fast"'), "is no clip record: fps"),
        (lambda raw: _edit_record(raw, '"seed":0', '"seed":3'), "seed is 3, not 0"),
        (lambda raw: next(raw.glob("items/*/conserving.json")).unlink(), "can't read"),
        (lambda raw: next(raw.glob("items/*/conserving.mp4")).unlink(), "can't read"),
        (_swap_media, "is not the file its record describes"),
    ],
)
def test_damaged_raw(
    damage: Any, message: str, raw_mini: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = Path(shutil.copytree(raw_mini, tmp_path / "raw"))
    damage(raw)
    assert message in refusal(capsys, "build", raw, "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert not (tmp_path / ".out.building").exists()


def test_runs_as_a_module(raw_mini: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "builders", "build", str(raw_mini), "--out", str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"built: {tmp_path / 'out'} (960 questions, 24 videos, 24 static)\n"


@pytest.mark.parametrize("command", ["build", "verify"])
def test_help_has_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(app, [command, "--help"]) == 0
    assert f"Example: python -m builders {command} " in capsys.readouterr().out
