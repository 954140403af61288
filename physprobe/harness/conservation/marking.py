"""From a model's answers to lmms-eval's metrics. Pure: lmms-eval calls it from several threads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_uppercase
from typing import Any

from physprobe.conservation.breakdown import SETTING, setting_of
from physprobe.conservation.matching import match_option
from physprobe.conservation.metrics import AnswerRecord, Estimate, conservation_scores
from physprobe.harness.conservation.layout import prompt_hash
from physprobe.harness.conservation.questions import Row
from physprobe.harness.scoring import Scoring, collected_by

# What lmms-eval's own table shows, each followed by its bounds; the results file holds all scores.
SCORES = (
    "accuracy_overall",
    "accuracy_conserving",
    "accuracy_nonconserving",
    "accuracy_strict_pair",
    "rate_unread",
)
IDK_SCORES = (*SCORES, "share_idk")
_HIGHER_IS_BETTER = {"rate_unread": False, "share_idk": None}  # not to know is no merit and no fault

# The metric whose item in the samples file is the whole record of a question.
DETAILS = SCORES[0]
JUDGES = "judges"  # in that record: what each judge said, if they were asked


@dataclass(frozen=True)
class Reading:
    """One answer as it is carried to the aggregation.

    Attributes:
        record: what is scored. letter, rule: as read by the templates.
        text, details: of an unread answer, for a second reader: what it says, the question's whole record.
    """

    record: AnswerRecord
    letter: str | None
    rule: str
    text: str = ""
    details: Mapping[str, Any] | None = None

    @classmethod
    def of(cls, details: Mapping[str, Any], text: str = "") -> Reading:
        """Take from a question's record, and from the answer itself, what is to be carried."""
        record = AnswerRecord.taken_from(details)
        read = (record, details["letter"], details["rule"])
        return cls(*read) if record.relation is not None else cls(*read, text, details)


def mark(row: Row, answer: str) -> dict[str, Any]:
    """Read and mark one answer.

    Returns:
        For each metric what it collects: the whole record of the question for the first (it lands in the
        samples file), and for the others one word that carries the part they need.
    """
    details = {
        **{name: row[name] for name in ("question_id", "pair_id", "video_id", "domain", "condition")},
        **{name: row[name] for name in (*SETTING, "media")},
        "setting": setting_of(row),
        "frame_indices": list(row["frame_indices"]),
        "prompt_sha256": prompt_hash(row),
        "options": list(row["options"]),
        "claims": list(row["relations"]),
        "answer": row["answer"],
    }
    return collected(read_anew(details, answer), answer)


def read_anew(details: Mapping[str, Any], answer: str) -> dict[str, Any]:
    """Return a question's record, its answer read by the templates; what judges read else stands."""
    match = match_option(answer, details["options"])
    if match.letter is None and JUDGES in details:
        return dict(details)
    asked = {name: value for name, value in details.items() if name != JUDGES}
    return settled(asked, match.letter, match.rule)


def settled(details: Mapping[str, Any], letter: str | None, rule: str) -> dict[str, Any]:
    """Say in a question's record which letter was read, by which rule, and whether it is right."""
    claim = None if letter is None else details["claims"][ascii_uppercase.index(letter)]
    correct = letter == details["answer"]
    return {**details, "letter": letter, "rule": rule, "relation": claim, "correct": correct}


def collected(details: dict[str, Any], text: str) -> dict[str, Any]:
    """Return what each metric collects of a question: its record for the first, a word for the others.

    Args:
        details: the record. text: the answer.
    """
    reading = Reading.of(details, text)
    scores = IDK_SCORES if "idk" in details["claims"] else SCORES
    return collected_by(scores, details, _word(reading.record), reading)


@lru_cache(maxsize=16)
def estimates(records: tuple[AnswerRecord, ...]) -> Mapping[str, Estimate]:
    """Compute all scores of some records. The last few sets are kept."""
    return conservation_scores(records)


def _estimates(readings: tuple[Reading, ...]) -> Mapping[str, Estimate]:
    return estimates(tuple(reading.record for reading in readings))


def _word(record: AnswerRecord) -> str:
    if record.relation in (None, "idk"):
        return record.relation or "unread"
    return "correct" if record.correct else "wrong"


SCORING = Scoring(lambda reading: reading.record.question_id, Reading.of, _estimates, _HIGHER_IS_BETTER)
