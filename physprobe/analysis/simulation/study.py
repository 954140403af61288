"""What is true of simulated models: effects that all share, and each one's own parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from physprobe.analysis.simulation.questions import EXTRACTIONS
from physprobe.conservation.vocabulary import FRAME_COUNTS, PROMPT_STYLES
from physprobe.statistics.bootstrap import Float

# Transformation -> level -> change of the probability to know. Shaped after the paper's findings (section
# 4.4); what is not listed has no effect.
PROMPT_EFFECTS: Mapping[str, Mapping[str, float]] = {
    "helpful": {"cot": -0.05, "continuous": 0.025},
    "mandatory": {},
}
COUNT_EFFECTS: Mapping[str, Mapping[int, float]] = {"helpful": {}, "mandatory": {7: 0.02}}
EXTRACTION_EFFECTS: Mapping[str, Mapping[str, float]] = {"helpful": {}, "mandatory": {"uniform": 0.04}}

_FACTORS: tuple[tuple[str, tuple[object, ...], Mapping[str, Mapping]], ...] = (
    ("prompt_style", PROMPT_STYLES, PROMPT_EFFECTS),
    ("frame_count", FRAME_COUNTS, COUNT_EFFECTS),
    ("extraction", EXTRACTIONS, EXTRACTION_EFFECTS),
)


@dataclass(frozen=True)
class Study:
    """What simulated models have in common.

    Attributes:
        seed: of everything that is drawn. bias: mean invariance bias, the probability to say "same" when
            guessing; 1/3 would be no bias.
        bias_spread, ability_spread: standard deviations over models. ability: mean probability to know of a
            1B model. growth: by how much it rises with a factor of ten in size.
        own_effects: standard deviation of each model's own effects of prompt, frame count and extraction.
        pair_spread: of the difficulty of pairs for all models. own_pair_spread: for each model anew.
    """

    seed: int
    bias: float = 0.65
    bias_spread: float = 0.17
    ability: float = 0.03
    ability_spread: float = 0.08
    growth: float = 0.06
    own_effects: float = 0.02
    pair_spread: float = 0.06
    own_pair_spread: float = 0.08


@dataclass(frozen=True)
class Model:
    """One simulated model.

    Attributes:
        name: with its size, as "simulated-004-7.3B". parameters: in billions.
        ability: probability to know without any effect, before pairs make it easier or harder.
        bias: probability to say "same" when guessing, by what is shown (frames, white, nothing, image).
        unread: probability that an answer can't be read. idk: to say "I don't know", not guess, by what
            is shown.
        effects: this model's own: transformation -> factor -> level -> change of the probability to know.
    """

    name: str
    parameters: float
    ability: float
    bias: Mapping[str, float]
    unread: float
    idk: Mapping[str, float]
    effects: Mapping[str, Mapping[str, Mapping]] = field(repr=False)


def _rng(study: Study, *key: int) -> np.random.Generator:
    return np.random.default_rng(np.random.SeedSequence(study.seed, spawn_key=key))


def draw_model(study: Study, number: int) -> Model:
    """Draw a model's parameters; they depend on the study and the number alone, not on how many there are."""
    rng = _rng(study, 1, number)
    size = round(float(10 ** rng.uniform(0, np.log10(76))), 1)
    ability = study.ability + study.growth * np.log10(size) + study.ability_spread * rng.standard_normal()
    bias = study.bias + study.bias_spread * rng.standard_normal()
    blind = bias + rng.normal([0.15, 0.08], 0.1)
    shown = {"frames": bias, "white": blind[0], "nothing": blind[1], "image": 0.6 * bias}
    idk = rng.beta([1, 4, 4], [30, 6, 8])
    return Model(
        name=f"simulated-{number:03d}-{size}B",
        parameters=size,
        ability=float(np.clip(ability, 0, 0.95)),
        bias={media: float(np.clip(value, 0.02, 0.98)) for media, value in shown.items()},
        unread=float(rng.beta(1, 60)),
        idk=dict(zip(("frames", "white", "nothing"), idk.tolist(), strict=True)),
        effects={
            transformation: {
                factor: {
                    level: shared[transformation].get(level, 0.0)
                    + study.own_effects * float(rng.standard_normal())
                    for level in levels
                }
                for factor, levels, shared in _FACTORS
            }
            for transformation in ("helpful", "mandatory")
        },
    )


def chances_to_know(study: Study, number: int, model: Model, asked: pd.DataFrame) -> Float:
    """Return the probability that a model knows the answer, for each question: (N,) in [0, 1].

    Nobody knows without images; a still image of the last state helps by 0.25.
    """
    pairs, codes = np.unique(asked["pair_id"].to_numpy(dtype=str), return_inverse=True)
    hard = study.pair_spread * _rng(study, 0).standard_normal(len(pairs))
    own = study.own_pair_spread * _rng(study, 2, number).standard_normal(len(pairs))
    know = model.ability + (hard + own)[codes]
    for transformation, factors in model.effects.items():
        inside = (asked["transformation"] == transformation).to_numpy()
        for factor, levels in factors.items():
            know[inside] += asked.loc[inside, factor].map(levels).fillna(0.0).to_numpy(dtype=np.float64)
    know += 0.25 * (asked["media"] == "image").to_numpy()
    sees = asked["media"].isin(["frames", "image"]).to_numpy()
    return np.clip(know, 0, 1) * sees
