"""Simulates models on quantiphy: how well they measure, how biased they are, how much they only guess.

A model answers each question in one of two ways. It measures: its answer is the true one (as multiplied,
where the prior is), off by a factor that is log-normal around its bias. Or it relies on what it knows of the
world, and then neither the video nor the prior matters; without one of them it can only do that.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import ArrayLike
from scipy.stats import norm

from physprobe.analysis.layout import hashes
from physprobe.analysis.quantiphy.schema import LAYOUT, STANDARD_TASKS
from physprobe.analysis.simulation.folder import TASK_VERSION, Simulated, encoded, write_study
from physprobe.quantiphy.codes import read_codes
from physprobe.quantiphy.mra import QUANTIPHY_THRESHOLDS, mean_relative_accuracy
from physprobe.statistics.bootstrap import Float

FACTORS = (0.001, 0.01, 0.1, 0.5, 2.0, 10.0, 100.0, 700.0)
QUESTIONS = 6  # on a video
_UNITS = {"size": ("m", "cm"), "velocity": ("m/s", "km/h"), "acceleration": ("m/s^2",)}
_STANDARD = "standard"

# Tasks beside the standard ones -> what differs from those.
_CONTROLS: dict[str, dict[str, Any]] = {
    "quantiphy_cot": {"style": "cot"},
    "quantiphy_prior_only": {"shown": "nothing"},
    "quantiphy_no_prior": {"told": False},
    "quantiphy_counterfactual": {"multiplied": True},
    "quantiphy_segmented": {"video_source": "segmentation", "background": "X"},
}


@dataclass(frozen=True)
class QuantityStudy:
    """What simulated models have in common.

    Attributes:
        seed: of everything that is drawn. videos: of each of the 36 video types, with six questions each.
        reliance: mean share of answers that rely on knowledge alone. bias: mean log10 of answer / truth.
        noise: mean standard deviation of that log10 where a 1B model measures; growth: by how much it falls
            with a factor of ten in size. several: by what it is multiplied where there are several objects.
        guess: standard deviation where it relies on knowledge. video_spread: of each model's own error on a
            video, the same for all questions on it.
    """

    seed: int
    videos: int = 4
    reliance: float = 0.5
    bias: float = 0.0
    noise: float = 0.25
    growth: float = 0.06
    several: float = 0.8
    guess: float = 0.5
    video_spread: float = 0.05


@dataclass(frozen=True)
class Measurer:
    """One simulated model.

    Attributes:
        name: with its size. parameters: in billions. reliance, bias, noise: as in the study, of this one.
        steps: by what the noise is multiplied with the prompt that asks for steps.
        unread: probability that an answer can't be read.
    """

    name: str
    parameters: float
    reliance: float
    bias: float
    noise: float
    steps: float
    unread: float


def simulate_quantities(study: QuantityStudy, models: int, out: Path) -> None:
    """Simulate models and write their answers, as :func:`physprobe.analysis.simulation.folder.write_study`.

    Raises:
        UserError: ``models`` is below 1, or ``out`` exists and is not empty.
    """
    asked = questions(study)
    shared = _shared_columns(asked, study)

    def one(number: int) -> Simulated:
        model = draw_measurer(study, number)
        given = _answers(study, number, model, asked)
        return Simulated(model, _table(model, shared, given, asked), expected_scores(study, model, asked))

    write_study(out, LAYOUT, study, models, one)


def questions(study: QuantityStudy) -> pd.DataFrame:
    """Return all questions of one model, task by task; the columns are the layout's, with "multiplied"."""
    rng = np.random.default_rng(np.random.SeedSequence(study.seed, spawn_key=(0,)))
    types = ["".join(parts) for parts in product("SVA", "23", "SM", "XSC")]
    rows = [
        _question(video_type, f"{video_type}_{video:02d}", number, rng)
        for video_type in types
        for video in range(study.videos)
        for number in range(QUESTIONS)
    ]
    standard = pd.DataFrame(rows)
    codes = read_codes(standard["inference"], standard.pop("video_type"))
    standard = standard.assign(category=codes.category, background=codes.background, objects=codes.objects)
    standard = standard.assign(task="quantiphy_" + standard["category"].str.lower())
    return pd.concat(
        [standard, *(_control(standard, task) for task in _CONTROLS)], ignore_index=True
    ).reset_index(drop=True)


def _question(video_type: str, video: str, number: int, rng: np.random.Generator) -> dict[str, object]:
    kind = ("size", "velocity", "size", "acceleration", "size", "velocity")[number]
    return {
        "question_id": f"{video}__{number}",
        "video_id": video,
        "video_type": video_type,
        "video_source": "simulation",
        "inference": ("S" if video_type[0] == "S" else "D") + ("S" if kind == "size" else "D"),
        "kind": kind,
        "unit": _UNITS[kind][int(rng.integers(len(_UNITS[kind])))],
        "truth": float(10 ** rng.normal(0, 0.5)),
        "factor": FACTORS[int(rng.integers(len(FACTORS)))],
        **{"style": "direct", "shown": "video", "told": True, "multiplied": False},
    }


def _control(standard: pd.DataFrame, task: str) -> pd.DataFrame:
    changed = standard.assign(task=task, **_CONTROLS[task])
    if task == "quantiphy_segmented":
        for name in ("question_id", "video_id"):
            changed[name] = changed["video_id"] + "_segmented" + changed[name].str.slice(len("S2SX_00"))
        changed = changed[standard["background"] != "X"]
    return changed


def draw_measurer(study: QuantityStudy, number: int) -> Measurer:
    """Draw a model's parameters; they depend on the study and the number alone."""
    rng = np.random.default_rng(np.random.SeedSequence(study.seed, spawn_key=(1, number)))
    size = round(float(10 ** rng.uniform(0, np.log10(76))), 1)
    noise = study.noise - study.growth * np.log10(size) + 0.03 * rng.standard_normal()
    return Measurer(
        name=f"simulated-{number:03d}-{size}B",
        parameters=size,
        reliance=float(np.clip(study.reliance + 0.2 * rng.standard_normal(), 0, 1)),
        bias=float(study.bias + 0.1 * rng.standard_normal()),
        noise=float(max(noise, 0.03)),
        steps=float(np.exp(0.25 + 0.2 * rng.standard_normal())),
        unread=float(rng.beta(1, 60)),
    )


def expected_item_mra(bias: ArrayLike, spread: ArrayLike) -> Float:
    """Return the mean MRA of answers that are off by a factor 10 ** e, e normal with this mean and spread."""
    mean, deviation = np.asarray(bias, dtype=np.float64), np.asarray(spread, dtype=np.float64)
    within = [
        norm.cdf((np.log10(2 - theta) - mean) / deviation) - norm.cdf((np.log10(theta) - mean) / deviation)
        for theta in QUANTIPHY_THRESHOLDS
    ]
    return np.mean(within, axis=0)


def expected_scores(study: QuantityStudy, model: Measurer, asked: pd.DataFrame) -> dict[str, float]:
    """Return what a model's scores would be with infinitely many answers.

    Returns:
        For the standard condition ("standard") and each control task the mean of the category means; and
        "log_ratio", "followed" (the slope under multiplied priors), "unread".
    """
    able, noise, wrong = _conditions(study, model, asked)
    own = study.video_spread**2
    measured = expected_item_mra(model.bias, np.sqrt(noise**2 + own))
    known = expected_item_mra(model.bias - wrong, np.sqrt(study.guess**2 + own))
    mra = (1 - model.unread) * np.where(able, (1 - model.reliance) * measured, 0)
    mra += (1 - model.unread) * np.where(able, model.reliance, 1) * known
    condition = asked["task"].where(~asked["task"].isin(STANDARD_TASKS), _STANDARD)
    means = pd.DataFrame({"condition": condition, "category": asked["category"], "mra": mra})
    macro = means.groupby(["condition", "category"])["mra"].mean().groupby(level=0).mean()
    return {
        **{str(name): float(value) for name, value in macro.items()},
        **{"log_ratio": model.bias, "followed": 1 - model.reliance, "unread": model.unread},
    }


def _conditions(
    study: QuantityStudy, model: Measurer, asked: pd.DataFrame
) -> tuple[np.ndarray, Float, Float]:
    """Return where the model can measure, with which noise; and by which log10 factor knowledge is wrong."""
    able = ((asked["shown"] == "video") & asked["told"]).to_numpy(dtype=bool)
    noise = model.noise * np.where(asked["objects"] == "multiple", study.several, 1.0)
    noise = noise * np.where(asked["style"] == "cot", model.steps, 1.0)
    return able, noise, np.log10(np.where(asked["multiplied"], asked["factor"], 1.0))


def _answers(study: QuantityStudy, number: int, model: Measurer, asked: pd.DataFrame) -> Float:
    """Draw a model's answers, NaN where unread."""
    rng = np.random.default_rng(np.random.SeedSequence(study.seed, spawn_key=(2, number)))
    videos, codes = np.unique(asked["video_id"].to_numpy(dtype=str), return_inverse=True)
    own = study.video_spread * rng.standard_normal(len(videos))
    able, noise, wrong = _conditions(study, model, asked)
    relies = ~able | (rng.random(len(asked)) < model.reliance)
    error = rng.standard_normal(len(asked)) * np.where(relies, study.guess, noise) - np.where(
        relies, wrong, 0
    )
    unread = rng.random(len(asked)) < model.unread
    given = _truth(asked) * 10 ** (model.bias + own[codes] + error)
    return np.where(unread, np.nan, given)


def _truth(asked: pd.DataFrame) -> Float:
    scaled = asked["truth"] * np.where(asked["multiplied"], asked["factor"], 1.0)
    return scaled.to_numpy(dtype=np.float64)


def _shared_columns(asked: pd.DataFrame, study: QuantityStudy) -> dict[str, pa.Array]:
    factor = np.where(asked["multiplied"], asked["factor"], 1.0)
    told = asked.assign(
        truth=_truth(asked),
        factor=factor,
        task_version=TASK_VERSION,
        dataset_version=f"simulated-{study.seed}",
        line=asked.groupby("task", sort=False).cumcount(),
    )
    content = told["question_id"] + "|" + asked["truth"].map("{:.9g}".format)
    names = [name for name in LAYOUT.answers.names if name in told]
    return {
        **encoded({name: told[name].tolist() for name in names}, LAYOUT),
        "content": hashes(pa.array(content.tolist())),
    }


def _table(model: Measurer, shared: dict[str, pa.Array], given: Float, asked: pd.DataFrame) -> pa.Table:
    reasons = np.where(np.isnan(given), "no_number", "").tolist()
    own = encoded({"model": [model.name] * len(given), "reason": reasons}, LAYOUT)
    own |= {
        "prediction": pa.array(given, pa.float64()),
        "mra": pa.array(mean_relative_accuracy(given, _truth(asked)), pa.float64()),
    }
    return pa.table({name: {**shared, **own}[name] for name in LAYOUT.answers.names}, schema=LAYOUT.answers)
