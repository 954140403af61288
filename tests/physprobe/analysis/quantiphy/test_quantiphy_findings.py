"""Analyses of quantiphy against values worked out by hand; two models, three categories of errors.

An answer of 2 for 2 has MRA 1; 3 for 2 is off by 0.5, which is below 1 - theta for theta = 0.1 to 0.4: 0.4;
6 for 2 has MRA 0.
"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from physprobe.analysis.answers import load_answers
from physprobe.analysis.quantiphy.bias import bias
from physprobe.analysis.quantiphy.contrasts import inputs, prompts, segmented
from physprobe.analysis.quantiphy.counterfactual import counterfactual
from physprobe.analysis.quantiphy.distribution import distribution
from physprobe.analysis.quantiphy.kinds import by_kind
from physprobe.analysis.quantiphy.leaderboard import by_category, leaderboard
from physprobe.analysis.quantiphy.planning import power
from physprobe.analysis.quantiphy.repeats import repeats
from physprobe.analysis.quantiphy.scaling import family_of, scaling
from physprobe.analysis.quantiphy.scenes import scenes
from physprobe.errors import UserError
from physprobe.statistics.power import pairs_needed_for_means
from tests.support.saved_quantiphy import asked, save_quantiphy

FAST = {"resamples": 60}
# Category -> its questions: two videos each, three questions on the first and one on the second.
TYPES = {"s2": ("S2SX", "SS"), "d2": ("V2MC", "DD"), "s3": ("S3MS", "SD"), "d3": ("A3SC", "DS")}
ROWS = {
    f"quantiphy_{name}": [asked(6 * k + number, *codes) for number in range(4)]
    for k, (name, codes) in enumerate(TYPES.items())
}
EVERY = [row for rows in ROWS.values() for row in rows]
# What model "b" answers, by the question's place within its category.
OF_B = {
    "quantiphy_s2": "2 2 2 2",
    "quantiphy_d2": "3 3 3 3",
    "quantiphy_s3": "2 6 6 ?",
    "quantiphy_d3": "0 6 6 6",
}


def of_b(rows=ROWS) -> dict[str, str]:
    return {
        row["question_id"]: f"{value} m" if value != "?" else "unclear"
        for task, told in OF_B.items()
        for row, value in zip(rows[task], told.split(), strict=True)
    }


def load(folder, **options) -> pd.DataFrame:
    return load_answers([folder], "quantiphy", **options).frame


@pytest.fixture(scope="module")
def frame(tmp_path_factory) -> pd.DataFrame:
    folder = tmp_path_factory.mktemp("two")
    save_quantiphy(folder / "a", "a-2B", ROWS)
    answers = of_b()
    save_quantiphy(folder / "b", "b-4B", ROWS, lambda row: answers[row["question_id"]])
    return load(folder)


def test_the_ranking(frame):
    ranking, neighbours = leaderboard(frame, **FAST)
    first, second = ranking.table.to_dict("records")
    assert (first["rank"], first["model"], first["mra"], first["n"], first["videos"]) == (1, "a-2B", 1, 16, 8)
    # Categories 1, 0.4, 0.25 and 0.
    assert second["mra"] == pytest.approx((1 + 0.4 + 0.25 + 0) / 4)
    assert second["mra_questions"] == pytest.approx((4 + 4 * 0.4 + 1) / 16)
    assert (second["unread"], second["invalid"]) == (1 / 16, 2 / 16)
    assert second["mra_low"] <= second["mra"] <= second["mra_high"]
    (gap,) = neighbours.table.to_dict("records")
    assert (gap["model"], gap["next"], gap["n"]) == ("a-2B", "b-4B", 8)
    assert gap["difference"] == pytest.approx(1 - 0.4125)
    assert "0.556 in the paper" in " ".join(ranking.notes)


def test_categories(frame):
    (finding,) = by_category(frame, **FAST)
    mean, _, b = finding.table.to_dict("records")
    assert [b[name] for name in ("S2", "D2", "S3", "D3")] == pytest.approx([1, 0.4, 0.25, 0])
    assert [mean[name] for name in ("S2", "D2", "S3", "D3")] == pytest.approx([1, 0.7, 0.625, 0.5])
    assert (mean["n"], b["n"]) == (32, 16)
    assert finding.counts.startswith("questions (S2 4, D2 4, S3 4, D3 4)")


def test_a_missing_category_leaves_no_headline(tmp_path):
    save_quantiphy(tmp_path, "m", {"quantiphy_s2": ROWS["quantiphy_s2"]})
    (ranking,) = leaderboard(load(tmp_path), **FAST)
    assert math.isnan(ranking.table["mra"][0])
    assert ranking.table["mra_questions"][0] == 1
    assert "mra is empty where a category was not asked" in ranking.notes


def test_scenes(frame):
    means, gaps, each = scenes(frame, **FAST)
    b = each.table[each.table["model"] == "b-4B"].set_index(["background", "objects"])["mra_questions"]
    assert b[("plain", "single")] == 1
    assert b[("any", "single")] == pytest.approx((4 + 0) / 8)  # S2SX and A3SC
    assert b[("any", "multiple")] == pytest.approx((4 * 0.4 + 1) / 8)
    assert b[("complex", "any")] == pytest.approx(4 * 0.4 / 8)
    pooled = means.table.set_index(["background", "objects"])["mra_questions"]
    assert pooled[("any", "single")] == pytest.approx((1 + 0.5) / 2)
    row = gaps.table.set_index(["first", "second", "within"]).loc[("multiple", "single", "any")]
    assert row["difference"] == pytest.approx((1 + 0.325) / 2 - 0.75)
    assert (row["score"], row["higher"], row["models"], row["n"]) == ("mra_questions", 0, 2, 8)


def test_kinds(frame):
    means, each = by_kind(frame, **FAST)
    b = each.table[each.table["model"] == "b-4B"].set_index(["asked", "level"])["mra_questions"]
    assert b[("inference", "SD")] == pytest.approx(0.25)
    assert b[("quantity", "size")] == b[("unit", "m")] == pytest.approx(0.4125)
    assert set(means.table.loc[means.table["asked"] == "inference", "n"]) == {8}


def test_the_distribution(frame):
    described, levels = distribution(frame, **FAST)
    b = described.table.set_index("model").loc["b-4B"]
    # Five questions at 1, four at 0.4, seven at 0.
    assert b["mean"] == pytest.approx(0.4125)
    assert (b["lower_quartile"], b["median"], b["upper_quartile"]) == (0, 0.4, 1)
    assert b["zero"] == 7 / 16
    counts = levels.table[levels.table["model"] == "b-4B"].set_index("level")["count"]
    assert counts[counts > 0].to_dict() == {0.0: 7, 0.4: 4, 1.0: 5}
    assert counts.sum() == 16
    assert len(counts) == 11


def test_the_bias(frame):
    (finding,) = bias(frame, **FAST)
    b = finding.table.set_index(["quantity", "model"]).loc[("all", "b-4B")]
    # Of 14: five times 1, four times 1.5, five times 3.
    logs = [0.0] * 5 + [math.log10(1.5)] * 4 + [math.log10(3)] * 5
    assert b["log_ratio"] == pytest.approx(sum(logs) / 14)
    assert b["factor"] == pytest.approx((1.5**4 * 3**5) ** (1 / 14))
    assert b["spread"] == pytest.approx(pd.Series(logs).std())
    assert (b["over"], b["n"], b["excluded"]) == (pytest.approx(9 / 14), 14, 2)


def test_controls_are_compared_on_common_questions(tmp_path):
    changed = {
        "quantiphy_prior_only": [{**row, "seen": False} for row in EVERY],
        "quantiphy_no_prior": [{**row, "prior": ""} for row in EVERY],
        "quantiphy_cot": [{**row, "style": "cot"} for row in EVERY],
    }

    def answer(row):
        return "3 m" if not row["seen"] else "6 m" if not row["prior"] else f"{row['truth']} m"

    save_quantiphy(tmp_path / "m", "m", {**ROWS, **changed}, answer)
    save_quantiphy(
        tmp_path / "n", "n", {**ROWS, "quantiphy_cot": changed["quantiphy_cot"]}, lambda row: "3 m"
    )
    frame = load(tmp_path)
    means, each = inputs(frame, **FAST)
    assert each.table["model"].tolist() == ["m", "m"]
    without = each.table.set_index("asked")
    assert without["standard"].tolist() == [1, 1]
    assert without["changed"].tolist() == pytest.approx([0.4, 0])
    assert without["kept"].tolist() == pytest.approx([0.4, 0])
    assert without["difference"].tolist() == pytest.approx([-0.6, -1])
    assert without[["low", "high"]].to_numpy().ravel().tolist() == pytest.approx([-0.6, -0.6, -1, -1])
    assert set(means.table["model"]) == {"all 1 model"}
    means, each = prompts(frame, **FAST)
    assert each.table["difference"].tolist() == pytest.approx([0, 0])
    assert means.table["standard"].tolist() == pytest.approx([(1 + 0.4) / 2])
    with pytest.raises(UserError, match="answered both quantiphy and quantiphy_segmented"):
        segmented(frame, **FAST)


def test_segmented_questions_are_matched_with_whole_ones(tmp_path):
    rows = [{**row, "question_id": f"{row['video_id']}__{k}"} for k, row in enumerate(EVERY)]
    bare = [
        {
            **row,
            "video_id": f"{row['video_id']}_segmented",
            "question_id": f"{row['video_id']}_segmented__{k}",
            "video_source": "segmentation",
            "background": "X",
        }
        for k, row in enumerate(rows)
    ]
    standard = {task: [r for r in rows if f"quantiphy_{r['category'].lower()}" == task] for task in ROWS}
    tasks = {**standard, "quantiphy_segmented": bare[:14]}
    save_quantiphy(
        tmp_path, "m", tasks, lambda row: "3 m" if row["video_source"] == "segmentation" else "2 m"
    )
    _, each = segmented(load(tmp_path), **FAST)
    (row,) = each.table.to_dict("records")
    assert (row["standard"], row["n"]) == (1, 14)
    assert row["changed"] == pytest.approx(0.4)


def test_multiplied_priors(tmp_path):
    factors = [0.01, 10.0] * 8
    scaled = [
        {**row, "truth": row["truth"] * factor, "factor": factor}
        for row, factor in zip(EVERY, factors, strict=True)
    ]
    tasks = {**ROWS, "quantiphy_counterfactual": scaled}
    save_quantiphy(tmp_path / "follows", "follows", tasks)
    save_quantiphy(tmp_path / "ignores", "ignores", tasks, lambda row: "2 m")
    # Answers move by half the factor on the logarithmic scale: times 0.1 and times 10 ** 0.5.
    save_quantiphy(tmp_path / "half", "half", tasks, lambda row: f"{2 * row['factor'] ** 0.5:.9f} m")
    by_model, by_factor, each = counterfactual(load(tmp_path), **FAST)
    found = by_model.table.set_index("model")
    assert found["followed"].to_dict() == pytest.approx(
        {"all models": 0.5, "follows": 1, "ignores": 0, "half": 0.5}, abs=1e-6
    )
    assert found.loc["follows", "lost"] == 0
    assert found.loc["ignores", "lost"] == 1
    # Of a tenfold prior "half" gives 0.316 of the truth, within 1 - theta for theta = 0.1 to 0.3.
    assert found.loc["half", "lost"] == pytest.approx(1 - 0.3 / 2)
    assert found.loc["all models", "multiplied"] == pytest.approx((1 + 0.15) / 3)
    ratios = each.table.set_index(["model", "factor"])["ratio"]
    assert ratios[("follows", 0.01)] == pytest.approx(1)
    assert ratios[("ignores", 0.01)] == pytest.approx(100)
    assert ratios[("half", 10.0)] == pytest.approx(10**-0.5)
    pooled = by_factor.table.set_index("factor")
    assert pooled["ratio"].tolist() == pytest.approx([(100 * 10) ** (1 / 3), (10**-1 * 10**-0.5) ** (1 / 3)])
    assert pooled["mra_questions"].tolist() == pytest.approx([1 / 3, 1.3 / 3])
    assert pooled["n"].tolist() == [24, 24]


def test_scaling_within_families(tmp_path):
    """A family whose MRA rises by 0.3 with each factor of ten; another of two models; one without a size."""
    replies = {
        "X-1B-Instruct": 4,
        "X-10B-Instruct": 10,
        "X-100B-Instruct": 16,
        "Y-3B": 16,
        "Y-9B": 16,
        "Z": 16,
    }
    for model, right in replies.items():
        first = {row["question_id"] for task in ROWS.values() for row in task[: right // 4]}
        # Half of the fourth part for 10 of 16: two categories of four.
        more = {rows[2]["question_id"] for rows in list(ROWS.values())[: right % 4]}
        good = first | more
        save_quantiphy(
            tmp_path / model,
            model,
            ROWS,
            lambda row, good=good: "2 m" if row["question_id"] in good else "6 m",
        )
    fits, points = scaling(load(tmp_path), **FAST)
    x = fits.table.set_index(["family", "score"]).loc[("X-Instruct", "mra")]
    assert x["slope"] == pytest.approx(0.375)  # from 0.25 over 0.625 to 1
    assert x["intercept"] == pytest.approx(0.25)
    assert (x["r_squared"], x["n"]) == (pytest.approx(1), 3)
    assert set(fits.table["family"]) == {"all", "X-Instruct"}
    assert points.table["family"].tolist() == ["X-Instruct"] * 3 + ["Y"] * 2
    assert points.table["parameters"].tolist() == [1, 10, 100, 3, 9]
    assert "left out, size unknown: Z" in fits.notes
    with pytest.raises(UserError, match="fewer than two models of known size"):
        scaling(load(tmp_path / "Z"), **FAST)


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("Qwen3-VL-8B-Instruct", "Qwen3-VL-Instruct"),
        ("org/InternVL3_5-30B-A3B", "org/InternVL3_5-A3B"),
        ("llava-13b", "llava"),
        ("gpt-5", "gpt-5"),
    ],
)
def test_families(model, family):
    assert family_of(model) == family


def test_several_trials(tmp_path):
    answers = of_b()
    save_quantiphy(tmp_path / "1", "m", ROWS, date="20260101_000000")
    save_quantiphy(tmp_path / "2", "m", ROWS, lambda r: answers[r["question_id"]], date="20260102_000000")
    save_quantiphy(tmp_path / "3", "once", ROWS)
    (finding,) = repeats(load(tmp_path, reruns=True))
    (row,) = finding.table.to_dict("records")
    assert (row["model"], row["trials"], row["n"]) == ("m", 2, 16)
    assert row["mra"] == pytest.approx((1 + 0.4125) / 2)
    assert row["spread"] == pytest.approx((1 - 0.4125) / 2**0.5)
    assert (row["lowest"], row["highest"]) == (pytest.approx(0.4125), 1)
    # Differences of 0.6 on four questions and of 1 on seven.
    assert row["item_spread"] == pytest.approx((4 * 0.6 + 7) / 2**0.5 / 16)
    assert (row["invalid"], row["ever_invalid"], row["always_invalid"]) == (2 / 32, 2 / 16, 0)
    with pytest.raises(UserError, match="no model has two runs"):
        repeats(load(tmp_path))


def test_videos_needed(tmp_path):
    """Two models whose video means vary alike: the plan is that of a paired t test with their correlation."""
    means = {"a": "2 2 6 3", "b": "2 3 6 6"}  # MRA 1, 1, 0, 0.4 and 1, 0.4, 0, 0 on four videos
    rows = [asked(3 * number) for number in range(4)]
    for model, told in means.items():
        answers = dict(zip((row["question_id"] for row in rows), told.split(), strict=True))
        save_quantiphy(
            tmp_path / model,
            model,
            {"quantiphy_s2": rows},
            lambda row, a=answers: f"{a[row['question_id']]} m",
        )
    (finding,) = power(load(tmp_path), differences=[10.0])
    (row,) = finding.table.to_dict("records")
    first, second = np.array([1, 1, 0, 0.4]), np.array([1, 0.4, 0, 0])
    r = np.corrcoef(first, second)[0, 1]
    spread = (first.std(ddof=1) + second.std(ddof=1)) / 2
    assert row["value"] == pytest.approx(r)
    assert row["videos_needed"] == pairs_needed_for_means(0.1, spread * (2 * (1 - r)) ** 0.5)
    assert (row["correlation"], row["test"], row["n"]) == ("observed", "paired t", 4)


def test_public_questions_and_ours_are_told_apart(tmp_path):
    public = [{**row, "question_id": str(k), "source": "validation"} for k, row in enumerate(EVERY)]
    save_quantiphy(tmp_path, "m", {"quantiphy_official_validation": public}, lambda row: "3 m")
    frame = load(tmp_path)
    (ranking,) = leaderboard(frame, "public", **FAST)
    assert ranking.table["mra"].tolist() == pytest.approx([0.4])
    with pytest.raises(UserError, match="hold no answers to quantiphy: evaluate with --tasks quantiphy"):
        leaderboard(frame, **FAST)
