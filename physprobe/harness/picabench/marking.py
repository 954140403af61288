"""From a model's answers to lmms-eval's metrics. Pure: lmms-eval calls it from several threads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Any

from physprobe.consistency.boxes import iou
from physprobe.harness.picabench.layout import Row, prompt_hash
from physprobe.harness.scoring import Scoring, collected_by
from physprobe.picabench.items import FACTORS
from physprobe.picabench.metrics import SCORES, Item, nan_without, picabench_scores
from physprobe.picabench.reading import read_reply
from physprobe.statistics.estimates import Estimate

# The metric whose item in the samples file is the whole record of a question.
DETAILS = SCORES[0]

_KEPT = ("question_id", "image_id", "question", "truth", "box", "box_problem")


@dataclass(frozen=True)
class Reading:
    """One answer as it is carried to the aggregation.

    Attributes:
        question_id: of the question. item: what is scored. factors: factor -> level.
        unread: whether neither yes nor no could be read. reasons: why the answer is invalid.
    """

    question_id: str
    item: Item
    factors: tuple[tuple[str, str], ...]
    unread: bool
    reasons: tuple[str, ...]

    @classmethod
    def of(cls, details: Mapping[str, Any]) -> Reading:
        """Take from a question's record what is to be carried."""
        item = Item(
            image_id=details["image_id"],
            right=details["correct"],
            iou=nan_without(details["iou"]),
            invalid=bool(details["reasons"]),
        )
        factors = tuple((name, details[name]) for name in FACTORS)
        unread = details["predicted"] is None
        return cls(details["question_id"], item, factors, unread, tuple(details["reasons"]))


def mark(row: Row, answer: str) -> dict[str, Any]:
    """Read and mark one answer.

    Returns:
        For each metric what it collects: the whole record of the question for the first (it lands in the
        samples file), and for the others one word that carries the part they need.
    """
    asked = {**{name: row[name] for name in _KEPT}, **{name: row["factors"][name] for name in FACTORS}}
    return collected(read_anew({**asked, "prompt_sha256": prompt_hash(row)}, answer))


def read_anew(details: Mapping[str, Any], answer: str) -> dict[str, Any]:
    """Return a question's record with what its answer is read as, and marked."""
    read, true_box = read_reply(answer), details["box"]
    return {
        **details,
        "predicted": read.yes,
        "predicted_box": None if read.box is None else list(read.box),
        "predicted_explanation": read.explanation,
        "reasons": list(read.reasons),
        "iou": None if true_box is None else iou(read.box, tuple(true_box)),
        "correct": read.yes is details["truth"],
    }


def collected(details: dict[str, Any]) -> dict[str, Any]:
    """Return what each metric collects of a question: its record for the first, a word for the others."""
    word = "unread" if details["predicted"] is None else "correct" if details["correct"] else "wrong"
    return collected_by(SCORES, details, word, Reading.of(details))


@lru_cache(maxsize=16)
def estimates(items: tuple[Item, ...]) -> Mapping[str, Estimate]:
    """Compute all scores of some answers. The last few sets are kept."""
    return picabench_scores(items)


def _estimates(readings: tuple[Reading, ...]) -> Mapping[str, Estimate]:
    return estimates(tuple(reading.item for reading in readings))


SCORING = Scoring(attrgetter("question_id"), Reading.of, _estimates, {"rate_invalid": False})
