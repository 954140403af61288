from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from builders.cli import app
from builders.selections.records import schema_text
from physprobe.cli.runner import run


def test_a_model_chooses_and_its_file_passes_the_check(raw, checkpoints, tmp_path, capsys):
    out = tmp_path / "blip2.jsonl"
    arguments = [
        "select",
        "model",
        str(raw.path),
        "--model",
        str(checkpoints["t5"]),
        "--out",
        str(out),
        "--device",
        "cpu",
        "--partial",
    ]
    assert run(app, arguments) == 0
    assert f"wrote: {out} (30 selections by t5@" in capsys.readouterr().out
    assert run(app, arguments) == 0
    assert f"already there: {out}" in capsys.readouterr().out
    assert run(app, ["select", "check", str(raw.path), str(out)]) == 0
    assert "model: 30 selections by 1; 30 of 30 clips x frame counts, 0 missing" in capsys.readouterr().out


def test_a_bad_file_lists_every_line_and_exits_with_2(raw, tmp_path, capsys):
    bad = {"extraction": "human", "selector": "P1", "seed": 0, "video_id": "x", "frame_count": 3}
    file = tmp_path / "people.jsonl"
    file.write_text(json.dumps({**bad, "frame_indices": [0, 1]}) + "\n" + json.dumps(bad) + "\n")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert run(app, ["select", "check", str(raw.path), str(file)]) == 2
    told = capsys.readouterr()
    assert not told.out
    assert told.err.splitlines() == [
        "error: 4 problems in the selections file; nothing was written",
        f"  {file}, line 1: unknown clip 'x'",
        f"  {file}, line 1: frame_indices has 2 entries, frame_count is 3",
        f"  {file}, line 2: field 'frame_indices' is missing",
        f"  {file}, line 2: unknown clip 'x'",
    ]
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_bad_use_is_refused_before_a_model_is_loaded(raw, tmp_path, capsys):
    nowhere = str(tmp_path / "none" / "out.jsonl")
    assert run(app, ["select", "model", str(raw.path), "--model", "unheard/of", "--out", nowhere]) == 2
    assert "is no folder" in capsys.readouterr().err


def test_the_schema_is_printed(capsys):
    assert run(app, ["select", "schema"]) == 0
    assert capsys.readouterr().out == schema_text()


@pytest.mark.parametrize("command", ["model", "check", "schema"])
def test_help_has_an_example(command, capsys):
    assert run(app, ["select", command, "--help"]) == 0
    assert f"python -m builders select {command}" in " ".join(capsys.readouterr().out.split())


def test_it_runs_as_a_module():
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    done = subprocess.run(
        [sys.executable, "-m", "builders", "select"],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 2
    assert "valid: model, check, schema" in done.stderr
