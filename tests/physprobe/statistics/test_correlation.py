from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from physprobe.statistics.correlation import pearson
from physprobe.statistics.regression import log_regression

# Anscombe 1973, first of the four sets: r = 0.816, line 3.00 + 0.500 x.
X = [10.0, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5]
Y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]


def test_published_correlation_and_fisher_interval():
    found = pearson(X, Y, resamples=500)
    assert found.r == pytest.approx(0.816, abs=5e-4)
    z, margin = np.arctanh(found.r), 1.959964 / np.sqrt(len(X) - 3)
    assert (found.low, found.high) == pytest.approx((np.tanh(z - margin), np.tanh(z + margin)), abs=1e-6)
    assert found.p == pytest.approx(0.00217, abs=5e-6)
    assert found.n == 11


def test_the_bootstrap_is_scipys_and_seeded():
    found = pearson(X, Y, resamples=999, seed=4)
    other = stats.bootstrap(
        (X, Y),
        lambda x, y: stats.pearsonr(x, y).statistic,
        n_resamples=999,
        paired=True,
        vectorized=False,
        rng=np.random.default_rng(4),
    ).confidence_interval
    assert (found.bootstrap_low, found.bootstrap_high) == pytest.approx((other.low, other.high), abs=0.02)
    assert found == pearson(X, Y, resamples=999, seed=4)
    assert found != pearson(X, Y, resamples=999, seed=5)


def test_coverage_of_both_intervals():
    rng = np.random.default_rng(0)
    fisher, drawn = [], []
    for _ in range(500):
        x, y = rng.multivariate_normal([0, 0], [[1, -0.5], [-0.5, 1]], 112).T
        found = pearson(x, y, resamples=300)
        fisher.append(found.low <= -0.5 <= found.high)
        drawn.append(found.bootstrap_low <= -0.5 <= found.bootstrap_high)
    assert 0.93 <= np.mean(fisher) <= 0.97
    assert 0.92 <= np.mean(drawn) <= 0.97


def test_models_without_a_score_are_left_out():
    assert pearson([*X, np.nan, 3], [*Y, 3, np.nan], resamples=200) == pearson(X, Y, resamples=200)


def test_little_or_constant_data():
    assert np.isnan(pearson([1, 2], [2, 1]).r)
    assert np.isnan(pearson([1, 1, 1, 1], [2, 1, 3, 4]).r)
    three = pearson([1, 2, 3], [2, 1, 4])
    assert three.r == pytest.approx(0.6547, abs=1e-4)
    assert np.isnan(three.low)
    with pytest.raises(ValueError, match="scores against"):
        pearson([1, 2], [1, 2, 3])


def test_published_line_in_the_logarithm():
    found = log_regression(10 ** np.array(X), Y)
    assert (found.intercept, found.slope) == pytest.approx((3.0001, 0.5001), abs=5e-5)
    assert found.r_squared == pytest.approx(0.6665, abs=5e-5)
    # Standard error of the slope 0.1179, t(9, 0.975) = 2.2622.
    assert (found.low, found.high) == pytest.approx((0.5001 - 0.2667, 0.5001 + 0.2667), abs=2e-4)
    assert found.p == pytest.approx(0.00217, abs=5e-6)


def test_lines_that_cannot_be_drawn():
    assert np.isnan(log_regression([7, 7, 7], [0.1, 0.2, 0.3]).slope)
    assert log_regression([7, 8], [0.1, 0.2]).n == 2
    assert log_regression([1, 10, 100, np.nan], [0.1, 0.2, 0.3, 0.9]).slope == pytest.approx(0.1)
    with pytest.raises(ValueError, match="must be above 0"):
        log_regression([0, 1], [0.1, 0.2])
