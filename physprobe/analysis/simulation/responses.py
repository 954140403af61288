"""What simulated models answer, and what is to be expected of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from physprobe.analysis.simulation.study import Model, Study, _rng, chances_to_know
from physprobe.conservation.metrics import CLAIMS
from physprobe.statistics.bootstrap import Float

UNREAD = -1


@dataclass(frozen=True)
class Behaviour:
    """How a model answers each of N questions.

    Attributes:
        know: probability to know the answer. same: to say "same" when guessing. idk: to say "I don't know"
            instead of guessing. unread: that the answer can't be read. truth: index into CLAIMS.
    """

    know: Float
    same: Float
    idk: Float
    unread: float
    truth: NDArray[np.int64]

    def correct(self) -> Float:
        """Return the probability of a correct answer, (N,)."""
        guess = np.where(self.truth == 0, self.same, (1 - self.same) / 2)
        return (1 - self.unread) * (self.know + (1 - self.know) * (1 - self.idk) * guess)

    def draw(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw responses: indices into CLAIMS, or UNREAD."""
        read, knows, abstains, same, more = rng.random((5, len(self.truth)))
        guess = np.where(same < self.same, 0, np.where(more < 0.5, 1, 2))
        unsure = np.where(abstains < self.idk, CLAIMS.index("idk"), guess)
        return np.where(read < self.unread, UNREAD, np.where(knows < self.know, self.truth, unsure))


def behaviour(study: Study, number: int, model: Model, asked: pd.DataFrame) -> Behaviour:
    """Work out how a model answers each question."""
    offered = asked["idk_offered"].to_numpy(dtype=bool)
    return Behaviour(
        know=chances_to_know(study, number, model, asked),
        same=np.array([model.bias[media] for media in asked["media"]]),
        idk=np.array([model.idk.get(media, 0.0) for media in asked["media"]]) * offered,
        unread=model.unread,
        truth=pd.Categorical(asked["truth"], categories=list(CLAIMS)).codes.astype(np.int64),
    )


def draw_responses(study: Study, number: int, known: Behaviour) -> NDArray[np.int64]:
    """Draw a model's responses, seeded by the study and the model's number."""
    return known.draw(_rng(study, 3, number))


def expected_scores(known: Behaviour, asked: pd.DataFrame) -> dict[str, float]:
    """Return what a model's scores on the full task would be with infinitely many answers.

    Returns:
        accuracy_overall, accuracy_conserving, accuracy_nonconserving, accuracy_strict_pair, rate_unread, and
        the accuracy by "TRANSFORMATION/FACTOR/LEVEL".
    """
    full = (asked["task"] == "conservation_full").to_numpy()
    part = asked[full].assign(right=known.correct()[full])
    setting = ["pair_id", "prompt_style", "frame_count", "extraction"]
    by_condition = part.groupby("condition")["right"].mean()
    levels: dict[str, float] = {}
    for factor in setting[1:]:
        names = part["transformation"] + f"/{factor}/" + part[factor].astype(str)
        levels |= {str(name): float(value) for name, value in part.groupby(names)["right"].mean().items()}
    return {
        "accuracy_overall": float(part["right"].mean()),
        **{f"accuracy_{condition}": float(value) for condition, value in by_condition.items()},
        "accuracy_strict_pair": float(part.groupby(setting)["right"].prod().mean()),
        "rate_unread": known.unread,
        **levels,
    }
