"""The report's part on quantiphy: what its sections say of known answers; its figures can be drawn."""

from __future__ import annotations

import pandas as pd
import pytest
from matplotlib.figure import Figure

from physprobe.analysis.answers import load_answers
from physprobe.analysis.simulation.quantities import QuantityStudy, simulate_quantities
from physprobe.report.model import ReportOptions
from physprobe.report.quantiphy import STRIPS, sections
from tests.support.saved_quantiphy import asked, save_quantiphy

OPTIONS = ReportOptions(resamples=60)
ANCHORS = [
    *("leaderboard", "public", "categories", "scenes", "background", "inputs", "multiplied", "prompts"),
    *("scaling", "spread", "kinds", "bias", "trials"),
]


@pytest.fixture(scope="module")
def simulated(tmp_path_factory):
    folder = tmp_path_factory.mktemp("simulated") / "study"
    simulate_quantities(QuantityStudy(seed=1, videos=1), 4, folder)
    return {each.anchor: each for each in sections(load_answers([folder], "quantiphy"), OPTIONS)}


def test_every_section_is_there_or_says_what_to_run(simulated):
    assert list(simulated) == ANCHORS
    assert {name for name, each in simulated.items() if each.missing} == {"public", "trials"}
    assert "--tasks quantiphy_official_validation" in simulated["public"].missing
    for each in simulated.values():
        assert bool(each.text) == bool(each.findings) != bool(each.missing)
        assert "nan" not in each.text


def test_figures_can_be_drawn_and_have_names_of_their_own(simulated):
    figures = [figure for each in simulated.values() for figure in each.figures]
    assert len({figure.name for figure in figures}) == len(figures) == 11
    for figure in figures:
        canvas = Figure()
        figure.draw(canvas)
        canvas.draw_without_rendering()
        assert canvas.axes


def test_strips_are_columns_of_the_leaderboard(simulated):
    table = simulated["leaderboard"].findings[0].table
    for strip in STRIPS:
        assert {strip.column, f"{strip.column}_low", f"{strip.column}_high"} <= set(table.columns)


def test_factors_are_written_as_they_are(simulated):
    factors = simulated["multiplied"].findings[1].table["factor"]
    assert factors.tolist()[0] == "0.001"
    assert factors.tolist()[-1] == "700"


def test_what_is_said_of_two_models(tmp_path):
    """One is always right; the other's answers are 1.5 times too large, and right step by step."""
    types = {"s2": ("S2SX", "SS"), "d2": ("V2MC", "DD"), "s3": ("S3MS", "SD"), "d3": ("A3SC", "DS")}
    tasks = {
        f"quantiphy_{name}": [asked(6 * k + number, *codes) for number in range(4)]
        for k, (name, codes) in enumerate(types.items())
    }
    every = [row for rows in tasks.values() for row in rows]
    tasks["quantiphy_cot"] = [{**row, "style": "cot"} for row in every]
    save_quantiphy(tmp_path / "a", "a-1B", tasks)
    save_quantiphy(tmp_path / "b", "b-2B", tasks, lambda row: "2 m" if row["style"] == "cot" else "3 m")
    answers = load_answers([tmp_path], "quantiphy")
    made = {each.anchor: each for each in sections(answers, ReportOptions(resamples=300))}
    assert made["leaderboard"].text.startswith(
        "a-1B is first, with an MRA of 100.0% over 16 questions on 8 videos. People reached 55.6% in the "
        "paper, on its own videos: the intervals of 1 of 2 models reach that far. 1 of 1 neighbours"
    )
    assert made["prompts"].text.startswith(
        "Asked to work step by step, 1 of 2 models score higher, 1 of them"
    )
    assert "on average +30.0 [" in made["prompts"].text
    assert "Of 2 models, 1 give numbers that are too large" in made["bias"].text
    assert "size 70.0%" in made["kinds"].text
    assert "quantiphy_counterfactual: evaluate both" in made["multiplied"].missing
    points = made["scaling"].findings[1].table
    assert isinstance(points, pd.DataFrame)
    assert points["parameters"].tolist() == [1, 2]


def test_public_questions_alone_are_reported_on(tmp_path):
    rows = [asked(number, "S2SX", "SS", question_id=str(number)) for number in range(4)]
    save_quantiphy(tmp_path, "m", {"quantiphy_official_validation": rows}, lambda row: "3 m")
    made = {each.anchor: each for each in sections(load_answers([tmp_path], "quantiphy"), OPTIONS)}
    assert made["leaderboard"].text.startswith(
        "m is first, with an MRA of 40.0% over 4 questions on 2 videos."
    )
    assert "the public validation questions" in made["leaderboard"].findings[0].title
    assert "public" not in made
    assert {"categories", "kinds", "bias", "spread"} <= {n for n, each in made.items() if not each.missing}
    assert "--tasks quantiphy --log_samples" in made["inputs"].missing


def test_a_model_that_says_nothing_has_a_report(tmp_path):
    rows = [asked(0), asked(3)]
    tasks = {"quantiphy_s2": rows, "quantiphy_cot": [{**row, "style": "cot"} for row in rows]}
    save_quantiphy(tmp_path, "m", tasks, lambda row: "?")
    made = {each.anchor: each for each in sections(load_answers([tmp_path], "quantiphy"), OPTIONS)}
    assert "MRA of 0.0% over 2 questions" in made["leaderboard"].text
    assert "on average +0.0 [+0.0, +0.0] points" in made["prompts"].text
    assert not [each.anchor for each in made.values() if "nan" in each.text]
    for figure in (figure for each in made.values() for figure in each.figures):
        figure.draw(Figure())


def test_several_trials_are_compared(tmp_path):
    rows = {"quantiphy_s2": [asked(number) for number in range(4)]}
    save_quantiphy(tmp_path / "1", "m", rows, date="20260101_000000")
    (lone,) = (
        each for each in sections(load_answers([tmp_path], "quantiphy"), OPTIONS) if each.anchor == "trials"
    )
    assert lone.missing == "no model has two runs of these questions: evaluate again with another --seed"
    save_quantiphy(tmp_path / "2", "m", rows, lambda row: "3 m", date="20260102_000000")
    (made,) = (
        each for each in sections(load_answers([tmp_path], "quantiphy"), OPTIONS) if each.anchor == "trials"
    )
    (row,) = made.findings[0].table.to_dict("records")
    assert (row["model"], row["trials"], row["n"]) == ("m", 2, 4)
    assert row["item_spread"] == pytest.approx(0.6 / 2**0.5)  # MRA 1 and 0.4 on each question
    assert made.text.startswith("Runs of one model over the same questions")
