"""Whether the two mechanisms are alike: how large violations are and how strongly they show, A against B.

Area is the share of the image in the affected mask, effect the mean change there against the clean image, in
sRGB from 0 to 1. Mechanism A is that of all splits with the appearance of the suite that uses B. A difference
is told as that of the means over the pooled standard deviation (Cohen's d), with its 95% interval from Hedges
and Olkin's large-sample variance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from builders.consistency.facts import standardised_difference
from builders.consistency.schema import APPEARANCE
from physprobe.consistency.vocabulary import CATEGORIES, Label

Quantity = Literal["area", "effect"]
Float = NDArray[np.float64]

# Greatest difference that counts as alike.
ALIKE = 0.25
# Families of either mechanism below which a difference means nothing.
ENOUGH = 10
_QUANTITIES: tuple[Quantity, ...] = ("area", "effect")
_NORMAL_95 = 1.959964


@dataclass(frozen=True)
class Measured:
    """One violated image: its split, category, mechanism ("A" or "B"), area and effect."""

    split: str
    category: Label
    mechanism: str
    area: float
    effect: float


@dataclass(frozen=True)
class Distribution:
    """How a quantity is distributed: families, mean, standard deviation, quartiles."""

    count: int
    mean: float
    sd: float
    quartiles: tuple[float, float, float]


@dataclass(frozen=True)
class Comparison:
    """A quantity of a category by both mechanisms.

    Attributes:
        difference: standardised, B against A. interval: its 95% interval.
    """

    category: Label
    quantity: Quantity
    a: Distribution
    b: Distribution
    difference: float
    interval: tuple[float, float]

    @property
    def is_alike(self) -> bool:
        """Whether the difference is as small as wanted."""
        return abs(self.difference) <= ALIKE

    @property
    def is_unlike(self) -> bool:
        """Whether the difference is larger than wanted, and not by chance: its whole interval is."""
        low, high = self.interval
        return low > ALIKE or high < -ALIKE


def compared(images: Iterable[Measured]) -> tuple[Comparison, ...]:
    """Compare both quantities of each category that has enough families of either mechanism."""
    values: dict[tuple[str, str], list[Measured]] = {}
    for image in images:
        if image.split != APPEARANCE:
            values.setdefault((image.category, image.mechanism), []).append(image)
    return tuple(_comparisons(values))


def _comparisons(values: dict[tuple[str, str], list[Measured]]) -> Iterator[Comparison]:
    for category in CATEGORIES:
        pair = values.get((category, "A"), []), values.get((category, "B"), [])
        if min(map(len, pair)) < ENOUGH:
            continue
        for quantity in _QUANTITIES:
            one, other = (np.array([getattr(image, quantity) for image in images]) for images in pair)
            difference = standardised_difference(one, other)
            if difference is not None:
                half = _NORMAL_95 * _standard_error(difference, one.size, other.size)
                interval = difference - half, difference + half
                yield Comparison(category, quantity, _spread(one), _spread(other), difference, interval)


def matching_problems(comparisons: Sequence[Comparison]) -> Iterator[str]:
    """Yield which differences are too large to be chance."""
    for each in comparisons:
        if each.is_unlike:
            low, high = each.interval
            yield (
                f"{each.category}: mechanisms differ in {each.quantity}, {each.a.mean:.4f} by A and "
                f"{each.b.mean:.4f} by B: {each.difference:+.2f} standard deviations "
                f"({low:+.2f} to {high:+.2f}), at most {ALIKE} wanted"
            )


def matching_lines(comparisons: Sequence[Comparison]) -> Iterator[str]:
    """Say how alike the mechanisms are, each category's distributions in a line."""
    if not comparisons:
        yield f"mechanisms: too few families to compare (under {ENOUGH} of one)"
        return
    alike = sum(each.is_alike for each in comparisons)
    yield f"mechanisms: {alike} of {len(comparisons)} differences of area and effect within {ALIKE}"
    for each in comparisons:
        low, high = each.interval
        yield (
            f"  {each.category} {each.quantity}: A {_told(each.a)}, B {_told(each.b)}, "
            f"difference {each.difference:+.2f} ({low:+.2f} to {high:+.2f})"
        )


def _told(values: Distribution) -> str:
    low, middle, high = values.quartiles
    return f"{values.mean:.4f} ± {values.sd:.4f} (quartiles {low:.4f}, {middle:.4f}, {high:.4f})"


def _spread(values: Float) -> Distribution:
    low, middle, high = (float(value) for value in np.quantile(values, (0.25, 0.5, 0.75)))
    return Distribution(values.size, float(values.mean()), float(values.std(ddof=1)), (low, middle, high))


def _standard_error(difference: float, one: int, other: int) -> float:
    """Return the standard error of a standardised difference (Hedges and Olkin 1985, chapter 5)."""
    total = one + other
    return float(np.sqrt(total / (one * other) + difference**2 / (2 * total)))
