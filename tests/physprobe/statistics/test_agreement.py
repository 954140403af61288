from __future__ import annotations

import numpy as np
import pytest

from physprobe.statistics.agreement import fleiss_kappa

# Fleiss 1971 as in many textbooks (14 raters, 10 subjects, 5 categories): kappa 0.210.
RATINGS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]


def test_published_example():
    found = fleiss_kappa(RATINGS)
    assert found.kappa == pytest.approx(0.210, abs=5e-4)
    assert found.agreement == pytest.approx(0.378, abs=5e-4)
    assert (found.items, found.raters) == (10, 14)
    assert found.low < found.kappa < found.high


def test_full_agreement_and_none():
    perfect = fleiss_kappa([[3, 0], [0, 3], [3, 0]] * 5)
    assert (perfect.kappa, perfect.low, perfect.high) == (1, 1, 1)
    assert fleiss_kappa([[1, 1], [1, 1]]).kappa == -1
    assert np.isnan(fleiss_kappa([[3, 0], [3, 0]]).kappa)


def test_interval_covers_chance_agreement():
    rng = np.random.default_rng(0)
    held = []
    for _ in range(300):
        found = fleiss_kappa(rng.multinomial(6, [0.5, 0.3, 0.2], size=150), resamples=300)
        held.append(found.low <= 0 <= found.high)
    assert 0.91 <= np.mean(held) <= 0.985  # 95% within 3 standard errors


def test_unequal_numbers_of_raters_are_refused():
    with pytest.raises(ValueError, match="the same number of ratings"):
        fleiss_kappa([[3, 0], [1, 1]])
    with pytest.raises(ValueError, match="at least two"):
        fleiss_kappa([[1, 0], [0, 1]])
