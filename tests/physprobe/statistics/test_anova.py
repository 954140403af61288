"""Repeated-measures ANOVA against a textbook, statsmodels and pingouin (GPL: in tests only)."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pandas as pd
import pingouin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import f as f_distribution
from statsmodels.stats.anova import AnovaRM

from physprobe.statistics.anova import means, repeated_measures_anova
from physprobe.statistics.sphericity import contrast_scores, sphericity

# Winer, Brown & Michels 1991, table 4.3: reaction times of five persons under four drugs.
DRUGS = np.array([[30, 28, 16, 34], [14, 18, 10, 22], [24, 20, 18, 30], [38, 34, 20, 44], [26, 28, 14, 30]])


def long(cells: np.ndarray) -> pd.DataFrame:
    """One row per subject and combination of the levels of factors a, b, ..."""
    names = ["subject", *"abc"[: cells.ndim - 1]]
    index = pd.MultiIndex.from_product([range(n) for n in cells.shape], names=names)
    return index.to_frame(index=False).assign(y=cells.ravel())


def correlated(seed: int, subjects: int, *levels: int) -> np.ndarray:
    """Scores whose conditions have different variances and correlations: not spherical."""
    rng = np.random.default_rng(seed)
    count = int(np.prod(levels))
    mix = rng.normal(size=(count, count)) * np.linspace(0.3, 2, count)
    return (rng.normal(size=(subjects, count)) @ mix + rng.normal(size=count)).reshape(subjects, *levels)


def test_textbook_example():
    (effect,) = repeated_measures_anova(long(DRUGS), "y", "subject", ["a"])
    assert (effect.df1, effect.df2, effect.subjects) == (3, 12, 5)
    assert effect.f == pytest.approx(24.76, abs=0.005)
    assert effect.partial_eta_squared == pytest.approx(698.2 / (698.2 + 112.8), abs=1e-4)
    # As Stata's manual gives for these data: Huynh-Feldt 1.0789 reset to 1, Greenhouse-Geisser 0.6049.
    assert effect.gg_epsilon == pytest.approx(0.6049, abs=5e-5)
    assert effect.hf_epsilon == 1
    assert effect.p_gg == pytest.approx(0.0006, abs=5e-5)
    assert effect.p_hf == effect.p < 0.0001


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_one_factor_agrees_with_pingouin(seed):
    data = long(correlated(seed, 20, 4))
    (effect,) = repeated_measures_anova(data, "y", "subject", ["a"])
    other = pingouin.rm_anova(data, dv="y", within="a", subject="subject", correction=True, effsize="np2")
    row = other.iloc[0].rename(lambda name: name.replace("-", "_").lower())
    assert effect.f == pytest.approx(row["f"], rel=1e-9)
    assert effect.p == pytest.approx(row["p_unc"], rel=1e-6)
    assert effect.partial_eta_squared == pytest.approx(row["np2"], rel=1e-9)
    assert effect.gg_epsilon == pytest.approx(row["eps"], rel=1e-9)
    assert effect.p_gg == pytest.approx(row["p_gg_corr"], rel=1e-6)
    assert effect.mauchly_w == pytest.approx(row["w_spher"], rel=1e-9)
    assert effect.hf_epsilon == pytest.approx(pingouin.epsilon(wide(data), correction="hf"), rel=1e-9)


def wide(data: pd.DataFrame) -> pd.DataFrame:
    return data.pivot(index="subject", columns="a", values="y")


@pytest.mark.parametrize("seed", [0, 1])
def test_mauchly_agrees_with_pingouin(seed):
    cells = correlated(seed, 30, 5)
    found = sphericity(contrast_scores(cells, [0]))
    other = pingouin.sphericity(pd.DataFrame(cells))
    assert found.w == pytest.approx(other.W, rel=1e-9)
    assert found.chi2 == pytest.approx(other.chi2, rel=1e-6)
    assert found.df == other.dof
    assert found.p == pytest.approx(other.pval, rel=0.02)  # pingouin adds a term of higher order


def test_factorial_agrees_with_statsmodels_and_pingouin():
    data = long(correlated(3, 15, 3, 4))
    effects = repeated_measures_anova(data, "y", "subject", ["a", "b"])
    table = AnovaRM(data, "y", "subject", within=["a", "b"]).fit().anova_table
    assert [effect.effect for effect in effects] == list(table.index) == ["a", "b", "a:b"]
    assert [effect.f for effect in effects] == pytest.approx(table["F Value"].tolist(), rel=1e-8)
    assert [effect.df2 for effect in effects] == table["Den DF"].astype(int).tolist()
    assert [effect.p for effect in effects] == pytest.approx(table["Pr > F"].tolist(), rel=1e-6)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other = pingouin.rm_anova(data, dv="y", within=["a", "b"], subject="subject", effsize="np2")
    assert [effect.partial_eta_squared for effect in effects] == pytest.approx(
        other["np2"].tolist(), rel=1e-8
    )
    assert [effect.gg_epsilon for effect in effects] == pytest.approx(other["eps"].tolist(), rel=1e-8)


def test_three_factors_and_order():
    data = long(correlated(5, 8, 2, 3, 2))
    effects = repeated_measures_anova(data, "y", "subject", ["a", "b", "c"])
    table = AnovaRM(data, "y", "subject", within=["a", "b", "c"]).fit().anova_table
    assert {effect.effect: effect.f for effect in effects} == pytest.approx(dict(table["F Value"]), rel=1e-7)
    mains = repeated_measures_anova(data, "y", "subject", ["a", "b", "c"], order=1)
    assert mains == effects[:3]


def test_averaging_over_the_other_factors_gives_the_same_main_effect():
    """The paper's procedure (section 4.4) is that of the factorial analysis."""
    data = long(correlated(4, 12, 3, 4))
    (alone,) = repeated_measures_anova(means(data, "y", "subject", ["a"]), "y", "subject", ["a"])
    assert alone.f == pytest.approx(repeated_measures_anova(data, "y", "subject", ["a", "b"])[0].f, rel=1e-9)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(3, 12), st.integers(2, 5))
def test_epsilons_are_in_their_range(seed, subjects, levels):
    found = sphericity(contrast_scores(correlated(seed, subjects, levels), [0]))
    d = levels - 1
    assert 1 / d - 1e-9 <= found.gg <= 1
    assert 1 / d - 1e-9 <= found.hf <= 1
    assert found.hf >= found.gg - 1e-9 or found.hf == pytest.approx(1 / d)
    assert 0 <= found.w <= 1


def test_contrasts_are_orthonormal_and_ignore_the_other_factors():
    cells = np.random.default_rng(0).normal(size=(6, 3, 2))
    identity = contrast_scores(np.eye(6).reshape(6, 3, 2), [0, 1])
    assert identity.T @ identity == pytest.approx(np.eye(2))
    shifted = cells + np.array([5.0, -5.0])
    assert contrast_scores(shifted, [0]) == pytest.approx(contrast_scores(cells, [0]))


def test_the_correction_mends_the_level():
    """Where one condition alone varies, the plain F rejects a true null too often; the corrected doesn't."""
    rng = np.random.default_rng(11)
    plain, corrected = [], []
    for _ in range(1000):
        scores = contrast_scores(rng.normal(size=(20, 4)) * [0.2, 0.2, 0.2, 3.0], [0])
        gg = sphericity(scores).gg
        f = 20 * np.square(scores.mean(axis=0)).sum() / np.trace(np.cov(scores, rowvar=False))
        plain.append(f_distribution.sf(f, 3, 57))
        corrected.append(f_distribution.sf(f, 3 * gg, 57 * gg))
    assert np.mean(np.array(plain) < 0.05) > 0.08
    assert np.mean(np.array(corrected) < 0.05) == pytest.approx(0.05, abs=0.02)  # 3 standard errors


def test_two_levels_are_always_spherical():
    (effect,) = repeated_measures_anova(long(correlated(0, 9, 2)), "y", "subject", ["a"])
    assert effect.gg_epsilon == effect.hf_epsilon == effect.mauchly_w == 1
    assert np.isnan(effect.mauchly_p)


def test_models_that_never_vary_give_no_test():
    (effect,) = repeated_measures_anova(long(np.ones((5, 3)) * 0.1), "y", "subject", ["a"])
    assert np.isnan([effect.f, effect.p, effect.partial_eta_squared, effect.gg_epsilon]).all()


def test_fewer_subjects_than_conditions_leave_mauchly_open():
    found = sphericity(contrast_scores(correlated(0, 4, 5), [0]))
    assert np.isnan(found.p)
    assert 0.25 <= found.gg <= 1


@pytest.mark.parametrize(("drop", "double"), [([0], []), ([], [0]), ([0], [1])])
def test_gaps_and_doubles_are_refused(drop, double):
    data = long(DRUGS)
    damaged = pd.concat([data.drop(index=drop), data.loc[double]])
    with pytest.raises(ValueError, match="each of 5 subjects needs one value in each of 4 combinations"):
        repeated_measures_anova(damaged, "y", "subject", ["a"])


@pytest.mark.parametrize("shape", [(1, 3), (3, 1)])
def test_too_little_is_refused(shape):
    with pytest.raises(ValueError, match="at least two subjects and two levels"):
        repeated_measures_anova(long(np.zeros(shape)), "y", "subject", ["a"])


def test_levels_may_be_texts_and_rows_in_any_order():
    data = long(DRUGS).assign(a=lambda d: d["a"].map({0: "p", 1: "q", 2: "r", 3: "s"}))
    shuffled = data.sample(frac=1, random_state=1)
    assert repeated_measures_anova(shuffled, "y", "subject", ["a"]) == repeated_measures_anova(
        long(DRUGS), "y", "subject", ["a"]
    )


def test_means_average_over_what_is_not_named():
    data = long(np.array(list(itertools.product([0.0, 1.0], repeat=4))).reshape(4, 4, 4))
    table = means(data, "y", "subject", ["b"])
    assert list(table.columns) == ["subject", "b", "y"]
    assert len(table) == 16
    assert table["y"].mean() == pytest.approx(data["y"].mean())
