from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from generation.cli import app
from generation.conservation.design import PRESETS, cells, design
from physprobe.cli.runner import run
from tests.support.fake_items import tree

ROOT = Path(__file__).parents[2]
NAME = "conservationbench"


def _command(*arguments: object) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "generation", *map(str, arguments)]
    return subprocess.run(line, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


def _rows(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    assert run(app, [NAME, "--list", *arguments]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_list_names_both_clips_of_every_pair(capsys: pytest.CaptureFixture[str], preset: str) -> None:
    rows = _rows(capsys, "--preset", preset)
    assert [row["pair_id"] for row in rows[::2]] == [cell.pair_id for cell in cells(preset)]
    assert [row["pair_id"] for row in rows[1::2]] == [row["pair_id"] for row in rows[::2]]
    for row in rows:
        assert row["video_id"] == f"{row['pair_id']}_{row['condition']}"
    assert [row["condition"] for row in rows] == ["conserving", "nonconserving"] * (len(rows) // 2)


def test_list_holds_the_contract_keys_and_the_factors(capsys: pytest.CaptureFixture[str]) -> None:
    row = _rows(capsys, "--preset", "full", "--only", "length_mixed_upper_far_left_rotate")[0]
    direction = row.pop("direction")
    assert direction in ("gain", "loss")
    assert row == {
        "pair_id": "length_mixed_upper_far_left_rotate",
        "video_id": "length_mixed_upper_far_left_rotate_conserving",
        "domain": "length",
        "condition": "conserving",
        "transformation": "helpful",
        "object_type": "mixed",
        "moved_position": "upper",
        "distance": "far",
        "side": "left",
        "action": "rotate",
    }


def test_only_selects_by_glob(capsys: pytest.CaptureFixture[str]) -> None:
    rows = _rows(capsys, "--preset", "full", "--only", "number_*_[34]")
    wanted = [cell.pair_id for cell in design("number") if cell.factors["count"] in (3, 4)]
    assert [row["pair_id"] for row in rows[::2]] == wanted


def test_listing_is_light() -> None:
    code = (
        "import sys; from generation.cli import app; from physprobe.cli.runner import run; "
        f"run(app, ['{NAME}', '--list']); "
        "sys.exit(', '.join({'mitsuba', 'drjit', 'av', 'scipy', 'torch', 'datasets'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stderr.strip() == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["nonsense"],
            f"error: unknown benchmark 'nonsense'; valid: {NAME}, physical-consistency, quantiphy\n",
        ),
        ([NAME, "--preset", "huge", "--list"], "error: unknown preset 'huge'; valid: full, mini\n"),
        ([NAME, "--only", "x*", "--list"], "error: --only 'x*' matches no pair of preset mini"),
        ([NAME], "error: --out is missing"),
        ([NAME, "--seed", "-1", "--list"], "error: Invalid value for '--seed'"),
        ([NAME, "--seed", str(2**63), "--list"], "error: Invalid value for '--seed'"),
        ([NAME, "--seed", "one", "--list"], "error: Invalid value for '--seed'"),
        ([NAME, "--workers", "0", "--list"], "error: Invalid value for '--workers'"),
        ([NAME, "--nope"], "error: No such option"),
    ],
)
def test_bad_use_is_one_line_and_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert run(app, arguments) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith(message)
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_bad_use_through_the_real_command(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    done = _command(NAME, "--out", tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {tmp_path} is not empty")
    assert done.stderr.count("\n") == 1
    assert tree(tmp_path) == {"thesis.tex": b"years of work"}
    assert "Traceback" in _command(NAME, "--out", tmp_path, "--debug").stderr


def test_help_has_an_example() -> None:
    done = _command(NAME, "--help")
    assert done.returncode == 0
    assert "Example: python -m generation conservationbench" in done.stdout
