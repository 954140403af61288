"""The audit: every category, every set of features, every suite."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import metadata

import numpy as np
from threadpoolctl import threadpool_limits

from builders.consistency.audit.classify import CANDIDATES, Bool, choose
from builders.consistency.audit.features import FEATURE_SETS, FeatureSet
from builders.consistency.audit.records import ANY, Audit, Features, Figure
from builders.consistency.audit.samples import (
    Progress,
    Samples,
    Shards,
    count_families,
    read_samples,
    too_few,
)
from physprobe.consistency.vocabulary import CATEGORIES, SUITES
from physprobe.errors import UserError
from physprobe.statistics.bootstrap import Float, cluster_bootstrap, cluster_sums, ratio_of_sums

# With 50 families the standard error of a guess is 0.05, and less where both images of a family are
# classified alike. That a whole interval lies this far off chance happens to at most 3 guesses in 1,000.
MARGIN = 0.05
_CONFIDENCE = 0.95
_RESAMPLES = 2000
_DIGITS = 4
_PACKAGES = ("numpy", "pillow", "scikit-learn", "scipy")


def audit(shards: Shards, content_sha256: str, progress: Progress = lambda images: None) -> Audit:
    """Audit a dataset.

    Args:
        shards: of the default config. content_sha256: of it, for the record.
        progress: called with the number of images described so far.

    Raises:
        UserError: a split has too few families, or something can't be read.
    """
    families = count_families(shards)
    if reason := too_few(families):
        raise UserError(f"{reason}; generate and build the preset full")
    samples = read_samples(shards, progress)
    # One thread: sums in another order could turn an image that is right on the fence.
    with threadpool_limits(1):
        figures = [figure for category in _targets(samples) for figure in _figures(samples, category)]
    return Audit(
        content_sha256=content_sha256,
        margin=MARGIN,
        confidence=_CONFIDENCE,
        resamples=_RESAMPLES,
        classifiers=tuple(CANDIDATES),
        families=families,
        features=tuple(_described(features, samples["train"]) for features in FEATURE_SETS),
        versions={name: metadata.version(name) for name in _PACKAGES},
        figures=tuple(figures),
    )


def _targets(samples: Mapping[str, Samples]) -> Iterator[str | None]:
    """Yield the categories that are there, and None for all of them together."""
    yield from (category for category in CATEGORIES if category in samples["train"].categories)
    yield None


def _described(features: FeatureSet, samples: Samples) -> Features:
    return Features(
        name=features.name,
        title=features.title,
        description=features.description,
        dimensions=samples.matrix(features).shape[1],
        is_low_level=features.is_low_level,
    )


def _figures(samples: Mapping[str, Samples], category: str | None) -> Iterator[Figure]:
    for features in FEATURE_SETS:
        chosen = choose(samples, features, category)
        for split in (f"test_{suite}" for suite in SUITES):
            part = samples[split]
            right = chosen.says_violated(part, features) == part.violated
            value, low, high = _balanced_accuracy(part, right, part.of(category))
            yield Figure(
                category=category or ANY,
                features=features.name,
                split=split,
                classifier=chosen.name,
                validation=round(chosen.validation, _DIGITS),
                balanced_accuracy=value,
                low=low,
                high=high,
                images=int(part.of(category).sum()),
                flagged=features.is_low_level and (low > 0.5 + MARGIN or high < 0.5 - MARGIN),
            )


def _balanced_accuracy(samples: Samples, right: Bool, counted: Bool) -> tuple[float, float, float]:
    """Return the mean of both recalls over images that count, and its interval."""
    violated = samples.violated[counted]
    kinds = np.stack([~violated, violated], axis=1)
    rows = np.concatenate([kinds & right[counted, None], kinds], axis=1)
    _, sums = cluster_sums(samples.families[counted].tolist(), rows)
    found = cluster_bootstrap(sums, _mean_recall, resamples=_RESAMPLES, confidence=_CONFIDENCE)
    value, low, high = (round(float(bound[0]), _DIGITS) for bound in found)
    return value, low, high


def _mean_recall(totals: Float) -> Float:
    return ratio_of_sums(totals).mean(axis=-1, keepdims=True)
