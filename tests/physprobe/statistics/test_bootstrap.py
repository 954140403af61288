from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from physprobe.statistics.bootstrap import (
    BLOCK,
    cluster_bootstrap,
    cluster_sums,
    ratio_of_sums,
    resample_totals,
)


def paired_rows(rng, pairs: int, per_pair: int, spread: float):
    """Right answers (0 or 1) whose chance differs from pair to pair; spread 0 makes all rows independent."""
    chance = np.clip(0.6 + spread * rng.standard_normal(pairs), 0, 1)
    ids = [f"pair{k:03d}" for k in range(pairs) for _ in range(per_pair)]
    return ids, (rng.random((pairs, per_pair)) < chance[:, None]).astype(float).ravel()


def mean_interval(ids, right, **options):
    _, sums = cluster_sums(ids, np.column_stack([right, np.ones_like(right)]))
    return cluster_bootstrap(sums, **options)


def test_sums_are_those_of_each_cluster():
    ids, sums = cluster_sums(["b", "a", "b", "c"], [[1, 10], [2, 20], [4, 40], [8, 80]])
    assert ids == ("a", "b", "c")
    assert sums.tolist() == [[2, 20], [5, 50], [8, 80]]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(-1e6, 1e6)), min_size=1), st.randoms())
def test_sums_do_not_depend_on_the_order_of_rows(rows, random):
    shuffled = list(rows)
    random.shuffle(shuffled)
    one = cluster_sums([c for c, _ in rows], [[v] for _, v in rows])
    other = cluster_sums([c for c, _ in shuffled], [[v] for _, v in shuffled])
    assert one[0] == other[0]
    assert np.array_equal(one[1], other[1])


def test_no_rows_give_no_clusters():
    ids, sums = cluster_sums([], np.zeros((0, 4)))
    assert ids == ()
    assert sums.shape == (0, 4)
    assert len(cluster_sums([], [])[1]) == 0


def test_rows_without_a_cluster_are_refused():
    with pytest.raises(ValueError, match="2 cluster ids for 3 rows"):
        cluster_sums(["a", "b"], [[1], [2], [3]])


def test_ratio_is_nan_where_nothing_counts():
    ratio = ratio_of_sums(np.array([[1.0, 0.0, 2.0, 0.0], [3.0, 1.0, 4.0, 1.0]]))
    assert ratio[0, 0] == 0.5
    assert np.isnan(ratio[0, 1])
    assert ratio[1].tolist() == [0.75, 1.0]


def test_a_longer_run_begins_with_a_shorter_one():
    sums = np.random.default_rng(1).random((17, 3))
    long = resample_totals(sums, 10 * BLOCK, seed=5)
    for resamples in (1, BLOCK - 1, BLOCK, 3 * BLOCK + 7):
        assert np.array_equal(resample_totals(sums, resamples, seed=5), long[:resamples])


def test_workers_change_nothing_and_seeds_do():
    sums = np.random.default_rng(1).random((40, 2))
    one = cluster_bootstrap(sums, resamples=500, seed=0)
    assert all(map(np.array_equal, one, cluster_bootstrap(sums, resamples=500, seed=0, workers=3)))
    assert not np.array_equal(one.low, cluster_bootstrap(sums, resamples=500, seed=1).low)


def test_each_resample_draws_as_many_clusters_as_there_are():
    assert np.all(resample_totals(np.ones((23, 1)), 120) == 23)


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_agrees_with_scipy(method):
    rng = np.random.default_rng(3)
    numerator, denominator = rng.exponential(2, 40), rng.integers(1, 6, 40).astype(float)
    ours = cluster_bootstrap(np.column_stack([numerator, denominator]), resamples=20_000, method=method)
    theirs = stats.bootstrap(
        (numerator, denominator),
        lambda n, d, axis=-1: n.sum(axis=axis) / d.sum(axis=axis),
        paired=True,
        n_resamples=20_000,
        method=method,
        rng=np.random.default_rng(0),
    ).confidence_interval
    width = theirs.high - theirs.low
    assert ours.value[0] == pytest.approx(numerator.sum() / denominator.sum())
    assert ours.low[0] == pytest.approx(theirs.low, abs=0.03 * width)
    assert ours.high[0] == pytest.approx(theirs.high, abs=0.03 * width)


def test_bca_shifts_the_interval_of_a_skewed_statistic():
    sums = np.column_stack([np.random.default_rng(0).exponential(1, 30) ** 2, np.ones(30)])
    plain = cluster_bootstrap(sums, resamples=5000)
    corrected = cluster_bootstrap(sums, resamples=5000, method="bca")
    assert corrected.low[0] > plain.low[0]
    assert corrected.high[0] > plain.high[0]


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_covers_the_truth_about_as_often_as_promised(method):
    rng = np.random.default_rng(7)
    covered = 0
    for k in range(200):
        ids, right = paired_rows(rng, 60, 4, 0.25)
        found = mean_interval(ids, right, resamples=400, seed=k, method=method)
        covered += found.low[0] <= TRUTH <= found.high[0]
    # 95% +- 4 binomial standard errors of 200 trials, and a little less for the finite number of pairs
    assert 0.87 <= covered / 200 <= 1.0


# Mean of N(0.6, 0.25) clipped to [0, 1].
TRUTH = float(stats.norm.expect(lambda x: np.clip(x, 0, 1), loc=0.6, scale=0.25, lb=-1, ub=2.2, epsabs=1e-9))


def test_intervals_over_the_pairs_of_the_benchmark_hold_the_truth_in_93_to_97_percent():
    rng = np.random.default_rng(9)
    covered = 0
    for k in range(800):
        ids, right = paired_rows(rng, 192, 2, 0.25)
        found = mean_interval(ids, right, resamples=300, seed=k)
        covered += found.low[0] <= TRUTH <= found.high[0]
    assert 0.93 <= covered / 800 <= 0.97


def test_clusters_widen_the_intervals_of_correlated_rows():
    rng = np.random.default_rng(8)
    by_pair = by_row = 0
    for k in range(100):
        ids, right = paired_rows(rng, 30, 12, 0.35)
        ids_of_rows = [f"{n:04d}" for n in range(len(ids))]
        pairs = mean_interval(ids, right, resamples=300, seed=k)
        rows = mean_interval(ids_of_rows, right, resamples=300, seed=k)
        by_pair += pairs.high[0] - pairs.low[0]
        by_row += rows.high[0] - rows.low[0]
    assert by_pair > 1.5 * by_row


def test_independent_rows_need_no_clusters():
    ids, right = paired_rows(np.random.default_rng(2), 500, 2, 0.0)
    pairs = mean_interval(ids, right, resamples=2000)
    standard_error = np.sqrt(right.mean() * (1 - right.mean()) / len(right))
    assert pairs.high[0] - pairs.low[0] == pytest.approx(2 * 1.96 * standard_error, rel=0.12)


@pytest.mark.parametrize("method", ["percentile", "bca"])
class TestDegenerate:
    def test_one_cluster_has_a_value_and_no_interval(self, method):
        found = cluster_bootstrap([[3.0, 4.0]], method=method)
        assert found.value[0] == 0.75
        assert np.isnan(found.low[0])
        assert np.isnan(found.high[0])

    def test_no_cluster_has_nothing(self, method):
        assert np.isnan(np.concatenate(cluster_bootstrap(np.zeros((0, 2)), method=method))).all()

    @pytest.mark.parametrize("right", [0.0, 1.0])
    def test_no_variation_has_no_width(self, method, right):
        found = cluster_bootstrap([[right, 1.0]] * 9, method=method)
        assert [x[0] for x in found] == [right] * 3

    def test_a_statistic_over_nothing_is_nan_and_spoils_no_other(self, method):
        found = cluster_bootstrap([[1.0, 0.0, 1.0, 0.0], [0.0, 0.0, 1.0, 0.0]] * 5, method=method)
        assert [bool(np.isnan(x[1])) for x in found] == [True] * 3
        assert 0 <= found.low[0] < found.value[0] < found.high[0] <= 1

    def test_resamples_without_denominator_are_left_out(self, method):
        sums = [[0.0, 0.0]] * 6 + [[1.0, 2.0], [2.0, 2.0]]
        found = cluster_bootstrap(sums, method=method)
        assert found.value[0] == 0.75
        assert 0.5 <= found.low[0] <= found.high[0] <= 1.0


@pytest.mark.parametrize(
    ("sums", "options"),
    [
        ([1.0, 2.0], {}),
        ([[1.0, 2.0]], {"resamples": 0}),
        ([[1.0, 2.0]], {"confidence": 1.0}),
        ([[1.0, 2.0]], {"method": "basic"}),
    ],
)
def test_bad_use_is_refused(sums, options):
    with pytest.raises(ValueError, match="need two dimensions"):
        cluster_bootstrap(sums, **options)


def test_many_rows_cost_no_more_than_their_clusters():
    """100,000 rows on 192 pairs: the resampling sees 192 sums."""
    rng = np.random.default_rng(0)
    ids = [f"pair{k}" for k in rng.integers(0, 192, 100_000)]
    _, sums = cluster_sums(ids, np.column_stack([rng.random(100_000) < 0.5, np.ones(100_000)]))
    assert sums.shape == (192, 2)
    found = cluster_bootstrap(sums, resamples=10_000)
    assert found.low[0] < found.value[0] < found.high[0]
