from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import jsonschema
import pytest

from builders.selections.reading import ClipFacts, SelectionsError, read_selections
from builders.selections.records import Selection, schema_text
from physprobe.conservation.vocabulary import EXTRACTIONS, FRAME_COUNTS
from physprobe.errors import UserError

SCHEMA = Path(__file__).parents[3] / "docs" / "selections.schema.json"
FACTS = ClipFacts(seed=0, num_frames={"number_a_conserving": 24, "number_a_nonconserving": 30})


def line(**changed: Any) -> dict[str, Any]:
    good = {
        "extraction": "human",
        "selector": "P01",
        "seed": 0,
        "video_id": "number_a_conserving",
        "frame_count": 5,
        "frame_indices": [0, 6, 9, 14, 23],
    }
    return {name: value for name, value in {**good, **changed}.items() if value is not None}


def write(path: Path, *rows: object) -> Path:
    path.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows))
    return path


def problems(tmp_path: Path, *rows: object) -> list[tuple[int, str]]:
    with pytest.raises(SelectionsError) as caught:
        read_selections([write(tmp_path / "chosen.jsonl", *rows)], FACTS)
    for at, problem in caught.value.problems:
        assert f"{at.file}, line {at.number}: {problem}" in str(caught.value)
    return [(at.number, problem) for at, problem in caught.value.problems]


def test_good_lines_are_read(tmp_path):
    other = line(
        video_id="number_a_nonconserving", frame_count=3, frame_indices=[0, 11, 29], selector="P 2 é"
    )
    model = line(extraction="model", selector="org/blip2@0123")
    file = write(tmp_path / "chosen.jsonl", line(), "", other, "  ", model)
    first, second, third = read_selections([file], FACTS)
    assert first.frame_indices == (0, 6, 9, 14, 23)
    assert (second.selector, second.frame_count) == ("P 2 é", 3)
    assert third.extraction == "model"


def test_a_byte_order_mark_and_foreign_line_ends_do_no_harm(tmp_path):
    file = tmp_path / "chosen.jsonl"
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps(line()).encode() + b"\r\n")
    assert len(read_selections([file], FACTS)) == 1


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (
            {"video_id": "number_b_conserving"},
            ["unknown clip 'number_b_conserving'; did you mean 'number_a_c"],
        ),
        ({"video_id": "elsewhere"}, ["unknown clip 'elsewhere'"]),
        ({"frame_count": 7}, ["frame_indices has 5 entries, frame_count is 7"]),
        ({"frame_count": 4}, ["frame_count is 4: input should be 3, 5, 7, 9 or 16"]),
        ({"frame_indices": [1, 6, 9, 14, 23]}, ["the clip's first frame, 0, is missing"]),
        ({"frame_indices": [0, 6, 9, 14, 22]}, ["the clip's last frame, 23, is missing"]),
        ({"frame_indices": [0, 6, 6, 14, 23]}, ["duplicate indices: 6"]),
        ({"frame_indices": [0, 9, 6, 14, 23]}, ["frame_indices are not increasing: 6 follows 9"]),
        ({"frame_indices": [0, 6, 9, 23, 24]}, ["out of range: 24; the clip has frames 0 to 23"]),
        ({"frame_indices": [-2, 0, 6, 9, 23]}, ["out of range: -2; the clip has frames 0 to 23"]),
        (
            {"frame_indices": [5, 5, 2], "video_id": "gone"},
            [
                "unknown clip",
                "has 3 entries",
                "duplicate indices: 5",
                "2 follows 5",
                "first frame, 0, is missing",
            ],
        ),
        (
            {"frame_indices": []},
            ["has 0 entries", "first frame, 0, is missing", "last frame, 23, is missing"],
        ),
        (
            {"frame_indices": [0, 6, 9, 14.0, 23]},
            ["frame_indices.3 is 14.0: input should be a valid integer"],
        ),
        (
            {"frame_indices": [0, 6, 9, True, 23]},
            ["frame_indices.3 is true: input should be a valid integer"],
        ),
        ({"frame_indices": "0,6,9"}, ['frame_indices is "0,6,9": input should be a valid']),
        ({"seed": 1}, ["chosen from clips of seed 1, these are of seed 0"]),
        ({"seed": "0"}, ['seed is "0": input should be a valid integer']),
        ({"extraction": "uniform"}, ["extraction is \"uniform\": input should be 'model' or 'human'"]),
        ({"selector": " "}, ["selector is blank"]),
        ({"selector": None, "seed": None}, ["field 'selector' is missing", "field 'seed' is missing"]),
        ({"comment": "x"}, ["there is no field 'comment'"]),
    ],
)
def test_every_problem_of_a_line_is_told(tmp_path, changed, told):
    found = problems(tmp_path, line(selector="P00"), line(**changed))
    assert [number for number, _ in found] == [2] * len(told)
    for (_, problem), expected in zip(found, told, strict=True):
        assert expected in problem


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ('{"seed": ' + "9" * 5000 + "}", "not valid JSON"),
        ("[1, 2]", "not a JSON object"),
        ('{"seed": 0, "seed": 1}', "field 'seed' occurs twice"),
    ],
)
def test_lines_that_are_no_object(tmp_path, text, told):
    assert problems(tmp_path, text, line()) == [(1, told)]


def test_problems_of_all_lines_and_files_are_listed_in_order(tmp_path):
    first = write(tmp_path / "first.jsonl", line(seed=3), line(), line(video_id="x", selector="P02"))
    second = write(tmp_path / "second.jsonl", "", line(frame_count=3), line())
    with pytest.raises(SelectionsError) as caught:
        read_selections([first, second], FACTS)
    where = [(at.file.name, at.number) for at, _ in caught.value.problems]
    assert where == [
        ("first.jsonl", 1),
        ("first.jsonl", 2),
        ("first.jsonl", 3),
        ("second.jsonl", 2),
        ("second.jsonl", 3),
    ]
    assert str(caught.value).startswith("5 problems in the 2 selections files; nothing was written")
    assert caught.value.exit_code == 2


def test_nobody_chooses_twice(tmp_path):
    found = problems(tmp_path, line(), line(selector="P02"), line(frame_indices=[0, 1, 2, 3, 23]))
    assert found == [(3, "P01 chose 5 frames of this clip on line 1 of chosen.jsonl already")]


def test_selections_of_two_models_do_not_mix(tmp_path):
    found = problems(
        tmp_path,
        line(extraction="model", selector="one"),
        line(),
        line(
            extraction="model",
            selector="two",
            video_id="number_a_nonconserving",
            frame_indices=[0, 1, 2, 3, 29],
        ),
    )
    assert found == [(3, "model two, but line 1 of chosen.jsonl already is by one: use one")]


def test_files_that_can_not_be_read(tmp_path):
    empty, binary = write(tmp_path / "empty.jsonl", ""), tmp_path / "binary.jsonl"
    binary.write_bytes(b"\xff\xfe\x00")
    good = write(tmp_path / "good.jsonl", line())
    for files, told in (
        ([tmp_path / "none.jsonl"], "can't read .*none.jsonl: No such file"),
        ([tmp_path], "can't read .*: Is a directory"),
        ([binary], "binary.jsonl is not UTF-8 text"),
        ([empty], "empty.jsonl holds no selections"),
        ([good, tmp_path / "." / "good.jsonl"], "given twice"),
    ):
        with pytest.raises(UserError, match=told):
            read_selections(files, FACTS)


def test_the_published_schema_is_current():
    assert SCHEMA.read_text(encoding="utf-8") == schema_text()


def test_the_schema_is_one_and_accepts_what_is_read():
    schema = json.loads(schema_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    assert jsonschema.Draft202012Validator(schema).is_valid(line())


@pytest.mark.parametrize(
    "changed",
    [
        {"frame_indices": [0, 6, 9, 23]},
        {"frame_indices": [1, 6, 9, 14, 23]},
        {"frame_indices": [0, 6, 6, 14, 23]},
        {"frame_indices": [0, 6, 9, 14.5, 23]},
        {"frame_count": 4},
        {"extraction": "uniform"},
        {"selector": " "},
        {"seed": None},
        {"seed": -1},
        {"comment": "x"},
    ],
)
def test_the_schema_rejects(changed, tmp_path):
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(line(**changed), json.loads(schema_text()))
    assert problems(tmp_path, line(**changed))


def test_the_record_knows_the_vocabulary():
    fields = Selection.model_fields
    assert get_args(fields["frame_count"].annotation) == FRAME_COUNTS
    assert set(get_args(fields["extraction"].annotation)) < set(EXTRACTIONS)
