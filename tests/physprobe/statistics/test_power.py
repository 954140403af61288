from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physprobe.statistics.differences import mcnemar
from physprobe.statistics.power import (
    discordant_share,
    pairs_needed,
    pairs_needed_for_means,
    power_for_means,
    power_of,
)


def test_connors_example():
    """Discordant shares 0.45 and 0.05, 5% two-sided, power 0.8 (Connor 1987, page 209)."""
    assert pairs_needed(0.40, 0.50, power=0.8) == 23


def test_an_odds_ratio_of_two():
    """Discordant share 0.45, odds ratio 2: 155 pairs reach 80.1% (ClinicalTrials-tools, after Connor)."""
    assert pairs_needed(0.15, 0.45) == 155
    assert power_of(155, 0.15, 0.45) == pytest.approx(0.801, abs=5e-4)


def test_power_is_what_a_simulation_finds():
    """A first model right on 30% of pairs, a second on 40%, correlated 0.5."""
    share = discordant_share(0.3, 0.4, 0.5)
    n = pairs_needed(0.1, share)
    rng = np.random.default_rng(0)
    only_second, only_first = (share + 0.1) / 2, (share - 0.1) / 2
    found = []
    for _ in range(1500):
        drawn = rng.choice(3, n, p=[only_first, only_second, 1 - share])
        found.append(mcnemar(drawn == 0, drawn == 1).p_chi2 < 0.05)
    assert np.mean(found) == pytest.approx(0.8, abs=0.035)


def test_discordance_by_hand():
    """Of 10 pairs both models get 3, only the first 2, only the second 1."""
    one = np.repeat([True, True, False, False], [3, 2, 1, 4])
    other = np.repeat([True, False, True, False], [3, 2, 1, 4])
    phi = np.corrcoef(one, other)[0, 1]
    assert discordant_share(0.5, 0.4, phi) == pytest.approx(0.3)
    assert discordant_share(0.5, 0.5, 1) == pytest.approx(0)
    assert discordant_share(0.5, 0.5, -1) == pytest.approx(1)


@given(st.floats(0.05, 0.95), st.floats(-0.2, 0.9), st.floats(0.01, 0.3))
def test_more_correlation_needs_fewer_pairs(first, phi, gap):
    second = min(first + gap, 0.99)
    try:
        shares = discordant_share(first, second, phi), discordant_share(first, second, phi + 0.05)
    except ValueError:
        return  # these shares can't correlate so
    needed = [pairs_needed(second - first, max(share, second - first)) for share in shares]
    assert needed[0] >= needed[1] >= 1
    assert power_of(needed[0], second - first, max(shares[0], second - first)) >= 0.8 - 1e-6


def test_impossible_correlations_and_arguments_are_refused():
    with pytest.raises(ValueError, match="can't correlate with"):
        discordant_share(0.1, 0.9, 0.9)
    with pytest.raises(ValueError, match="need 0 <"):
        pairs_needed(0.4, 0.3)
    with pytest.raises(ValueError, match="need 0 <"):
        pairs_needed(0, 0.3)


def test_pairs_for_means():
    """Effect size 0.5, 5% two-sided, power 0.8: 34 pairs (Cohen 1988; G*Power)."""
    assert pairs_needed_for_means(0.1, 0.2) == 34
    assert pairs_needed_for_means(-0.1, 0.2) == 34
    assert power_for_means(34, 0.1, 0.2) == pytest.approx(0.808, abs=1e-3)
    assert power_for_means(33, -0.1, 0.2) < 0.8
