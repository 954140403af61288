"""The modality check: does what a task shows really reach the model? (paper Appendix E)

The model says how many images it received and what they show. The number is scored; a person reads the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from physprobe.conservation.controls import MODALITY_REQUEST, modality_answer, read_count
from physprobe.harness.conservation.questions import STANDARD, Row, all_questions

_MEDIA = ("frames", "white", "nothing")


def modality_questions(dataset: Any) -> Any:
    """Make the checks: of each domain the first clip in all its frame counts, white, and with no image.

    Returns:
        A dataset with the columns that showing a row needs, and ``count``; ``answer`` is the line expected.
    """
    import datasets

    rows = all_questions(dataset).to_list()
    return datasets.Dataset.from_list([check for row in _first_clips(rows) for check in _checks(row)])


def _first_clips(rows: Sequence[Row]) -> Iterator[Row]:
    """Yield one row for each domain and frame count, by the first clip of the domain, uniformly sampled."""
    for _, members in groupby(rows, key=lambda row: row["domain"]):
        domain = [row for row in members if row["extraction"] == STANDARD["extraction"]]
        first = [row for row in domain if row["video_id"] == domain[0]["video_id"]]
        yield from {row["frame_count"]: row for row in first}.values()


def _checks(row: Row) -> Iterator[dict[str, Any]]:
    standard = row["frame_count"] == STANDARD["frame_count"]
    for media in _MEDIA if standard else _MEDIA[:1]:
        count = 0 if media == "nothing" else row["frame_count"]
        yield {
            "question_id": f"{row['video_id']}__modality_{media}_{count}",
            "video_id": row["video_id"],
            "question": MODALITY_REQUEST,
            "media": media,
            "labelled": False,  # labels would give the number away
            "frame_indices": row["frame_indices"],
            "clip_frames": row["clip_frames"],
            "count": count,
            "answer": modality_answer(count),
        }


def mark_modality(row: Row, answer: str) -> dict[str, Any]:
    """Score how many images the model says it received."""
    return check_anew({name: row[name] for name in ("question_id", "media", "count")}, answer)


def check_anew(check: Mapping[str, Any], answer: str) -> dict[str, Any]:
    """Read the number in an answer to a check, given its question_id, media and count."""
    said = read_count(answer)
    return {
        "count_correct": {**check, "said": said, "correct": said == check["count"]},
        "count_unread": float(said is None),
    }


def share_correct(items: Sequence[dict[str, Any]]) -> float:
    """Return the share of checks in which the number was right."""
    return sum(item["correct"] for item in items) / len(items)


def mean(items: Sequence[float]) -> float:
    """Return the mean."""
    return sum(items) / len(items)
