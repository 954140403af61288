"""``verify`` on what makes a benchmark: designs, twins, frames, and what a raw folder gives."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from builders.build import build
from builders.cli import app
from builders.conservation.clip_checks import ClipCheck, Picture
from builders.conservation.design_checks import coverage
from builders.conservation.schema import CONFIGS, QUESTIONS, STATIC, VIDEOS
from builders.conservation.twin_checks import twin_problems
from builders.verify import verify
from generation.media.video import encode_mp4
from physprobe.cli.runner import run
from physprobe.conservation.vocabulary import DOMAINS, FRAME_COUNTS
from physprobe.errors import UserError
from tests.support.damage import Row, edit, problems, put, quantities
from tests.support.raw_conservation import make_raw
from tests.support.selection_files import selection, write_selections

PAIR = "number_uniform_lower_near_3"  # its twin gains a coin
FIRST, TWIN = f"{PAIR}_conserving", f"{PAIR}_nonconserving"
KINEMATIC = 20  # the first kinematic row: direct, 3 frames


def set_parameter(name: str, value: object, *indices: int) -> Callable[[list[Row]], None]:
    def edit_parameters(rows: list[Row]) -> None:
        for index in indices:
            parameters = {**json.loads(rows[index]["parameters"]), name: value}
            rows[index]["parameters"] = json.dumps(parameters)

    return edit_parameters


def swap_media(index: int, other: int) -> Callable[[list[Row]], None]:
    def edit_media(rows: list[Row]) -> None:
        rows[index]["video"]["bytes"] = rows[other]["video"]["bytes"]

    return edit_media


def film_at_another_size(tmp_path: Path) -> bytes:
    encode_mp4((np.zeros((32, 32, 3), np.uint8) for _ in range(24)), tmp_path / "small.mp4", 24)
    return (tmp_path / "small.mp4").read_bytes()


TWIN_DAMAGE = [
    (
        set_parameter("spread", "far", 1),
        f"pair {PAIR}: its twins differ in parameters other than the condition: spread",
    ),
    (
        set_parameter("extra", 1, 0),
        f"pair {PAIR}: its twins differ in parameters other than the condition: extra",
    ),
    (
        set_parameter("direction", "loss", 0, 1),
        f"pair {PAIR}: direction is 'loss', but its nonconserving clip ends with moved_more",
    ),
    (put(1, seed=7), f"pair {PAIR}: its twins differ in seed: 0 and 7"),
    (put(1, fps=25), f"pair {PAIR}: its twins differ in fps: 24 and 25"),
    (
        put(1, quantities=quantities([4.0] + [5.0] * 23, [4.0] * 24)),
        f"pair {PAIR}: its twins have other reference quantities: 3.0 and 4.0",
    ),
    (
        put(1, quantities=quantities([3.0] * 8 + [5.0] * 8 + [4.0] * 8, [3.0] * 24)),
        f"pair {PAIR}: the moved quantity both grows and shrinks in its nonconserving clip",
    ),
    (
        swap_media(1, 0),
        f"pair {PAIR}: its twins end with the same picture: they differ by at most 0.0 of 255",
    ),
    (swap_media(1, 3), f"pair {PAIR}: its twins don't begin with the same picture: they differ by up to "),
]


@pytest.mark.parametrize(("change", "message"), TWIN_DAMAGE)
def test_twins_that_differ_otherwise(change: Any, message: str, dataset: Path) -> None:
    edit(dataset, VIDEOS, change)
    assert [line for line in problems(dataset) if line.startswith(message)]


@pytest.mark.parametrize(
    ("first", "last", "wrong"),
    [(3.3, 36.0, ""), (36.0, 36.0, "don't begin with the same"), (3.3, 3.3, "end with the same")],
)
def test_what_coding_changes_is_not_seen_and_what_happens_is(first: float, last: float, wrong: str) -> None:
    """In one square of many; measured on the mini preset."""

    def clip(*levels: float) -> ClipCheck:
        pictures = [Picture("", np.zeros((6, 8, 3))) for _ in levels]
        for picture, level in zip(pictures, levels, strict=True):
            picture.blocks[2, 3] = level
        return ClipCheck({"fps": 24, "num_frames": 72, "seed": 0}, first=pictures[0], last=pictures[1])

    found = [*twin_problems(clip(0.0, 0.0), clip(first, last))]
    assert len(found) == bool(wrong)
    assert wrong in "".join(found)


def test_rounding_is_no_change_of_direction(dataset: Path) -> None:
    moved = [3.0] * 12 + [4.0] * 6 + [4.0 - 1e-12] * 6
    edit(dataset, VIDEOS, put(1, quantities=quantities(moved, [3.0] * 24)))
    assert not [line for line in problems(dataset) if line.startswith(("pair ", "video "))]


def test_twins_of_different_size(dataset: Path, tmp_path: Path) -> None:
    media = film_at_another_size(tmp_path)
    edit(dataset, VIDEOS, lambda rows: rows[1]["video"].update(bytes=media))
    assert f"pair {PAIR}: its twins have pictures of different sizes" in problems(dataset)


DESIGN_DAMAGE = [
    (lambda rows: rows[2:], f"pair {PAIR}: missing, a cell of the designs (Table 4)"),
    (put(0, pair_id="number_x"), "pair number_x: no cell of the designs of preset mini (Table 4)"),
    (
        put(0, pair_id="number_uniform_lower_near_4"),
        "pair number_uniform_lower_near_4: no cell of the designs of preset mini (Table 4)",
    ),
    (set_parameter("spread", "far", 0, 1), f"pair {PAIR}: parameter spread is 'far', its cell's is 'near'"),
    (set_parameter("count", 4, 0, 1), f"pair {PAIR}: parameter count is 4, its cell's is 3"),
    (
        set_parameter("direction", "loss", 0, 1),
        f"pair {PAIR}: parameter direction is 'loss', its cell's is 'gain'",
    ),
    (put(1, domain="length"), f"pair {PAIR}: domain is length, its cell's is number"),
]


@pytest.mark.parametrize(("change", "message"), DESIGN_DAMAGE)
def test_pairs_that_are_not_the_design(change: Any, message: str, dataset: Path) -> None:
    edit(dataset, VIDEOS, change)
    assert message in problems(dataset)


def edit_manifest(dataset: Path, **values: Any) -> None:
    path = dataset / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}))


def test_a_manifest_that_claims_another_preset(dataset: Path) -> None:
    source = json.loads((dataset / "manifest.json").read_text())["source"]
    edit_manifest(dataset, source={**source, "preset": "huge"})
    assert "manifest.json names an unknown preset 'huge'; known: mini, full" in problems(dataset)
    edit_manifest(dataset, source={**source, "preset": "full"})
    assert "pair number_uniform_lower_near_4: missing, a cell of the designs (Table 4)" in problems(dataset)
    assert coverage({}, None) == "0 pairs"


def test_a_whole_dataset_that_claims_to_be_incomplete(dataset: Path) -> None:
    edit_manifest(dataset, complete=False)
    found = "manifest.json calls the dataset incomplete, but no pair of preset mini is missing"
    assert found in problems(dataset)


def test_a_partial_dataset_is_called_incomplete_at_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = make_raw(tmp_path / "raw", limit=5)
    out = build(raw, tmp_path / "out", partial=True).out
    assert run(app, ["verify", str(out), "--raw", str(raw)]) == 0
    told = "no problems found, but the dataset is INCOMPLETE: it holds 5 of 12 pairs of preset mini"
    assert capsys.readouterr().out.endswith(f"{out}: {told}\n")
    edit(out, QUESTIONS, put(0, answer="D"))
    assert run(app, ["verify", str(out)]) == 1
    assert capsys.readouterr().out.endswith(
        "but the dataset is INCOMPLETE: it holds 5 of 12 pairs of preset mini\n"
    )


def without(extraction: str) -> Callable[[list[Row]], list[Row]]:
    return lambda rows: [row for row in rows if row["extraction"] != extraction]


FRAME_DAMAGE = [
    (
        put(KINEMATIC, frame_indices=[0, 5, 23]),
        f"video {FIRST}: 3 frames by kinematic differ between prompt styles",
    ),
    (put(KINEMATIC, frame_indices=[1, 5, 23]), "frame_indices must run from 0 to 23: [1, 5, 23]"),
    (put(KINEMATIC, frame_indices=[0, 5, 22]), "frame_indices must run from 0 to 23: [0, 5, 22]"),
    (put(KINEMATIC, frame_indices=[0, 5, 5, 23]), "frame_indices are not increasing: [0, 5, 5, 23]"),
    (put(KINEMATIC, frame_indices=[0, 23]), "frame_indices has 2 entries, frame_count is 3"),
    (without("kinematic"), "questions: no rows of extraction kinematic"),
    (without("uniform"), "questions: no rows of extraction uniform"),
    (
        lambda rows: rows[:KINEMATIC] + rows[KINEMATIC + 1 :],
        f"video {FIRST}: no question for direct, 3 frames, kinematic",
    ),
]


@pytest.mark.parametrize(("change", "message"), FRAME_DAMAGE)
def test_frames_that_nobody_picked(change: Any, message: str, dataset: Path) -> None:
    edit(dataset, QUESTIONS, change)
    assert [line for line in problems(dataset) if message in line]


def other_kinematic_frames(rows: list[Row]) -> None:
    """In all styles alike: nothing within the dataset tells."""
    for row in rows:
        if (row["video_id"], row["extraction"], row["frame_count"]) == (FIRST, "kinematic", 3):
            row["frame_indices"] = [0, 5, 23]


def other_name(rows: list[Row]) -> list[Row]:
    return [{**rows[0], "question_id": "q"}, *rows[1:]]


RAW_DAMAGE = [
    (
        QUESTIONS,
        other_kinematic_frames,
        f"question_id {FIRST}__cot_3_kinematic: RAW gives another frame_indices",
    ),
    (QUESTIONS, other_name, "questions: question_id q: RAW gives no such row"),
    (
        QUESTIONS,
        lambda rows: rows[1:],
        f"questions: question_id {FIRST}__direct_3_uniform: missing, RAW gives it",
    ),
    (VIDEOS, set_parameter("yaw", 0.5, 0, 1), f"videos: video_id {FIRST}: RAW gives another parameters"),
    (VIDEOS, swap_media(0, 2), f"videos: video_id {FIRST}: RAW gives another video"),
    (
        STATIC,
        put(0, question="?", answer="?"),
        f"question_id {FIRST}__static: RAW gives another question, answer",
    ),
]


@pytest.mark.parametrize(("spec", "change", "message"), RAW_DAMAGE)
def test_rows_that_the_raw_folder_does_not_give(
    spec: Any, change: Any, message: str, dataset: Path, raw_mini: Path
) -> None:
    edit(dataset, spec, change)
    assert [line for line in verify(dataset, raw=raw_mini).problems if message in line]


def test_the_raw_folder_gives_every_row(built_mini: Path, raw_mini: Path) -> None:
    assert verify(built_mini, raw=raw_mini).problems == ()


def test_images_may_be_encoded_otherwise(dataset: Path, raw_mini: Path) -> None:
    """Only their pixels count; that their file was changed is told all the same."""
    edit(dataset, STATIC, lambda rows: rows[0]["image"].update(bytes=rows[0]["image"]["bytes"] + b"\0"))
    assert [line.split(":")[0] for line in verify(dataset, raw=raw_mini).problems] == [
        "static",
        "static/test-00000-of-00001.parquet",
    ]


def test_another_raw_folder_is_bad_use(
    built_mini: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = make_raw(tmp_path / "raw", seed=1, limit=1)
    assert run(app, ["verify", str(built_mini), "--raw", str(other)]) == 2
    assert f"{other} holds conservationbench, preset mini, seed 1" in capsys.readouterr().err
    with pytest.raises(UserError, match="give --raw RAW as well"):
        verify(built_mini, selections=[tmp_path / "people.jsonl"])


@pytest.mark.usefixtures("four_domains")
def test_the_full_design_is_table_4(raw_full: Path, tmp_path: Path) -> None:
    """With a third way to pick frames, as many rows as the issue of the paper's design asks for."""
    choices = write_selections(tmp_path / "model.jsonl", model_choices(raw_full))
    built = build(raw_full, tmp_path / "full", selections=[choices])
    verdict = verify(built.out)
    assert verdict.problems == ()
    assert [check.rows for check in verdict.configs] == [384 * 5 * 3 * 4, 384, 192]
    assert [line for line in verdict.summary if line.split(":")[0] in DOMAINS] == TABLE_4
    balance = "of 48 questions; each option order 8 times; right letters A 16, B 16, C 16"
    assert verdict.summary[5:] == tuple(
        f"{shown} {domain} {condition}: {1 if shown == 'static' else 20} cells {balance}"
        for shown in ("uniform", "kinematic", "model", "static")
        for domain in (DOMAINS if shown != "static" else ("number", "length"))
        for condition in ("conserving", "nonconserving")
    )
    card = (built.out / "README.md").read_text()
    assert "192 pairs, 384 clips, 23,040 question rows" in card
    for domain, unit in (("number", "count"), ("length", "m"), ("volume", "m^3"), ("size", "m^3")):
        static = 96 if domain in ("number", "length") else 0
        assert f"| {domain} | {unit} | 48 | 96 (48 + 48) | 5,760 | {static} | 24 | 24 |" in card
    assert "not in this version" not in card
    assert "of the paper's four domains" not in card
    assert "`moved_position` is ours" in card


def model_choices(raw: Path) -> list[Row]:
    video_ids = [
        f"{item.name}_{clip.stem}" for item in (raw / "items").iterdir() for clip in item.glob("*.mp4")
    ]
    return [
        selection("model", "some-blip2", video_id, [*range(count - 1), 23])
        for video_id in sorted(video_ids)
        for count in FRAME_COUNTS
    ]


COLORS = "color red (6), orange (6), yellow (6), green (6), cyan (6), blue (6), purple (6), pink (6)"
TABLE_4 = [
    "number: 48 pairs; object_type uniform (24), mixed (24); moved_position lower (24), upper (24); "
    "spread near (24), far (24); count 3 (8), 4 (8), 5 (8), 6 (8), 7 (8), 8 (8); twins gain (24), loss (24)",
    "length: 48 pairs; object_type uniform (24), mixed (24); moved_position lower (24), upper (24); "
    "distance near (24), far (24); side left (24), right (24); "
    "action slide (16), rotate (16), vertical (16); twins gain (24), loss (24)",
    f"volume: 48 pairs; {COLORS}; transfer tall_to_short (24), short_to_tall (24); "
    "amount small (16), medium (16), large (16); moved_position left (24), right (24); "
    "twins gain (24), loss (24)",
    f"size: 48 pairs; {COLORS}; reshaping sphere_to_cylinder (8), sphere_to_plane (8), "
    "cylinder_to_sphere (8), cylinder_to_plane (8), plane_to_sphere (8), plane_to_cylinder (8); "
    "moved_position left (24), right (24); twins gain (24), loss (24)",
]


def test_a_missing_config_is_told(dataset: Path, tmp_path: Path) -> None:
    for spec in CONFIGS:
        copy = Path(shutil.copytree(dataset, tmp_path / spec.name))
        shutil.rmtree(copy / spec.name)
        assert f"{spec.name}: no files {spec.name}/test-*.parquet" in problems(copy)
