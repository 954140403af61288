from __future__ import annotations

import json

import pytest

from generation.cli import app
from generation.quantiphy.design import PRESETS, clips
from physprobe.cli.runner import run


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_list_names_every_clip(capsys: pytest.CaptureFixture[str], preset: str) -> None:
    assert run(app, ["quantiphy", "--list", "--preset", preset]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["video_id"] for row in rows] == [clip.video_id for clip in clips(preset)]
    assert all(row["video_type"] == row["video_id"][:4] for row in rows)
    assert all(row["category"] in ("S2", "D2", "S3", "D3") for row in rows)


def test_only_selects_by_glob(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(app, ["quantiphy", "--list", "--preset", "full", "--only", "V2SX*"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {row["video_type"] for row in rows} == {"V2SX"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--only", "Q*"], "matches no clip of preset mini"),
        (["--preset", "huge"], "huge"),
        ([], "--out is missing"),
    ],
)
def test_bad_use_is_one_clear_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert run(app, ["quantiphy", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert len(error.strip().splitlines()) == 1
