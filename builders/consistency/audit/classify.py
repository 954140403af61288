"""Simple classifiers, clean against violated: fitted on train, chosen on validation, used on the suites."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from builders.consistency.audit.features import FeatureSet
from builders.consistency.audit.samples import Samples

Bool = NDArray[np.bool_]


def _linear(strength: float) -> Callable[[], Any]:
    return lambda: make_pipeline(
        StandardScaler(), LogisticRegression(C=strength, class_weight="balanced", max_iter=200)
    )


def _trees() -> Any:
    return ExtraTreesClassifier(
        n_estimators=100, min_samples_leaf=3, class_weight="balanced", random_state=0, n_jobs=1
    )


# Name -> makes one. The first of those that are equally good on validation is taken.
CANDIDATES: Mapping[str, Callable[[], Any]] = {
    "logistic regression, C = 0.01": _linear(0.01),
    "logistic regression, C = 1": _linear(1.0),
    "extremely randomised trees": _trees,
}


@dataclass(frozen=True)
class Chosen:
    """A fitted classifier.

    Attributes:
        name: of CANDIDATES. validation: its balanced accuracy there.
    """

    name: str
    validation: float
    model: Any

    def says_violated(self, samples: Samples, features: FeatureSet) -> Bool:
        """Classify all images of a split, (N,)."""
        return np.asarray(self.model.predict(samples.matrix(features)), bool)


def choose(samples: Mapping[str, Samples], features: FeatureSet, category: str | None) -> Chosen:
    """Fit all candidates on train and return the one that is best on validation.

    Args:
        samples: by split. features: what they see. category: clean is told from it; None: from all of them.
    """
    inputs, targets = _problem(samples["train"], features, category)
    held_out, truth = _problem(samples["validation"], features, category)
    fitted = []
    for name, make in CANDIDATES.items():
        model = make().fit(inputs, targets)
        score = float(balanced_accuracy_score(truth, model.predict(held_out)))
        fitted.append(Chosen(name, score, model))
    return max(fitted, key=lambda each: each.validation)


def _problem(
    samples: Samples, features: FeatureSet, category: str | None
) -> tuple[NDArray[np.float32], Bool]:
    mine = samples.of(category)
    return samples.matrix(features)[mine], samples.violated[mine]
