"""Simulated models, and whether the analyses find what is true of them."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from physprobe.analysis.answers import load_answers
from physprobe.analysis.controls import idk, transitions
from physprobe.analysis.factors import anova
from physprobe.analysis.leaderboard import by_domain, leaderboard
from physprobe.analysis.planning import power
from physprobe.analysis.scaling import scaling
from physprobe.analysis.scatter import scatter
from physprobe.analysis.simulation.questions import questions
from physprobe.analysis.simulation.study import Study
from physprobe.analysis.simulation.writing import simulate
from physprobe.analysis.static import static_against_temporal
from physprobe.analysis.tallies import tally
from physprobe.errors import UserError
from tests.support.saved_answers import both_twins, save_run

FAST = {"resamples": 300}


@pytest.fixture(scope="module")
def full(simulated):
    return tally(simulated.answers.frame.query("task == 'conservation_full'"))


def test_the_design_is_the_papers():
    asked = questions()
    full = asked[asked["task"] == "conservation_full"]
    assert len(full) == 23_040
    assert full["video_id"].nunique() == 384
    assert full.groupby(["prompt_style", "frame_count", "extraction"]).ngroups == 60
    assert asked.groupby("task").size().drop("conservation_full").to_dict() == {
        "conservation_empty_image": 384,
        "conservation_text_only": 384,
        "conservation_idk": 384,
        "conservation_idk_empty_image": 384,
        "conservation_idk_text_only": 384,
        "conservation_static": 192,
    }
    changed = full[full["condition"] == "nonconserving"]["truth"].value_counts()
    assert changed["moved_more"] == changed["moved_less"] == 5_760
    assert not asked.duplicated(["task", "question_id"]).any()


@pytest.mark.parametrize(
    "score", ["accuracy_overall", "accuracy_conserving", "accuracy_nonconserving", "accuracy_strict_pair"]
)
def test_scores_are_recovered(simulated, full, score):
    """Each within 4.5 standard errors of what its model's parameters say."""
    expected = np.array(simulated.expected(score))
    n = full.of(score)[:, :, 1].sum(axis=0)
    error = np.sqrt(expected * (1 - expected) / n)
    assert (np.abs(full.values(score) - expected) < 4.5 * error).all()


def test_the_correlation_that_shows_the_bias_is_recovered(simulated):
    expected = np.corrcoef(
        simulated.expected("accuracy_conserving"), simulated.expected("accuracy_nonconserving")
    )[0, 1]
    found = scatter(simulated.answers.frame, "full", **FAST)[0].table.set_index("domain").loc["all"]
    assert expected < -0.3
    assert found["r"] == pytest.approx(expected, abs=0.02)
    assert found["low"] < expected < found["high"]
    assert found["n"] == 40


def test_the_share_below_chance_is_recovered(simulated):
    strict = np.array(simulated.expected("accuracy_strict_pair"))
    table = scatter(simulated.answers.frame, "full", **FAST)[1].table.set_index("strict_pair")
    for name, mark in {
        "below chance of a pair (1/9)": 1 / 9,
        "below chance of one answer (1/3)": 1 / 3,
    }.items():
        assert abs(table.loc[name, "count"] - (strict < mark).sum()) <= 2
        assert table.loc[name, "low"] <= (strict < mark).mean() <= table.loc[name, "high"]


def test_effects_are_found_where_there_are_some(simulated):
    effects = anova(simulated.answers.frame)[0].table.set_index(["domains", "effect"])
    helpful, mandatory = "number and length", "volume and size"
    assert effects.loc[(helpful, "prompt_style"), "p_gg"] < 1e-6
    assert effects.loc[(mandatory, "extraction"), "p_gg"] < 1e-6
    for nothing in ((helpful, "frame_count"), (helpful, "extraction"), (mandatory, "prompt_style")):
        assert effects.loc[nothing, "p_gg"] > 0.01
    assert effects.loc[(helpful, "prompt_style"), ["df1", "df2", "n"]].tolist() == [3, 117, 40]
    assert effects.loc[(helpful, "frame_count"), ["df1", "df2"]].tolist() == [4, 156]
    assert effects.loc[(helpful, "extraction"), ["df1", "df2"]].tolist() == [2, 78]


def test_means_of_the_levels_are_recovered(simulated):
    table = anova(simulated.answers.frame)[1].table
    kinds = {"number and length": "helpful", "volume and size": "mandatory"}
    for row in table.to_dict("records"):
        expected = np.mean(simulated.expected(f"{kinds[row['domains']]}/{row['factor']}/{row['level']}"))
        answers = 40 * 23_040 / 2 / {"prompt_style": 4, "frame_count": 5, "extraction": 3}[row["factor"]]
        assert row["accuracy"] == pytest.approx(expected, abs=4 * 0.5 / answers**0.5)
    compared = anova(simulated.answers.frame)[2].table.set_index(["domains", "first", "second"])
    cot = compared.loc[("number and length", "direct", "cot")]
    assert cot["difference"] > 0
    assert cot["p_corrected"] < 0.001


def test_the_best_models_alone(simulated, full):
    effects, means, _ = anova(simulated.answers.frame, top=10)
    best = np.sort(full.values("accuracy_overall"))[-10:].mean()
    assert set(effects.table["n"]) == {10}
    level = means.table.query("factor == 'extraction'")["accuracy"].mean()
    assert level == pytest.approx(best)
    assert "the best 10" in effects.title


def test_the_ranking_is_recovered(simulated, full):
    ranking, neighbours = leaderboard(simulated.answers.frame, "full", **FAST)
    expected = pd.Series(simulated.expected("accuracy_overall"), index=full.models)
    assert ranking.table["strict_pair"].is_monotonic_decreasing
    assert list(ranking.table["rank"]) == sorted(ranking.table["rank"])
    assert expected[ranking.table["model"]].corr(ranking.table.set_index("model")["accuracy"]) > 0.99
    covered = (ranking.table["accuracy_low"] <= expected[ranking.table["model"]].to_numpy()) & (
        expected[ranking.table["model"]].to_numpy() <= ranking.table["accuracy_high"]
    )
    assert covered.mean() >= 0.9  # the models' own pairs are fixed here, so most are well inside
    assert set(ranking.table["n"]) == {23_040}
    assert neighbours.table["model"].tolist() == ranking.table["model"].tolist()[:-1]
    assert neighbours.table["next"].tolist() == ranking.table["model"].tolist()[1:]
    assert (neighbours.table["p_holm"] >= neighbours.table["p"]).all()
    assert neighbours.table["mcnemar_p"].isna().all()


def test_models_of_equal_strict_pair_accuracy_share_a_rank(tmp_path):
    """A model that always says "the same" is no better than a silent one: no pair is right."""
    save_run(
        tmp_path / "same", "same", {"conservation_full": both_twins()}, lambda row: "Yes, they are the same."
    )
    save_run(tmp_path / "mute", "mute", {"conservation_full": both_twins()}, lambda row: "")
    save_run(tmp_path / "oracle", "oracle", {"conservation_full": both_twins()})
    ranking, neighbours = leaderboard(load_answers([tmp_path]).frame, **FAST)
    assert list(ranking.table["model"]) == ["oracle", "same", "mute"]
    assert list(ranking.table["rank"]) == [1, 2, 2]
    assert list(ranking.table["accuracy"]) == [1, 0.5, 0]
    assert list(neighbours.table["difference"]) == [1, 0]


def test_in_the_standard_condition_mcnemar_applies(simulated):
    _, neighbours = leaderboard(simulated.answers.frame, **FAST)
    assert neighbours.table["mcnemar_p"].between(0, 1).all()
    assert set(neighbours.table["n"]) == {192}


def test_domains_add_up(simulated, full):
    means, each = by_domain(simulated.answers.frame, "full", **FAST)
    assert means.table["domain"].tolist() == ["number", "length", "volume", "size"]
    assert means.table["accuracy"].mean() == pytest.approx(full.values("accuracy_overall").mean())
    one = each.table[each.table["model"] == full.models[3]]
    assert one["strict_pair"].mean() == pytest.approx(full.values("accuracy_strict_pair")[3])


def test_controls_show_each_models_bias(simulated):
    empty, text, correlations = transitions(simulated.answers.frame, **FAST)
    models = simulated.truth["models"]
    for finding, media in ((empty, "white"), (text, "nothing")):
        same = finding.table.set_index(["truth", "standard", "control"]).loc[("same", "any", "same")]
        expected = np.mean([m["bias"][media] * (1 - m["unread"]) for m in models])
        assert same["share"] == pytest.approx(expected, abs=4 * 0.5 / same["n"] ** 0.5)
        assert same["n"] == 40 * 192
    assert (correlations.table["r"] > 0.4).all()


def test_abstaining_is_recovered(simulated):
    table = idk(simulated.answers.frame, **FAST)[0].table.set_index("shown")
    expected = np.mean([m["idk"]["white"] * (1 - m["unread"]) for m in simulated.truth["models"]])
    assert table.loc["empty images", "share_idk"] == pytest.approx(expected, abs=0.02)
    assert table.loc["frames", "share_idk"] < 0.1


def test_scaling_is_recovered(simulated):
    fits, points = scaling(simulated.answers.frame, None, "full")
    sizes = {m["name"]: m["parameters"] for m in simulated.truth["models"]}
    assert points.table.set_index("model")["parameters"].to_dict() == sizes
    for name in ("conserving", "nonconserving", "strict_pair"):
        x = np.log10([sizes[model] for model in points.table["model"]])
        slope = np.polyfit(x, simulated.expected(f"accuracy_{name}"), 1)[0]
        fit = fits.table.set_index("score").loc[name]
        assert fit["slope"] == pytest.approx(slope, abs=0.02)
        assert 0 <= fit["r_squared"] <= 1


def test_still_images_are_easier(simulated):
    means, each, over_models = static_against_temporal(simulated.answers.frame, **FAST)
    row = means.table.set_index("score").loc["nonconserving"]
    assert row["low"] > 0.1
    assert row["difference"] == pytest.approx(row["static"] - row["temporal"])
    assert len(each.table) == over_models.table["n"].iloc[0] == 40


def test_power_for_the_models_at_hand(simulated):
    (finding,) = power(simulated.answers.frame, differences=[5, 10])
    table = finding.table.set_index(["score", "correlation", "points"])
    assert table.loc[("strict_pair", "median", 5), "test"] == "McNemar"
    assert table.loc[("accuracy", "median", 5), "test"] == "paired t"
    for score in ("strict_pair", "accuracy"):
        needed = table.loc[score]["pairs_needed"]
        assert needed[("median", 5)] > 3 * needed[("median", 10)]
        assert needed[("low (25%)", 5)] >= needed[("high (75%)", 5)]
        assert (table.loc[score].query("pairs_needed <= 192")["power_now"] >= 0.8).all()


def test_power_for_two_named_models(simulated):
    models = sorted(simulated.answers.frame["model"].unique())[:2]
    (finding,) = power(simulated.answers.frame, "full", differences=[5], models=models)
    assert set(finding.table["correlation"]) == {"observed"}
    assert set(finding.table["test"]) == {"paired t"}
    with pytest.raises(UserError, match="unknown model 'nobody'"):
        power(simulated.answers.frame, models=["nobody", models[0]])
    with pytest.raises(UserError, match="name two of them"):
        power(simulated.answers.frame, models=models[:1])
    with pytest.raises(UserError, match="between 0 and 100"):
        power(simulated.answers.frame, differences=[0])


def test_a_model_is_the_same_however_many_there_are(tmp_path, simulated):
    simulate(Study(seed=7), 1, tmp_path / "one")
    (file,) = (tmp_path / "one").glob("*.parquet")
    assert file.read_bytes() == (simulated.folder / file.name).read_bytes()


def test_another_seed_is_another_dataset(tmp_path):
    simulate(Study(seed=1), 2, tmp_path / "a")
    simulate(Study(seed=2), 1, tmp_path / "b")
    answers = load_answers([tmp_path])
    assert answers.frame["model"].nunique() == 2
    assert {each.reason for each in answers.apart} == {
        "dataset version simulated-2: most of these results are of simulated-1"
    }


def test_without_bias_saying_same_is_as_likely_as_chance(tmp_path):
    simulate(
        Study(seed=0, bias=1 / 3, bias_spread=0, ability=0, ability_spread=0, growth=0), 3, tmp_path / "s"
    )
    frame = load_answers([tmp_path]).frame
    blind = frame[frame["task"] == "conservation_full"]
    assert (blind["response"] == "same").mean() == pytest.approx(0.35, abs=0.03)


def test_full_folders_are_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("x")
    with pytest.raises(UserError, match="is not empty"):
        simulate(Study(seed=0), 1, tmp_path)
    with pytest.raises(UserError, match="at least one"):
        simulate(Study(seed=0), 0, tmp_path / "new")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_failure_leaves_nothing_behind(tmp_path, monkeypatch):
    def broken(*_):
        raise OSError("disk full")

    monkeypatch.setattr("physprobe.analysis.simulation.folder.write_answers", broken)
    with pytest.raises(OSError, match="disk full"):
        simulate(Study(seed=0), 1, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_row_takes_few_bytes(simulated):
    frame = simulated.answers.frame
    assert frame.memory_usage(deep=True).sum() / len(frame) < 60


def test_the_truth_is_readable(simulated):
    text = (simulated.folder / "simulation.json").read_text()
    assert "NaN" not in text
    assert json.loads(text)["study"]["seed"] == 7
    sizes = pd.read_csv(simulated.folder / "models.csv")
    assert list(sizes.columns) == ["model", "parameters"]
    assert len(sizes) == 40
