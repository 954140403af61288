from __future__ import annotations

import json
from pathlib import Path

import pytest

from physprobe.cli.judge import app
from physprobe.cli.runner import run
from physprobe.conservation.prompts import RELATIONS, option_text
from tests.support.judge_server import closed_port, says

OPTIONS = [option_text("length", relation, "lower") for relation in RELATIONS]
ROWS = [
    {"id": "clear", "answer": "(C)", "options": OPTIONS},
    {"id": "vague", "answer": "Sliding a straw alters nothing about how long it is.", "options": OPTIONS},
]


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in ROWS))
    return path


def panel(folder: Path, url: str) -> Path:
    path = folder / "panel.yaml"
    judges = "\n".join(f"  - {{name: j{k}, base_url: '{url}'}}" for k in range(4))
    path.write_text(f"judges:\n{judges}\nlimits: {{attempts: 2, backoff_s: 0.01, timeout_s: 1}}\n")
    return path


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def call(answers: Path, *options: str | Path) -> int:
    out = answers.with_name("out.jsonl")
    return run(
        app, [str(word) for word in (answers, "--out", out, "--cache", out.parent / "cache", *options)]
    )


def test_reads_answers_with_judges(server, answers: Path, tmp_path: Path, capsys) -> None:
    for k in range(4):
        server.play(f"j{k}", says("A"))
    assert call(answers, "--judges", panel(tmp_path, server.url)) == 0
    clear, vague = lines(tmp_path / "out.jsonl")
    assert (clear["letter"], clear["rule"], clear["judges"]) == ("C", "whole", None)
    assert (vague["letter"], vague["rule"]) == ("A", "judges")
    assert [judge["reason"] for judge in vague["judges"]] == ["agree"] * 4
    assert json.loads(capsys.readouterr().out)["read_by_judges"] == 1
    assert call(answers, "--judges", panel(tmp_path, closed_port()), "--offline", "--force") == 0
    assert lines(tmp_path / "out.jsonl")[1]["letter"] == "A"


def test_unreachable_judges_end_with_code_3_and_the_readings_of_stage_1(
    answers: Path, tmp_path: Path, capsys
) -> None:
    assert call(answers, "--judges", panel(tmp_path, closed_port())) == 3
    shown = capsys.readouterr()
    assert shown.err.startswith("error: 1 of 2 answers remain unread")
    assert shown.err.count("\n") == 1
    assert json.loads(shown.out)["matching"] == "hybrid-incomplete"
    assert [row["letter"] for row in lines(tmp_path / "out.jsonl")] == ["C", None]


def test_without_judges_it_says_so(answers: Path, tmp_path: Path, capsys) -> None:
    assert call(answers) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["matching"] == "stage1-only"
    assert "no judges are configured" in shown.err
    assert [row["letter"] for row in lines(tmp_path / "out.jsonl")] == ["C", None]


def test_replaces_nothing_unasked(answers: Path, tmp_path: Path, capsys) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text("mine")
    assert call(answers) == 2
    assert "exists: choose another --out, or add --force" in capsys.readouterr().err
    assert out.read_text() == "mine"
    assert call(answers, "--force") == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["answers.jsonl", "out.jsonl"]


def test_lists_every_bad_line_and_writes_nothing(tmp_path: Path, capsys) -> None:
    path = tmp_path / "answers.jsonl"
    bad = [
        "{",
        "[]",
        json.dumps({"id": 1, "answer": "A", "options": OPTIONS}),
        json.dumps({"id": "x", "options": OPTIONS}),
        json.dumps({"id": "x", "answer": "A", "options": "ABC"}),
        json.dumps({"id": "x", "answer": "A", "options": ["one"]}),
    ]
    path.write_text("\n".join([json.dumps(ROWS[0]), "", *bad, json.dumps(ROWS[0])]))
    assert call(path) == 2
    said = capsys.readouterr().err
    for text in (
        "line 3: no JSON;",
        "line 4: no JSON object",
        "line 5: 'id' must be a string",
        "line 6: 'answer' must be a string",
        "line 7: 'options' must be a list",
        "line 8: 'options' must hold 2 to 26",
        "line 9: id 'clear' occurs twice",
    ):
        assert text in said
    assert not (tmp_path / "out.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["none.jsonl", "--out", "out.jsonl"], "none.jsonl can't be read: FileNotFoundError"),
        (["answers.jsonl", "--out", "none/out.jsonl"], "none is no folder: make it first"),
        (
            ["answers.jsonl", "--out", "out.jsonl", "--judges", "none.yaml"],
            "judges file none.yaml can't be read",
        ),
        (["answers.jsonl", "--out", "."], ". exists: choose another --out"),
    ],
)
def test_bad_use(
    answers: Path, monkeypatch: pytest.MonkeyPatch, capsys, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(answers.parent)
    assert run(app, arguments) == 2
    assert said in capsys.readouterr().err


def test_help_has_an_example(capsys) -> None:
    assert run(app, ["--help"]) == 0
    assert "Example: physprobe judge answers.jsonl" in " ".join(capsys.readouterr().out.split())
