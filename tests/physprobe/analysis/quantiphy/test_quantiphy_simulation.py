"""Simulated models on quantiphy, and whether the analyses find what is true of them."""

from __future__ import annotations

import json

import numpy as np
import pytest

from physprobe.analysis.answers import load_answers
from physprobe.analysis.quantiphy.bias import bias
from physprobe.analysis.quantiphy.contrasts import inputs, prompts
from physprobe.analysis.quantiphy.counterfactual import counterfactual
from physprobe.analysis.quantiphy.leaderboard import leaderboard
from physprobe.analysis.quantiphy.scenes import scenes
from physprobe.analysis.simulation.quantities import QuantityStudy, expected_item_mra, simulate_quantities
from physprobe.errors import UserError
from physprobe.quantiphy.mra import mean_relative_accuracy

FAST = {"resamples": 200}
MODELS = 8
STUDY = QuantityStudy(seed=5, several=0.5)


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    folder = tmp_path_factory.mktemp("simulated") / "study"
    simulate_quantities(STUDY, MODELS, folder)
    truth = json.loads((folder / "simulation.json").read_text())
    expected = {model["name"]: model["expected"] for model in truth["models"]}
    return folder, expected, load_answers([folder], "quantiphy").frame


def test_the_expected_mra_is_that_of_drawn_answers():
    rng = np.random.default_rng(0)
    for mean, spread in ((0.0, 0.2), (0.15, 0.4)):
        drawn = 10 ** rng.normal(mean, spread, 200_000)
        found = mean_relative_accuracy(drawn, np.ones_like(drawn)).mean()
        assert expected_item_mra(mean, spread) == pytest.approx(found, abs=0.004)


def covered(table, names, expected, score) -> float:
    low, high = (
        table[f"{names}_low"] if names else table["low"],
        table[f"{names}_high"] if names else table["high"],
    )
    target = [expected[model][score] for model in table["model"]]
    return float(((low <= target) & (target <= high)).mean())


def test_scores_are_recovered(study):
    _, expected, frame = study
    ranking, _ = leaderboard(frame, **FAST)
    target = np.array([expected[model]["standard"] for model in ranking.table["model"]])
    assert np.abs(ranking.table["mra"] - target).max() < 0.04  # standard errors are about 0.012
    assert covered(ranking.table, "mra", expected, "standard") >= 0.7
    assert set(ranking.table["n"]) == {36 * 4 * 6}


def test_reliance_on_knowledge_is_recovered(study):
    _, expected, frame = study
    by_model = counterfactual(frame, **FAST)[0].table.iloc[1:]
    target = [expected[model]["followed"] for model in by_model["model"]]
    assert np.abs(by_model["followed"] - target).max() < 0.08
    assert covered(by_model, "followed", expected, "followed") >= 0.7
    _, each = inputs(frame, **FAST)
    for asked, task in (("prior without video", "prior_only"), ("video without prior", "no_prior")):
        part = each.table[each.table["asked"] == asked]
        target = [expected[model][f"quantiphy_{task}"] for model in part["model"]]
        assert np.abs(part["changed"] - target).max() < 0.05


def test_bias_and_effects_are_recovered(study):
    _, expected, frame = study
    (finding,) = bias(frame, **FAST)
    table = finding.table[finding.table["quantity"] == "all"]
    target = [expected[model]["log_ratio"] for model in table["model"]]
    assert np.abs(table["log_ratio"] - target).max() < 0.05
    step = prompts(frame, **FAST)[1].table
    target = [expected[m]["quantiphy_cot"] - expected[m]["standard"] for m in step["model"]]
    assert np.abs(step["difference"] - target).max() < 0.06
    gaps = scenes(frame, **FAST)[1].table.set_index(["first", "second", "within"])
    several = gaps.loc[("multiple", "single", "any")]
    assert several["low"] > 0  # several objects make measuring easier in this study
    assert gaps.loc[("complex", "simple", "any"), "p_holm"] > 0.05


def test_a_study_is_the_same_however_many_models_there_are(study, tmp_path):
    folder, _, _ = study
    simulate_quantities(STUDY, 2, tmp_path / "two")
    for path in (tmp_path / "two").glob("*.parquet"):
        assert path.read_bytes() == (folder / path.name).read_bytes()
    assert len(list((tmp_path / "two").glob("*.parquet"))) == 2


def test_bad_use_is_refused(tmp_path):
    with pytest.raises(UserError, match="simulate at least one"):
        simulate_quantities(QuantityStudy(seed=0), 0, tmp_path / "new")
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="is not empty"):
        simulate_quantities(QuantityStudy(seed=0), 1, tmp_path)
