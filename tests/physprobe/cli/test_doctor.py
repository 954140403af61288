"""``physprobe doctor`` never fails: it tells what is missing."""

from __future__ import annotations

import pytest

from physprobe import renderer
from physprobe.cli import app
from physprobe.cli.runner import run
from physprobe.errors import UserError


def _choice(variant: str, advice: str) -> renderer.Choice:
    refused = renderer.Verdict(
        "llvm_ad_rgb", "/usr/lib/libLLVM-15.so", False, "aborted by signal 6: Cannot select"
    )
    taken = renderer.Verdict(variant, "", True, "always works")
    return renderer.Choice(variant, "", "", (refused, taken), advice)


def test_it_tells_the_variant_why_and_the_command_for_more_speed(monkeypatch, capsys):
    monkeypatch.setattr(renderer, "choose", lambda: _choice("scalar_rgb", "pip install karellen-llvm-core"))
    assert run(app, ["doctor"]) == 0
    text = capsys.readouterr().out
    assert "llvm_ad_rgb with /usr/lib/libLLVM-15.so refused: aborted by signal 6: Cannot select" in text
    assert "scalar_rgb taken: always works" in text
    assert "For faster rendering: pip install karellen-llvm-core" in text


def test_it_names_missing_packages_with_the_command(monkeypatch, capsys):
    def missing() -> renderer.Choice:
        raise UserError("the renderer Mitsuba 3 is missing")

    monkeypatch.setattr(renderer, "choose", missing)
    monkeypatch.setattr("physprobe.cli.doctor._PACKAGES", {"generation": ("no-such-package",)})
    assert run(app, ["doctor"]) == 0
    text = capsys.readouterr().out
    assert "no-such-package missing: pip install 'physprobe[generation]'" in text
    assert "the renderer Mitsuba 3 is missing" in text


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("", "data       --  PHYSPROBE_DATA is not set: conservationbench will come from the Hub, from the "),
        (
            "",
            "organisation physprobe; whether it is there and can be reached is not checked. Set",
        ),
        (
            "someone",
            "--  PHYSPROBE_DATA=someone: conservationbench will come from the Hub, from the organisation ",
        ),
        ("./nowhere", "there is no such folder"),
    ],
)
def test_it_tells_where_datasets_come_from(place, told, monkeypatch, capsys):
    monkeypatch.setattr(renderer, "choose", lambda: _choice("scalar_rgb", ""))
    monkeypatch.setenv("PHYSPROBE_DATA", place)
    assert run(app, ["doctor"]) == 0
    assert told in capsys.readouterr().out


def test_it_finds_the_datasets_in_a_folder(tmp_path, monkeypatch, capsys):
    folder = tmp_path / "conservationbench"
    folder.mkdir()
    (folder / "README.md").write_text("")
    monkeypatch.setattr(renderer, "choose", lambda: _choice("scalar_rgb", ""))
    monkeypatch.setenv("PHYSPROBE_DATA", str(tmp_path))
    assert run(app, ["doctor"]) == 0
    assert f"conservationbench is the folder {folder}" in capsys.readouterr().out
