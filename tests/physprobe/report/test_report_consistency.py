"""The report's part on physical consistency: what its sections say of known answers; figures can be drawn."""

from __future__ import annotations

from pathlib import Path

import pytest
from matplotlib.figure import Figure

from physprobe.analysis.answers import load_answers
from physprobe.report.consistency import STRIPS, sections
from physprobe.report.model import ReportOptions, Section
from tests.support.consistency_answers import floating, rated, right, save_consistency, shortcut

OPTIONS = ReportOptions(resamples=60)
ANCHORS = (
    *("leaderboard", "suites", "categories", "mechanisms", "confusion", "boxes", "explanations", "seeds"),
)


def made(folder: Path) -> dict[str, Section]:
    return {each.anchor: each for each in sections(load_answers([folder], "consistency"), OPTIONS)}


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Section]:
    models = {"knows": right, "tricked": shortcut, "lora-seed1": floating, "lora-seed2": shortcut}
    return made(save_consistency(tmp_path_factory.mktemp("runs"), models, marked=rated("correct")))


def test_every_section_is_there(known: dict[str, Section]) -> None:
    assert tuple(known) == ANCHORS
    for each in known.values():
        assert not each.missing, each
        assert each.text
        assert each.findings
        assert "nan" not in each.text


def test_what_is_said(known: dict[str, Section]) -> None:
    said = known["leaderboard"].text
    assert said.startswith("knows is first with a category macro-F1 of 100.0%")
    assert "raw accuracy of 90.9%" in said
    assert "of tricked: 98.5 points" in known["suites"].text or "lora-seed2: 98.5" in known["suites"].text
    assert "correct" in known["explanations"].text
    assert "100.0%" in known["explanations"].text


def test_figures_can_be_drawn_and_have_names_of_their_own(known: dict[str, Section]) -> None:
    figures = [figure for each in known.values() for figure in each.figures]
    assert len({figure.name for figure in figures}) == len(figures) == 4 + 9
    for figure in figures:
        canvas = Figure()
        figure.draw(canvas)
        canvas.draw_without_rendering()
        assert canvas.axes


def test_strips_are_columns_of_the_leaderboard(known: dict[str, Section]) -> None:
    table = known["leaderboard"].findings[0].table
    for strip in STRIPS:
        assert {strip.column, f"{strip.column}_low", f"{strip.column}_high"} <= set(table.columns)


def test_what_is_missing_says_what_to_run(tmp_path: Path) -> None:
    """One model, one suite, unrated."""
    found = made(save_consistency(tmp_path, {"alone": right}, suites=["standard"]))
    missing = {name: each.missing for name, each in found.items() if each.missing}
    assert set(missing) == {"mechanisms", "explanations", "seeds"}
    assert "PHYSPROBE_JUDGES" in missing["explanations"]
    assert found["leaderboard"].text.startswith("alone is first")
