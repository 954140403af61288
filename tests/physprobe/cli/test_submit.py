from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from physprobe.cli import app
from physprobe.cli.runner import run
from physprobe.quantiphy.csv_bytes import scan

TEMPLATE = Path(__file__).parents[2] / "data" / "quantiphy" / "submission_template_first_50.csv"


def rows() -> list[dict[str, str]]:
    with TEMPLATE.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def record(row: dict[str, str], prediction: float | None = 1.5, reason: str = "") -> dict[str, Any]:
    kept = {
        name: row[name] for name in ("video_id", "video_source", "video_type", "inference_type", "question")
    }
    return {
        **kept,
        "question_id": row["id"],
        "fps": int(row["fps"]),
        "prior": row["ground_truth_prior"],
        "depth_info": row["depth_info"],
        "truth": None,
        "prediction": prediction,
        "reason": reason,
    }


@pytest.fixture
def samples(tmp_path):
    def samples(lines: list[Any], name: str = "d_samples_quantiphy_official_test.jsonl") -> Path:
        path = tmp_path / name
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return path

    return samples


def submit(capsys: pytest.CaptureFixture[str], *argv: str | Path) -> tuple[int, str, str]:
    code = run(app, ["submit", "quantiphy", *map(str, argv)])
    return (code, *capsys.readouterr())


def test_only_parsed_values_change(samples, capsys, tmp_path):
    made = [record(row, float(k) / 7 if k else 1e-7) for k, row in enumerate(rows())]
    path = samples([{"mra_macro": each} for each in made[::-1]])
    code, out, err = submit(capsys, path, "--template", TEMPLATE, "--out", tmp_path / "sub.csv")
    assert (code, err) == (0, "")
    assert out == f"{tmp_path / 'sub.csv'}: 50 predictions\n"
    before, after = TEMPLATE.read_bytes().split(b"\r\n"), (tmp_path / "sub.csv").read_bytes().split(b"\r\n")
    assert after[0] == before[0]
    assert len(after) == len(before)
    for k, (old, new) in enumerate(zip(before[1:-1], after[1:-1], strict=True)):
        assert new == old + repr(made[k]["prediction"]).encode()
    with (tmp_path / "sub.csv").open(newline="") as file:
        assert [float(row["parsed_value"]) for row in csv.DictReader(file)] == [r["prediction"] for r in made]


def test_missing_and_unread_answers_are_listed_and_left_blank(samples, capsys, tmp_path):
    made = [record(row, 2.0) for row in rows()[3:]]
    made[0] |= {"prediction": None, "reason": "refusal"}
    made[1] |= {"prediction": None, "reason": "no_number"}
    made[2] |= {"prediction": None, "reason": "refusal"}
    samples([{"mra_macro": each} for each in made])
    code, out, err = submit(capsys, tmp_path, "--template", TEMPLATE, "--out", tmp_path / "sub.csv")
    assert code == 0
    assert out.endswith("44 predictions\n")
    assert err.splitlines() == [
        "warning: 2 left blank, unread (refusal): 4, 6",
        "warning: 1 left blank, unread (no_number): 5",
        "warning: 3 left blank, no answer in the samples: 1, 2, 3",
    ]


def test_answers_of_other_tasks_are_read_by_row(samples, capsys, tmp_path):
    lines = [
        {"doc_id": k, "input": f"Look.\n{row['question']} Answer:", "filtered_resps": [f"about {k + 1} m"]}
        for k, row in enumerate(rows())
    ]
    del lines[7]
    lines[0]["filtered_resps"] = [["3 kg"]]
    path = samples(lines, "theirs.jsonl")
    code, out, err = submit(capsys, path, "--template", TEMPLATE, "--out", tmp_path / "sub.csv")
    assert (code, out.count("\n")) == (0, 1)
    assert "unread (other_dimension): 1" in err
    assert "no answer in the samples: 8" in err
    with (tmp_path / "sub.csv").open(newline="") as file:
        found = [row["parsed_value"] for row in csv.DictReader(file)]
    assert (found[0], found[1], found[7]) == ("", "2.0", "")
    lines[3], lines[5] = lines[3] | {"input": "What else?"}, lines[5]
    code, out, err = submit(
        capsys, samples(lines, "b.jsonl"), "--template", TEMPLATE, "--out", tmp_path / "s.csv"
    )
    assert code == 2
    assert "the prompt of doc_id 3 does not hold the question of id 4" in err
    assert not (tmp_path / "s.csv").exists()


def broken(change: str) -> bytes:
    content = TEMPLATE.read_bytes()
    lines = content.split(b"\r\n")
    return {
        "shifted": content.replace(b"\r\n1,", b"\r\n99,")
        .replace(b"\r\n2,", b"\r\n1,")
        .replace(b"\r\n99,", b"\r\n2,"),
        "renumbered": b"\r\n".join([lines[0], *(b"9" + line for line in lines[1:-1]), b""]),
        "twice": b"\r\n".join([*lines[:3], lines[2], *lines[3:]]),
        "filled": content.replace(b",,\r\n", b",,3.5\r\n", 1),
        "headless": content.replace(b",parsed_value", b",value", 1),
        "quote": content.replace(b"What", b'"What', 1),
        "short": content.replace(b",,\r\n", b",\r\n", 1),
        "empty": b"",
    }[change]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("shifted", "id 1 is another question in .*template.csv than in the samples: its ids were changed"),
        ("renumbered", "id 1 of the samples is not in .*template.csv"),
        ("twice", "id '2' occurs more than once"),
        ("filled", "parsed_value of id 1 is filled: give a blank template"),
        ("headless", "has no column 'parsed_value'"),
        ("quote", "no proper CSV: a stray or open quote in record 2"),
        ("short", "the row of id 1 has more or fewer fields than the header"),
        ("empty", "has no rows"),
    ],
)
def test_a_template_that_does_not_fit_is_refused(samples, capsys, tmp_path, change, message):
    path = samples([{"mra_macro": record(row)} for row in rows()])
    (tmp_path / "template.csv").write_bytes(broken(change))
    code, out, err = submit(
        capsys, path, "--template", tmp_path / "template.csv", "--out", tmp_path / "s.csv"
    )
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert re.search(message, err)
    assert not (tmp_path / "s.csv").exists()


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([{"mra_macro": 3}], "doc_id None is no row"),
        (["text"], "no samples file of lmms-eval: a line is no JSON object"),
        ([{"doc_id": 50, "input": ""}], "doc_id 50 is no row of .* which has 50"),
    ],
)
def test_samples_that_do_not_fit_are_refused(samples, capsys, tmp_path, lines, message):
    code, _, err = submit(capsys, samples(lines), "--template", TEMPLATE, "--out", tmp_path / "s.csv")
    assert code == 2
    assert re.search(message, err)


def test_bad_use_is_one_line(samples, capsys, tmp_path):
    path = samples([{"mra_macro": record(rows()[0])}] * 2)
    for argv, message in [
        ((path, "--out", path), "exists: choose another --out"),
        ((path, "--out", tmp_path / "no" / "s.csv"), "is no folder"),
        ((tmp_path / "gone", "--out", tmp_path / "s.csv"), "gone holds no samples file"),
        ((path, "--out", tmp_path / "s.csv"), "id '1' occurs more than once"),
        ((path, "--template", TEMPLATE, "--out", tmp_path / "s.csv"), "question 1 is answered twice"),
        ((samples([{"doc_id": 0}], "x.jsonl"), "--out", tmp_path / "s.csv"), "give its --template"),
        ((path, "--template", tmp_path / "t.csv", "--out", tmp_path / "s.csv"), "cannot read"),
    ]:
        code, _, err = submit(capsys, *argv)
        assert code == 2
        assert message in err


def test_without_a_template_a_prediction_file_is_written_that_score_reads(samples, capsys, tmp_path):
    made = [record(row, 2.0) | {"truth": 2.5} for row in rows()]
    made[4] |= {"prediction": None, "reason": "empty"}
    path = samples([{"mra_macro": each} for each in made])
    code, out, err = submit(capsys, path, "--out", tmp_path / "p.csv")
    assert (code, out) == (0, f"{tmp_path / 'p.csv'}: 49 predictions\n")
    assert err == "warning: 1 left blank, unread (empty): 5\n"
    with (tmp_path / "p.csv").open(newline="") as file:
        found = list(csv.DictReader(file))
    assert [*found[0]] == [*[*rows()[0]][:-1], "ground_truth_posterior", "parsed_value"]
    assert [row["question"] for row in found] == [row["question"] for row in rows()]
    assert run(app, ["score", "quantiphy", str(tmp_path / "p.csv"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["invalid_percentage"] == 2.0


CELL = st.text(st.sampled_from('ab ,"\n;é'), max_size=6)


@given(
    st.lists(st.lists(CELL, min_size=3, max_size=3), min_size=1, max_size=6),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_fields_are_found_where_csv_finds_them(table: list[list[str]], end: str, quoted: bool) -> None:
    text = io.StringIO()
    quoting = csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL
    csv.writer(text, lineterminator=end, quoting=quoting).writerows(table)
    content = text.getvalue().encode()
    found = scan(content, "x")
    assert [[found.field(k, c) for c in range(3)] for k in range(len(table))] == table
    filled = scan(found.with_fields(1, {k: str(k) for k in range(len(table))}), "x")
    assert [[filled.field(k, c) for c in range(3)] for k in range(len(table))] == [
        [row[0], str(k), row[2]] for k, row in enumerate(table)
    ]
    assert found.with_fields(1, {}) == content
