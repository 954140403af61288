from __future__ import annotations

import numpy as np
import pandas as pd
import pingouin
import pytest

from physprobe.statistics.pairwise import correct, pairwise_comparisons


def scores(seed: int = 0, subjects: int = 20) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    ability = rng.normal(size=(subjects, 1))
    return pd.DataFrame(ability + rng.normal([0, 0.5, 0.1], 0.8, (subjects, 3)), columns=["x", "y", "z"])


@pytest.mark.parametrize(("method", "theirs"), [("bonferroni", "bonf"), ("holm", "holm")])
def test_agrees_with_pingouin(method, theirs):
    table = scores()
    ours = pairwise_comparisons(table, method=method)
    long = table.reset_index().melt(id_vars="index")
    other = pingouin.pairwise_tests(
        data=long, dv="value", within="variable", subject="index", padjust=theirs, effsize="none"
    )
    names = {name.replace("-", "_").lower(): name for name in other.columns}
    assert ours["first"].tolist() == other["A"].tolist()
    assert ours["t"].tolist() == pytest.approx(other["T"].tolist())
    assert ours["p"].tolist() == pytest.approx(other[names["p_unc"]].tolist())
    assert ours["p_corrected"].tolist() == pytest.approx(other[names["p_corr"]].tolist())


def test_interval_and_difference():
    row = pairwise_comparisons(pd.DataFrame({"a": [1.0, 2, 3, 4], "b": [0.0, 2, 1, 3]})).iloc[0]
    # Differences 1, 0, 2, 1: mean 1, deviation 0.8165; t(3, 0.975) = 3.182.
    assert row["difference"] == 1
    assert row["t"] == pytest.approx(2.4495, abs=1e-4)
    assert (row["low"], row["high"]) == pytest.approx((1 - 3.182 * 0.40825, 1 + 3.182 * 0.40825), abs=1e-3)
    assert (row["n"], row["df"]) == (4, 3)
    assert row["dz"] == pytest.approx(1.2247, abs=1e-4)


def test_holm_by_hand():
    assert correct([0.01, 0.04, 0.03], "holm") == pytest.approx([0.03, 0.06, 0.06])
    assert correct([0.01, 0.04, 0.03], "bonferroni") == pytest.approx([0.03, 0.12, 0.09])


def test_a_test_that_was_not_made_does_not_count():
    found = correct([0.01, np.nan, 0.03], "bonferroni")
    assert found[[0, 2]] == pytest.approx([0.02, 0.06])
    assert np.isnan(found[1])
    assert np.isnan(correct([np.nan], "holm")).all()


def test_differences_without_variation():
    table = pd.DataFrame({"a": [0.1, 0.2, 0.3], "b": [0.1, 0.2, 0.3], "c": [1.1, 1.2, 1.3]})
    found = pairwise_comparisons(table).set_index(["first", "second"])
    assert found.loc[("a", "b"), ["t", "p", "difference"]].tolist() == [0, 1, 0]
    assert found.loc[("a", "c"), "t"] == -np.inf
    assert found.loc[("a", "c"), "p"] == 0


def test_gaps_are_refused():
    table = scores()
    table.iloc[3, 1] = np.nan
    with pytest.raises(ValueError, match="every subject needs a value"):
        pairwise_comparisons(table)
