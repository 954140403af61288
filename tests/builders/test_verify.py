"""``python -m builders verify``: every kind of damage is named, none is an exception."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders.cli import app
from builders.conservation.schema import QUESTIONS, VIDEOS
from physprobe.cli.runner import run
from tests.support.damage import SHARDS, Row, edit, problems, put, quantities


def put_media(index: int, change: Callable[[bytes], bytes]) -> Callable[[list[Row]], None]:
    def edit_media(rows: list[Row]) -> None:
        rows[index]["video"]["bytes"] = change(rows[index]["video"]["bytes"])

    return edit_media


def test_a_sound_dataset(built_mini: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(app, ["verify", str(built_mini)]) == 0
    out = capsys.readouterr().out
    assert "24 clips, 576 frames decoded" in out
    assert "each option order 1 times; right letters A 2, B 2, C 2" in out
    assert out.endswith("no problems found\n")


def test_problems_are_lines_and_exit_code_1(dataset: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(dataset, QUESTIONS, put(0, answer="D"))
    assert run(app, ["verify", str(dataset)]) == 1
    out = capsys.readouterr().out.splitlines()
    found = [line for line in out if line.startswith("problem: ")]
    assert any("answer is 'D', not one of A, B, C" in line for line in found)
    assert out[-1] == f"{dataset}: {len(found)} problems"


def test_bad_use_exits_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(app, ["verify", str(tmp_path / "none")]) == 2
    assert "is not a folder" in capsys.readouterr().err
    assert run(app, ["verify"]) == 2


FIRST = "number_uniform_lower_near_3_conserving"
TWIN = "number_uniform_lower_near_3_nonconserving"  # gains a coin
QUESTION = f"question {FIRST}__direct_3_uniform"

MEDIA_DAMAGE = [
    (lambda data: data[: len(data) // 2], "of 24 (counted from 0) can't be decoded"),
    (lambda data: data[:-2], "of 24 (counted from 0) can't be decoded"),
    (lambda data: data[:200], "cut short"),
    (lambda _: b"", "not an MP4 file"),
    (lambda _: b"\x1aE\xdf\xa3" + bytes(200), "not an MP4 file"),
]


@pytest.mark.parametrize(("change", "message"), MEDIA_DAMAGE)
def test_damaged_media_names_file_and_frame(
    change: Callable[[bytes], bytes], message: str, dataset: Path
) -> None:
    edit(dataset, VIDEOS, put_media(0, change))
    found = [line for line in problems(dataset) if line.startswith(f"video {FIRST}: {FIRST}.mp4: ")]
    assert len(found) == 1
    assert message in found[0]


QUESTION_DAMAGE = [
    (put(0, answer="B"), f"{QUESTION}: answer B is "),
    (put(0, answer_relation="moved_more"), f"{QUESTION}: answer_relation is moved_more in a conserving clip"),
    (put(0, answer_relation="moved_more"), f"{QUESTION}: answer_relation is moved_more, but the quantities"),
    (put(0, domain="colour"), f"{QUESTION}: domain is 'colour', not one of number, length"),
    (put(0, domain="volume"), f"{QUESTION}: its options can't be worded: unknown moved position in volume"),
    (put(0, domain="length"), f"{QUESTION}: domain is length, its video's is number"),
    (put(0, frame_indices=[0, 5, 23]), f"{QUESTION}: frame_indices are not uniform: [0, 5, 23]"),
    (put(0, frame_indices=[0, 12, 22]), f"{QUESTION}: frame_indices must run from 0 to 23"),
    (put(0, frame_indices=[0, 12, 12, 23]), f"{QUESTION}: frame_indices are not increasing"),
    (put(0, frame_indices=[0, 12, 12, 23]), f"{QUESTION}: frame_indices has 4 entries, frame_count is 3"),
    (put(0, frame_indices=[]), f"{QUESTION}: frame_indices must run from 0 to 23: []"),
    (put(0, frame_count=4), f"{QUESTION}: frame_count is 4, not one of 3, 5, 7, 9, 16"),
    (put(0, options=["a", "b"]), f"{QUESTION}: options are not 3 different texts"),
    (put(0, options=["a", "b", "c"]), f"{QUESTION}: options are ['a', 'b', 'c'], not "),
    (put(0, question="Same?"), f"{QUESTION}: the question's text is not what this version asks"),
    (put(0, transformation="mandatory"), f"{QUESTION}: transformation is 'mandatory' for number"),
    (put(0, question_id="q"), f"question q: its id should be {FIRST}__direct_3_uniform"),
    (put(0, video_id="gone"), "its video gone is not in videos"),
    (put(0, pair_id="x"), f"{QUESTION}: pair_id is x, its video's is number_uniform_lower_near_3"),
    (put(0, question=None), f"question_id {FIRST}__direct_3_uniform: no value in question"),
    (put(0, options=["a", None, "c"]), "no value in options"),
    (put(0, question_id=None), "question_id None: no value in question_id"),
    (lambda rows: [*rows, rows[0]], f"question_id {FIRST}__direct_3_uniform occurs twice"),
    (lambda rows: rows[1:], f"video {FIRST}: no question for direct, 3 frames, uniform"),
    (lambda rows: rows[1:], "questions: 959 rows, built with 960"),
    (put(0, question="Same?"), "rows were changed"),
    (put(0, question="Same?"), f"{SHARDS['questions']}: the file was changed after the build"),
]


@pytest.mark.parametrize(("change", "message"), QUESTION_DAMAGE)
def test_damaged_questions(change: Callable[[list[Row]], Any], message: str, dataset: Path) -> None:
    edit(dataset, QUESTIONS, change)
    assert [line for line in problems(dataset) if message in line]


def same_order_everywhere(rows: list[Row]) -> None:
    for row in rows:
        if row["domain"] == "number" and row["condition"] == "conserving":
            texts = sorted(row["options"], key=lambda text: text.startswith("No"))
            row.update(options=texts, answer="A", question="?")


def test_unbalanced_orders_and_letters(dataset: Path) -> None:
    edit(dataset, QUESTIONS, same_order_everywhere)
    found = problems(dataset)
    cell = "number conserving direct 7 uniform"
    assert f"{cell}: right letters are unbalanced: {{'A': 6, 'B': 0, 'C': 0}}" in found
    assert [line for line in found if line.startswith(f"{cell}: the 6 orders of the options are unbalanced")]
    assert [line for line in found if line.startswith(f"{cell} gain: right letters are unbalanced")]
    assert not [line for line in found if line.startswith("number nonconserving direct 7")]


VIDEO_DAMAGE = [
    (0, {"quantities": quantities([3.0] * 23 + [4.0], [3.0] * 24)}, "changes in a conserving clip"),
    (0, {"quantities": quantities([3.0] * 24, [3.0] * 23 + [4.0])}, "the reference quantity changes"),
    (0, {"quantities": quantities([4.0] * 24, [3.0] * 24)}, "the objects start unequal: 4.0 and 3.0"),
    (0, {"quantities": quantities([3.0] * 23, [3.0] * 24)}, "quantities have 23 and 24 frames"),
    (0, {"quantities": quantities([], [])}, "quantities have 0 and 0 frames, num_frames is 24"),
    (0, {"quantities": quantities([float("nan")] * 24, [3.0] * 24)}, "changes in a conserving clip"),
    (0, {"quantities": quantities([3.0] * 24, [3.0] * 24, "m")}, "quantities are in 'm', not in 'count'"),
    (1, {"quantities": quantities([3.0] * 24, [3.0] * 24)}, "are equal in a nonconserving clip"),
    (1, {"quantities": quantities([3.0] * 23 + [2.0], [3.0] * 24)}, "but the quantities say moved_less"),
    (0, {"num_frames": 25}, "the file has 24 frames, num_frames is 25"),
    (0, {"fps": 30}, "the file runs at 24 frames per second, fps is 30"),
    (0, {"parameters": "{"}, "parameters are not a JSON object"),
    (0, {"parameters": "[" * 100_000}, "parameters are not a JSON object"),
    (0, {"parameters": "[1]"}, "parameters are not a JSON object"),
    (0, {"condition": "maybe"}, "condition is 'maybe', not one of conserving, nonconserving"),
    (
        0,
        {"video_id": "other"},
        "its id is not pair_id number_uniform_lower_near_3 + _ + condition conserving",
    ),
    (0, {"video": {"bytes": None, "path": "x"}}, "no value in video"),
    (0, {"seed": 7}, "clips of different seeds: [0, 7]"),
]


@pytest.mark.parametrize(("index", "values", "message"), VIDEO_DAMAGE)
def test_damaged_clip_rows(index: int, values: Row, message: str, dataset: Path) -> None:
    edit(dataset, VIDEOS, put(index, **values))
    assert [line for line in problems(dataset) if message in line]


def test_a_missing_twin(dataset: Path) -> None:
    edit(dataset, VIDEOS, lambda rows: rows[1:])
    found = problems(dataset)
    assert "pair number_uniform_lower_near_3: its conserving clip is missing" in found
    assert f"{QUESTION}: its video {FIRST} is not in videos" in found


def drop_column(dataset: Path) -> None:
    path = dataset / SHARDS["questions"]
    pq.write_table(pq.read_table(path).drop_columns(["answer"]), path)


def retype_column(dataset: Path) -> None:
    path = dataset / SHARDS["questions"]
    table = pq.read_table(path)
    at = table.schema.get_field_index("frame_count")
    pq.write_table(table.set_column(at, "frame_count", table["frame_count"].cast(pa.int64())), path)


def reorder_columns(dataset: Path) -> None:
    path = dataset / SHARDS["questions"]
    table = pq.read_table(path)
    pq.write_table(table.select(table.column_names[::-1]), path)


def add_hf_schema(dataset: Path) -> None:
    path = dataset / SHARDS["questions"]
    table = pq.read_table(path)
    pq.write_table(table.replace_schema_metadata({"huggingface": "{}"}), path)


def cut(name: str, share: float) -> Callable[[Path], None]:
    def damage(dataset: Path) -> None:
        data = (dataset / name).read_bytes()
        (dataset / name).write_bytes(data[: int(len(data) * share)])

    return damage


def write(name: str, data: bytes) -> Callable[[Path], None]:
    return lambda dataset: (dataset / name).write_bytes(data) and None


def edit_card(old: str, new: str) -> Callable[[Path], None]:
    def damage(dataset: Path) -> None:
        text = (dataset / "README.md").read_text()
        assert old in text
        (dataset / "README.md").write_text(text.replace(old, new))

    return damage


def edit_manifest(**values: Any) -> Callable[[Path], None]:
    def damage(dataset: Path) -> None:
        manifest = json.loads((dataset / "manifest.json").read_text()) | values
        (dataset / "manifest.json").write_text(json.dumps(manifest))

    return damage


FILE_DAMAGE = [
    (drop_column, "column answer is missing"),
    (retype_column, "column frame_count is int64, not int32"),
    (reorder_columns, "columns must be nullable and in this order: question_id, pair_id"),
    (add_hf_schema, "carries a Hugging Face schema"),
    (cut(SHARDS["videos"], 0.5), f"{SHARDS['videos']}: unreadable: "),
    (write(SHARDS["questions"], b""), f"{SHARDS['questions']}: unreadable: "),
    (lambda d: (d / SHARDS["videos"]).unlink(), f"{SHARDS['videos']}: missing"),
    (lambda d: (d / SHARDS["videos"]).unlink(), "videos: no files videos/test-*.parquet"),
    (lambda d: shutil.rmtree(d / "videos"), "videos: no files videos/test-*.parquet"),
    (
        lambda d: shutil.copy(d / SHARDS["questions"], d / "questions" / "test-extra.parquet"),
        "questions/test-extra.parquet: not part of the build, but load_dataset would read it",
    ),
    (lambda d: (d / "README.md").unlink(), "README.md: unreadable: "),
    (write("README.md", b"\xff\xfe"), "README.md: unreadable: "),
    (write("README.md", b"---\nconfigs: [\n---\n"), "README.md: unreadable: "),
    (write("README.md", b"# hello\n"), "README.md: configs lacks questions"),
    (write("README.md", b"---\nconfigs: 3\n---\n"), "README.md: configs lacks videos"),
    (edit_card("default: true", "default: false"), "config questions: must be the default"),
    (edit_card("path: videos/test-*", "path: films/test-*"), "config videos: data_files must be split test"),
    (edit_card("Content SHA-256", "Content"), "description lacks the content hash"),
    (lambda d: (d / "manifest.json").unlink(), "has no readable manifest.json"),
    (write("manifest.json", b"[]"), "manifest.json is damaged"),
    (edit_manifest(complete="perhaps"), "manifest.json is damaged: complete"),
    (edit_manifest(configs={}), "manifest.json lists configs [], not ['questions', 'static', 'videos']"),
]


@pytest.mark.parametrize(("damage", "message"), FILE_DAMAGE)
def test_damaged_files(damage: Callable[[Path], Any], message: str, dataset: Path) -> None:
    damage(dataset)
    assert [line for line in problems(dataset) if message in line]


def test_a_folder_of_something_else(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    assert "holds the configs of no known benchmark (conservationbench, " in problems(tmp_path)[-1]


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_overwritten_bytes_are_a_problem_never_an_exception(data: st.DataObject, dataset: Path) -> None:
    name = data.draw(st.sampled_from([*SHARDS.values(), "manifest.json"]))
    whole = (dataset / name).read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    patch = data.draw(st.binary(min_size=1, max_size=8))
    changed = whole[:at] + patch + whole[at + len(patch) :]
    try:
        (dataset / name).write_bytes(changed)
        found = problems(dataset)
    finally:
        (dataset / name).write_bytes(whole)
    # Spaces and the versions of the packages that wrote the files may change without harm.
    assert found or changed == whole or name == "manifest.json"
