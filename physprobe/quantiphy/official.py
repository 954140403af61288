"""Scores of the public QuantiPhy benchmark, with the names of its published results file.

A category's MRA is the mean over its rows. The headline is the mean of the four category means, and so is
each breakdown by background or by object number, over the rows of that background or number. Such a mean of
four is empty (None) where one of the four has no scored row: averaging the rest would compare different
questions.

Rows without a truth, with a truth of zero, or whose codes name no category are left out of every MRA, as in
the published evaluator. They stay in the rate of invalid answers, which that evaluator takes over all rows of
the prediction file, before it looks at truths. Invalid is blank, not a number, or zero; an infinite
prediction is a number and therefore not invalid, and scores 0.

Units: ``mra_*`` are fractions in [0, 1]; ``invalid_percentage`` is in percent, [0, 100].
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from physprobe.quantiphy.answers import Answers
from physprobe.quantiphy.codes import BACKGROUNDS, CATEGORIES, OBJECT_NUMBERS
from physprobe.quantiphy.mra import mean_relative_accuracy


@dataclass(frozen=True)
class Group:
    """MRA by category of one group of rows.

    Attributes:
        means: category -> mean MRA in [0, 1], None without a scored row.
        counts: category -> number of scored rows.
    """

    means: Mapping[str, float | None]
    counts: Mapping[str, int]

    @property
    def macro(self) -> float | None:
        """The mean of the four category means, None where one of them is empty."""
        means = [self.means[category] for category in CATEGORIES]
        known = [mean for mean in means if mean is not None]
        return sum(known) / len(CATEGORIES) if len(known) == len(CATEGORIES) else None


@dataclass(frozen=True)
class OfficialScores:
    """What the benchmark reports of one prediction file.

    Attributes:
        overall: all rows.
        backgrounds: rows by background (C complex, S simple, X plain).
        objects: rows by object number (single, multiple).
        rows: rows of the file; the three counts below are of these.
        blank: rows without a prediction.
        non_numeric: rows whose prediction is not a number.
        zero: rows whose prediction is zero.
    """

    overall: Group
    backgrounds: Mapping[str, Group]
    objects: Mapping[str, Group]
    rows: int
    blank: int
    non_numeric: int
    zero: int

    @property
    def invalid(self) -> int:
        """Rows that are blank, not a number, or zero."""
        return self.blank + self.non_numeric + self.zero

    @property
    def invalid_percentage(self) -> float:
        """Share of invalid rows among all rows, in percent."""
        return self.invalid / self.rows * 100

    def published(self) -> dict[str, float | None]:
        """Return the scores under the names of the published results file, None where empty."""
        return (
            {f"mra_{category}": self.overall.means[category] for category in CATEGORIES}
            | {"mra_average": self.overall.macro}
            | {f"mra_bg_{name}": group.macro for name, group in self.backgrounds.items()}
            | {f"mra_obj_{name}": group.macro for name, group in self.objects.items()}
            | {"invalid_percentage": self.invalid_percentage}
        )


def score(answers: Answers) -> OfficialScores:
    """Score a prediction file as the published evaluator does; the order of the rows does not matter."""
    mra = mean_relative_accuracy(answers.prediction, answers.truth)
    codes, everything = answers.codes, np.ones(mra.shape, dtype=bool)
    unreadable = np.isnan(answers.prediction)
    return OfficialScores(
        overall=_group(mra, codes.category, everything),
        backgrounds={b: _group(mra, codes.category, codes.background == b) for b in BACKGROUNDS},
        objects={o: _group(mra, codes.category, codes.objects == o) for o in OBJECT_NUMBERS},
        rows=len(mra),
        blank=int(answers.blank.sum()),
        non_numeric=int((unreadable & ~answers.blank).sum()),
        zero=int((answers.prediction == 0).sum()),
    )


def macro_mra(
    prediction: NDArray[np.float64], truth: NDArray[np.float64], category: NDArray[np.str_]
) -> float:
    """Return the headline alone, the mean of the four category means; NaN where one of them is empty."""
    mra = mean_relative_accuracy(prediction, truth)
    macro = _group(mra, category, np.ones(mra.shape, dtype=bool)).macro
    return float("nan") if macro is None else macro


def _group(mra: NDArray[np.float64], category: NDArray[np.str_], member: NDArray[np.bool_]) -> Group:
    scored = member & ~np.isnan(mra)
    values = {name: mra[scored & (category == name)] for name in CATEGORIES}
    return Group(
        # fsum rounds once, so the mean does not depend on the order of the rows.
        means={name: math.fsum(v) / len(v) if len(v) else None for name, v in values.items()},
        counts={name: len(v) for name, v in values.items()},
    )
