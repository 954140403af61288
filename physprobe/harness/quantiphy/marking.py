"""From a model's answers to lmms-eval's metrics. Pure: lmms-eval calls it from several threads."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Any

import numpy as np

from physprobe.harness.quantiphy.layout import frame_indices, prompt_hash, shown_as
from physprobe.harness.scoring import Scoring, collected_by
from physprobe.quantiphy.codes import CATEGORIES, Codes
from physprobe.quantiphy.metrics import Items, item_mra, quantiphy_scores
from physprobe.quantiphy.reading import read_answer
from physprobe.quantiphy.submission import RECORD
from physprobe.statistics.estimates import Estimate

# What lmms-eval's own table shows, each followed by its bounds; the results file holds all scores.
_COMMON = ("mra_questions", "mra_median", "share_zero", "rate_invalid", "rate_unread")
SCORES = (RECORD, *(f"mra_{category}" for category in CATEGORIES), *_COMMON)
_HIGHER_IS_BETTER = dict.fromkeys(("share_zero", "rate_invalid", "rate_unread"), False)

_KEPT = ("question_id", "video_id", "video_source", "video_type", "fps", "inference_type")
_TOLD = (
    "question",
    "prior",
    "depth_info",
    "truth",
    "unit",
    "unit_stated",
    "category",
    "background",
    "objects",
)


@dataclass(frozen=True)
class Reading:
    """One answer as it is carried to the aggregation.

    Attributes:
        question_id, video_id, video_source: of the question. codes: category, background, object number.
        prediction, truth: in the asked unit; None where unread, or withheld.
        reason, rule, flags: how it was read, see :class:`physprobe.quantiphy.reading.Reading`.
    """

    question_id: str
    video_id: str
    video_source: str
    codes: tuple[str, str, str]
    prediction: float | None
    truth: float | None
    reason: str
    rule: str
    flags: tuple[str, ...]

    @classmethod
    def of(cls, details: Mapping[str, Any]) -> Reading:
        """Take from a question's record what is to be carried."""
        return cls(
            question_id=details["question_id"],
            video_id=details["video_id"],
            video_source=details["video_source"],
            codes=(details["category"], details["background"], details["objects"]),
            prediction=details["prediction"],
            truth=details["truth"],
            reason=details["reason"],
            rule=details["rule"],
            flags=tuple(details["flags"]),
        )


def mark(row: Mapping[str, Any], answer: str) -> dict[str, Any]:
    """Read and mark one answer.

    Returns:
        For each metric what it collects: the whole record of the question for the first (it lands in the
        samples file), and for the others one word that carries the part they need.
    """
    details = {
        **{name: row[name] for name in (*_KEPT, *_TOLD, "style", "factor")},
        "shown": shown_as(row),
        "frame_indices": frame_indices(row),
        "prompt_sha256": prompt_hash(row),
    }
    return collected(read_anew(details, answer))


def read_anew(details: Mapping[str, Any], answer: str) -> dict[str, Any]:
    """Return a question's record with what its answer is read as, and marked."""
    read = read_answer(answer, details["unit"])
    found = {"prediction": read.value, "reason": read.reason, "rule": read.rule, "flags": list(read.flags)}
    (mra,) = item_mra(items((Reading.of({**details, **found}),))).tolist()
    return {**details, **found, "mra": None if math.isnan(mra) else mra}


def collected(details: dict[str, Any]) -> dict[str, Any]:
    """Return what each metric collects of a question: its record for the first, a word for the others."""
    mra = details["mra"]
    word = "unread" if details["reason"] else "unmarked" if mra is None else f"{mra:g}"
    return collected_by(SCORES, details, word, Reading.of(details))


def items(readings: Sequence[Reading]) -> Items:
    """Lay out readings for the metrics."""

    def numbers(values: Sequence[float | None]) -> Any:
        return np.array([math.nan if value is None else value for value in values], dtype=np.float64)

    codes = np.array([reading.codes for reading in readings], dtype=np.str_).reshape(-1, 3).T
    return Items(
        np.array([reading.video_id for reading in readings], dtype=object),
        numbers([reading.prediction for reading in readings]),
        numbers([reading.truth for reading in readings]),
        Codes(*codes),
    )


@lru_cache(maxsize=16)
def estimates(readings: tuple[Reading, ...]) -> Mapping[str, Estimate]:
    """Compute all scores of some readings. The last few sets are kept."""
    return quantiphy_scores(items(readings))


SCORING = Scoring(attrgetter("question_id"), Reading.of, estimates, _HIGHER_IS_BETTER)
