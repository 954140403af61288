"""Mean relative accuracy (MRA), QuantiPhy's metric for numeric answers (arXiv:2512.19526, section 4, A.2).

An item's MRA is the share of tolerance thresholds theta at which its relative error stays below
``1 - theta``. Two published definitions share the name and do not agree:

==============  =======================================  ==========  ====================
                thresholds                               comparison  prediction
==============  =======================================  ==========  ====================
QuantiPhy       0.1, 0.2, ..., 0.9, 0.95                 ``<``       absolute value
VSI-Bench       0.50, 0.55, ..., 0.95                    ``<=``      as it is
==============  =======================================  ==========  ====================

This module is the first. ``1 - theta`` is taken in float64 and not rounded, as the published evaluator takes
it: ``1 - 0.9`` is 0.09999999999999998 and ``1 - 0.7`` is 0.30000000000000004, so an answer of 130 for 100,
with a relative error of 0.3, meets the threshold 0.7, whereas one of 110 misses 0.9.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

QUANTIPHY_THRESHOLDS: tuple[float, ...] = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


def mean_relative_accuracy(
    prediction: ArrayLike, truth: ArrayLike, thresholds: Sequence[float] = QUANTIPHY_THRESHOLDS
) -> NDArray[np.float64]:
    """Score each item: the share of thresholds with ``||prediction| - truth| / truth < 1 - theta``.

    The formula is kept to the letter in its corners too, for agreement with published results:

    * a prediction that is missing (NaN) or infinite scores 0;
    * a truth that is missing (NaN) or zero has no relative error: the item's score is NaN, to be left out;
    * a negative truth makes the relative error negative, so any number scores 1: leave such items out or ask
      for magnitudes; an infinite truth scores 0.

    Args:
        prediction: (...) numbers in the unit of the truth; NaN where an answer could not be read.
        truth: (...) numbers, of a shape that broadcasts with ``prediction``.
        thresholds: tolerance thresholds in [0, 1).

    Returns:
        (...) float64 in [0, 1], NaN where the truth is missing or zero.

    Raises:
        ValueError: no thresholds, or shapes that do not broadcast.
    """
    if not len(thresholds):
        raise ValueError("thresholds must not be empty")
    magnitude = np.abs(np.asarray(prediction, dtype=np.float64))
    target = np.asarray(truth, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        error = np.abs(magnitude - target) / target
    met = np.zeros(error.shape, dtype=np.int64)
    for theta in thresholds:
        met += error < 1 - theta
    score = met / len(thresholds)
    return np.where(np.isnan(target) | (target == 0), np.nan, score)
