"""How many pairs are needed to tell two models apart?

Both models answer the same pairs. The harder it is to predict one model's success on a pair from the other's,
the more pairs are needed: what counts is the correlation between them.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.stats import norm


def discordant_share(first: float, second: float, phi: float) -> float:
    """Return the share of pairs that exactly one of two models gets right.

    Args:
        first, second: shares of pairs that each gets right, in [0, 1]. phi: correlation of the outcomes.

    Raises:
        ValueError: no two outcomes with these shares can correlate like this.
    """
    both = first * second + phi * math.sqrt(first * (1 - first) * second * (1 - second))
    lowest, highest = max(0.0, first + second - 1), min(first, second)
    if not lowest - 1e-9 <= both <= highest + 1e-9:
        raise ValueError(f"shares {first:.3f} and {second:.3f} can't correlate with {phi:.3f}")
    return first + second - 2 * min(max(both, lowest), highest)


def pairs_needed(difference: float, discordant: float, *, power: float = 0.8, alpha: float = 0.05) -> int:
    """Say how many pairs a two-sided McNemar test needs to see a difference.

    Assumptions: pairs are independent; normal approximation (good from about 25 discordant pairs on; the
    exact test needs a few pairs more).

    Args:
        difference: of the two shares, not 0. discordant: share of pairs that exactly one model gets right, at
            least |difference|, see :func:`discordant_share`. power: chance to see it. alpha: level.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        Connor 1987 (Biometrics 43, 207-211), from Miettinen 1968.
    """
    d = abs(difference)
    if not 0 < d <= discordant <= 1 or not 0 < power < 1 or not 0 < alpha < 1:
        raise ValueError(
            f"difference {difference}, discordant {discordant}, power {power}, alpha {alpha}: "
            "need 0 < |difference| <= discordant <= 1, power and alpha inside (0, 1)"
        )
    level, chance = norm.ppf(1 - alpha / 2), norm.ppf(power)
    root = (level * math.sqrt(discordant) + chance * math.sqrt(discordant - d**2)) / d
    return math.ceil(root**2 - 1e-9)


def power_of(pairs: int, difference: float, discordant: float, *, alpha: float = 0.05) -> float:
    """Say with which chance a two-sided McNemar test on some pairs sees a difference.

    Arguments, assumptions and source: as :func:`pairs_needed`, which this inverts.
    """
    d = abs(difference)
    spread = math.sqrt(max(discordant - d**2, 1e-12))
    margin = norm.ppf(1 - alpha / 2) * math.sqrt(discordant)
    return float(norm.cdf((d * math.sqrt(pairs) - margin) / spread))


def pairs_needed_for_means(
    difference: float, deviation: float, *, power: float = 0.8, alpha: float = 0.05
) -> int:
    """Say how many pairs a paired t test needs, where a pair's score is a mean over several questions.

    Assumptions: pairs are independent; the mean of the differences is normal.

    Args:
        difference: of the two means, not 0. deviation: standard deviation over pairs of the difference of the
            two models' scores on a pair, above 0: sqrt(s1**2 + s2**2 - 2 r s1 s2).

    Source:
        The noncentral t distribution, by statsmodels' TTestPower.
    """
    from statsmodels.stats.power import TTestPower

    found = TTestPower().solve_power(
        effect_size=abs(difference) / deviation, alpha=alpha, power=power, alternative="two-sided"
    )
    return math.ceil(float(np.squeeze(found)) - 1e-9)


def power_for_means(pairs: int, difference: float, deviation: float, *, alpha: float = 0.05) -> float:
    """Say with which chance a paired t test on some pairs sees a difference.

    Arguments, assumptions and source: as :func:`pairs_needed_for_means`, which this inverts.
    """
    from statsmodels.stats.power import TTestPower

    return float(TTestPower().power(abs(difference) / deviation, pairs, alpha))
