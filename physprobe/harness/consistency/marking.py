"""From a model's answers to lmms-eval's metrics. Pure: lmms-eval calls it from several threads."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Any

from physprobe.consistency.boxes import iou
from physprobe.consistency.metrics import SCORES, Item, consistency_scores
from physprobe.consistency.prompts import BOX_CONVENTION
from physprobe.consistency.reading import read_diagnosis
from physprobe.consistency.vocabulary import CLEAN
from physprobe.harness.consistency.layout import prompt_hash
from physprobe.harness.consistency.questions import Row
from physprobe.harness.scoring import Scoring, collected_by
from physprobe.statistics.estimates import Estimate

# The metric whose item in the samples file is the whole record of a question.
DETAILS = SCORES[0]

_KEPT = ("question_id", "family_id", "suite", "category", "mechanism", "box")


@dataclass(frozen=True)
class Reading:
    """One answer as it is carried to the aggregation.

    Attributes:
        question_id, suite, mechanism: of the image; mechanism is "" for a clean one. item: what is scored.
        reasons: why the answer is invalid. said: its explanation. reference: the data set's.
    """

    question_id: str
    suite: str
    mechanism: str
    item: Item
    reasons: tuple[str, ...]
    said: str
    reference: str

    @property
    def unread(self) -> bool:
        """Whether neither the decision nor the category could be read."""
        return self.item.predicted is None and self.item.says_consistent is None

    @classmethod
    def of(cls, details: Mapping[str, Any]) -> Reading:
        """Take from a question's record what is to be carried."""
        item = Item(
            family_id=details["family_id"],
            category=details["category"],
            predicted=details["predicted_category"],
            says_consistent=details["predicted_consistent"],
            iou=math.nan if details["iou"] is None else details["iou"],
            invalid=bool(details["reasons"]),
        )
        return cls(
            details["question_id"],
            details["suite"],
            details["mechanism"],
            item,
            tuple(details["reasons"]),
            details["predicted_explanation"],
            details["explanation"],
        )


def mark(row: Row, answer: str) -> dict[str, Any]:
    """Read and mark one answer.

    Returns:
        For each metric what it collects: the whole record of the question for the first (it lands in the
        samples file), and for the others one word that carries the part they need.
    """
    asked = {name: row[name] for name in (*_KEPT, "explanation")}
    return collected(read_anew({**asked, "prompt_sha256": prompt_hash(row)}, answer))


def read_anew(details: Mapping[str, Any], answer: str) -> dict[str, Any]:
    """Return a question's record with what its answer is read as, and marked."""
    read = read_diagnosis(answer, BOX_CONVENTION)
    true_box = details["box"]
    return {
        **details,
        "consistent": details["category"] == CLEAN,
        "predicted_consistent": read.consistent,
        "predicted_category": read.category,
        "predicted_box": None if read.box is None else list(read.box),
        "predicted_explanation": read.explanation,
        "reasons": list(read.reasons),
        "iou": None if true_box is None else iou(read.box, tuple(true_box)),
        "correct": read.category == details["category"],
    }


def collected(details: dict[str, Any]) -> dict[str, Any]:
    """Return what each metric collects of a question: its record for the first, a word for the others."""
    reading = Reading.of(details)
    word = "unread" if reading.unread else "correct" if details["correct"] else "wrong"
    return collected_by(SCORES, details, word, reading)


@lru_cache(maxsize=16)
def estimates(items: tuple[Item, ...]) -> Mapping[str, Estimate]:
    """Compute all scores of some answers. The last few sets are kept."""
    return consistency_scores(items)


def _estimates(readings: tuple[Reading, ...]) -> Mapping[str, Estimate]:
    return estimates(tuple(reading.item for reading in readings))


SCORING = Scoring(attrgetter("question_id"), Reading.of, _estimates, {"rate_invalid": False})
