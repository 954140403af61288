from __future__ import annotations

import numpy as np
import pytest

from physprobe.statistics.differences import mcnemar, paired_differences


def outcomes(both: int, first: int, second: int, neither: int) -> tuple[np.ndarray, np.ndarray]:
    counts = [both, first, second, neither]
    return np.repeat([True, True, False, False], counts), np.repeat([True, False, True, False], counts)


def test_mcnemar_on_approval_ratings():
    """Agresti 2002, table 10.1: 1,600 voters asked twice; z = -4.17, z**2 = 17.36."""
    found = mcnemar(*outcomes(794, 150, 86, 570))
    assert (found.n, found.both, found.only_first, found.only_second, found.neither) == (
        1600,
        794,
        150,
        86,
        570,
    )
    assert found.chi2 == pytest.approx(17.36, abs=0.005)
    assert found.p_chi2 == pytest.approx(3.1e-5, rel=0.02)
    assert found.p_exact == pytest.approx(3.7e-5, rel=0.05)


def test_mcnemar_exact_is_the_binomial_test():
    # 1 against 5 of 6 discordant pairs: 2 (1 + 6) / 64.
    assert mcnemar(*outcomes(3, 1, 5, 2)).p_exact == pytest.approx(14 / 64)


def test_mcnemar_without_discordant_pairs():
    found = mcnemar([True, False], [True, False])
    assert found.p_exact == 1
    assert np.isnan([found.chi2, found.p_chi2]).all()


def test_mcnemar_refuses_other_pairs():
    with pytest.raises(ValueError, match="2 pairs of the first model, 3 of the second"):
        mcnemar([True, False], [True, False, True])


def sums(right: np.ndarray, per_pair: int) -> np.ndarray:
    """(pairs, models) counts of right answers -> (pairs, models, 2)."""
    return np.stack([right, np.full(right.shape, per_pair)], axis=2).astype(float)


def hard_and_easy(rng: np.random.Generator, pairs: int = 100, gain: float = 0.1) -> np.ndarray:
    """Right answers of two models to 8 questions on each pair; what is hard is hard for both."""
    chance = rng.uniform(0.1, 0.8, size=pairs)
    return np.column_stack([rng.binomial(8, chance), rng.binomial(8, chance + gain)])


def test_the_same_pairs_are_drawn_for_both_models():
    right = hard_and_easy(np.random.default_rng(0))
    (found,) = paired_differences(sums(right, 8), [(1, 0)], resamples=2000)
    assert found.value == pytest.approx((right[:, 1].mean() - right[:, 0].mean()) / 8)
    paired = np.std((right[:, 1] - right[:, 0]) / 8, ddof=1) / 10
    assert (found.high - found.low) / (2 * 1.96) == pytest.approx(paired, rel=0.08)
    apart = np.hypot(*(np.std(right[:, k] / 8, ddof=1) / 10 for k in (0, 1)))
    assert (found.high - found.low) / (2 * 1.96) < 0.8 * apart
    assert found.n == 100


def test_a_model_does_not_differ_from_itself():
    right = hard_and_easy(np.random.default_rng(0))
    (found,) = paired_differences(sums(right, 8), [(0, 0)], resamples=500)
    assert (found.value, found.low, found.high, found.p) == (0, 0, 0, 1)


def test_order_only_turns_the_sign():
    data = sums(hard_and_easy(np.random.default_rng(1)), 8)
    one, other = paired_differences(data, [(0, 1), (1, 0)], resamples=500)
    assert (one.value, one.p) == (-other.value, other.p)
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low))


def test_p_is_consistent_with_the_interval_and_has_a_floor():
    data = sums(hard_and_easy(np.random.default_rng(2), gain=0.2), 8)
    (clear,) = paired_differences(data, [(1, 0)], resamples=1000)
    assert clear.low > 0
    assert clear.p == pytest.approx(2 / 1001)


def test_coverage_and_level_of_paired_differences():
    """95% intervals hold the truth in 93 to 97% of samples; equal models are told apart in 3 to 7%."""
    rng = np.random.default_rng(3)
    gaps, nulls = [], []
    for _ in range(700):
        data = np.concatenate([sums(hard_and_easy(rng), 8), sums(hard_and_easy(rng, gain=0), 8)], axis=1)
        gap, null = paired_differences(data, [(1, 0), (3, 2)], resamples=500)
        gaps.append(gap.low <= 0.1 <= gap.high)
        nulls.append(null.p <= 0.05)
    assert 0.93 <= np.mean(gaps) <= 0.97
    assert 0.03 <= np.mean(nulls) <= 0.07


def test_little_data():
    (one,) = paired_differences(sums(np.array([[3, 5]]), 8), [(1, 0)])
    assert one.value == 0.25
    assert np.isnan([one.low, one.high, one.p]).all()
    (none,) = paired_differences(np.zeros((4, 2, 2)), [(1, 0)], resamples=50)
    assert np.isnan([none.value, none.low, none.p]).all()
    with pytest.raises(ValueError, match="need \\(clusters, models, 2\\)"):
        paired_differences(np.zeros((4, 2)), [(1, 0)])
