"""A model that was asked only a part of what others were is not ranked with them, in any benchmark."""

from __future__ import annotations

import pytest

from physprobe.analysis.answers import load_answers
from physprobe.analysis.consistency.suites import leaderboard as consistency_leaderboard
from physprobe.analysis.leaderboard import leaderboard
from physprobe.analysis.quantiphy.leaderboard import leaderboard as quantiphy_leaderboard
from physprobe.errors import UserError
from physprobe.report.conservation import sections
from physprobe.report.model import ReportOptions
from tests.support.consistency_answers import floating, right, save_consistency
from tests.support.saved_answers import both_twins, save_run
from tests.support.saved_quantiphy import asked, save_quantiphy

FAST = {"resamples": 100}
DOMAINS = {
    f"conservation_{domain}": [row for row in both_twins() if row["domain"] == domain]
    for domain in ("number", "length")
}
NUMBER = {"conservation_number": DOMAINS["conservation_number"]}


def test_a_model_without_a_domain_is_listed_apart(tmp_path):
    save_run(tmp_path / "half", "half", NUMBER)
    save_run(tmp_path / "mute", "mute", DOMAINS, lambda row: "")
    save_run(tmp_path / "same", "same", DOMAINS, lambda row: "Yes, they are the same.")
    ranking, neighbours, apart = leaderboard(load_answers([tmp_path]).frame, **FAST)
    assert list(ranking.table["model"]) == ["same", "mute"]
    assert ranking.title.startswith("Leaderboard of 2 models")
    assert "not ranked, for lack of questions that others were asked: half (lacks length)" in ranking.notes
    assert (list(neighbours.table["model"]), list(neighbours.table["next"])) == (["same"], ["mute"])
    (row,) = apart.table.to_dict("records")
    assert (row["model"], row["missing"], row["n"], row["strict_pair"]) == ("half", "length", 4, 1)


def test_parts_of_several_runs_make_a_whole(tmp_path):
    save_run(tmp_path / "1", "m", NUMBER)
    save_run(tmp_path / "2", "m", {"conservation_length": DOMAINS["conservation_length"]})
    save_run(tmp_path / "full", "full", {"conservation_full": both_twins()})
    ranking, _ = leaderboard(load_answers([tmp_path]).frame, **FAST)
    assert set(ranking.table["model"]) == {"m", "full"}


def test_what_all_lack_is_lacking_to_nobody(tmp_path):
    save_run(tmp_path / "a", "a", NUMBER)
    (ranking,) = leaderboard(load_answers([tmp_path]).frame, **FAST)
    assert list(ranking.table["model"]) == ["a"]


def test_models_that_were_asked_different_parts_can_not_be_ranked(tmp_path):
    save_run(tmp_path / "a", "a", NUMBER)
    save_run(tmp_path / "b", "b", {"conservation_length": DOMAINS["conservation_length"]})
    answers = load_answers([tmp_path])
    with pytest.raises(UserError, match=r"none can be ranked: a lacks length; b lacks number"):
        leaderboard(answers.frame, **FAST)
    first = next(sections(answers, ReportOptions(resamples=100)))
    assert "a lacks length; b lacks number" in first.missing


def test_a_report_names_the_first_of_those_that_can_be_ranked(tmp_path):
    save_run(tmp_path / "half", "half", NUMBER)
    save_run(tmp_path / "same", "same", DOMAINS, lambda row: "Yes, they are the same.")
    first = next(sections(load_answers([tmp_path]), ReportOptions(resamples=100)))
    assert first.text.startswith("same: both twins right on 0.0% of 4 pairs")
    assert [finding.title.partition(",")[0] for finding in first.findings] == [
        "Leaderboard of 1 model",
        "Not ranked",
    ]


def test_a_model_without_a_category_is_listed_apart(tmp_path):
    kinds = {"s2": ("S2SX", "SS"), "d2": ("V2SX", "DS"), "s3": ("S3SX", "SS"), "d3": ("V3SX", "DS")}
    tasks = {
        f"quantiphy_{name}": [asked(10 * k + j, video_type, inference) for j in range(3)]
        for k, (name, (video_type, inference)) in enumerate(kinds.items())
    }
    save_quantiphy(tmp_path / "whole", "whole", tasks)
    save_quantiphy(
        tmp_path / "half", "half", {name: tasks[name] for name in ("quantiphy_s2", "quantiphy_d2")}
    )
    ranking, apart = quantiphy_leaderboard(load_answers([tmp_path], "quantiphy").frame, **FAST)
    assert ranking.table[["rank", "model", "mra"]].to_numpy().tolist() == [[1, "whole", 1.0]]
    (row,) = apart.table.to_dict("records")
    assert (row["model"], row["missing"], row["mra_questions"]) == ("half", "S3, D3", 1)


def test_a_model_without_the_suite_of_the_ranking_is_listed_apart(tmp_path):
    save_consistency(tmp_path, {"oracle": right, "floating": floating}, families=2)
    save_consistency(tmp_path, {"standard only": right}, families=2, suites=("standard",))
    ranking, neighbours, apart = consistency_leaderboard(
        load_answers([tmp_path], "consistency").frame, **FAST
    )
    assert list(ranking.table["model"]) == ["oracle", "floating"]
    assert len(neighbours.table) == 1
    (row,) = apart.table.to_dict("records")
    assert (row["model"], row["missing"], row["asked"], row["n"]) == (
        *("standard only", "the intervention suite"),
        *("standard", 22),
    )
