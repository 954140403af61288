"""Adapts conservationbench to lmms-eval: rows to messages, answers to records, records to metrics.

``tasks/conservation`` holds only the wiring. State (the clips' table, decoded frames) lives here, once a
process. Every function that lmms-eval calls while scoring is pure, for it calls them from several threads.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from threading import Lock
from typing import Any

import numpy as np

from physprobe import data
from physprobe.conservation.matching import match_option
from physprobe.conservation.metrics import AnswerRecord, conservation_scores, metric_names
from physprobe.conservation.prompts import interleave
from physprobe.conservation.vocabulary import LETTERS, RELATIONS
from physprobe.errors import UserError
from physprobe.harness.carriers import MarkedAnswer, Score
from physprobe.video import FrameCache

DATASET = "conservationbench"
STANDARD: Mapping[str, object] = {"prompt_style": "direct", "frame_count": 7, "extraction": "uniform"}
SCORES = (
    "accuracy_overall",
    "accuracy_conserving",
    "accuracy_nonconserving",
    "accuracy_strict_pair",
    "rate_unread",
)
REPORTED: tuple[str, ...] = tuple(name for score in SCORES for name in metric_names(score))
NEEDED = (
    *("question_id", "pair_id", "video_id", "domain", "condition", "frame_indices"),
    *("question", "options", "answer", "answer_relation", *STANDARD),
)

Row = Mapping[str, Any]

_loading = Lock()


@dataclass(frozen=True)
class _Clips:
    """One dataset's clips: its ``videos`` config, where each clip is in it, and the frames decoded so far."""

    table: Any
    rows: Mapping[str, int]
    frames: FrameCache

    def video(self, video_id: str) -> bytes:
        """Return a clip's MP4."""
        if video_id not in self.rows:
            raise UserError(f"dataset {DATASET} has no clip {video_id}, which a question shows: rebuild it")
        return self.table[self.rows[video_id]]["video"]["bytes"]


def __getattr__(name: str) -> str:
    """Give ``DATASET_PATH``, for the task files: where the dataset lies, looked up when lmms-eval reads them.

    Raises:
        UserError: the dataset is not there; says where it looked and what to do.
    """
    if name != "DATASET_PATH":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    data.load_config(DATASET, "questions")
    return data.dataset_path(DATASET)


def standard_questions(domain: str, dataset: Any) -> Any:
    """Keep a domain's questions in the standard condition (7 uniform frames, direct prompt).

    Args:
        domain: "number", "length", ... dataset: the ``questions`` config, a ``datasets.Dataset``.

    Returns:
        The rows, in their order, with a new column ``relations``: what each shown option claims.

    Raises:
        UserError: a column or the questions are missing, or a clip has no twin.
    """
    missing = [name for name in NEEDED if name not in dataset.column_names]
    if missing:
        raise UserError(
            f"dataset {DATASET} lacks column {missing[0]!r}: rebuild it with this version of physprobe"
        )
    wanted = {"domain": domain, **STANDARD}
    keep = np.logical_and.reduce([np.array(dataset[name][:]) == value for name, value in wanted.items()])
    if not keep.any():
        asked = ", ".join(f"{name}={value}" for name, value in wanted.items())
        raise UserError(f"dataset {DATASET} has no question with {asked}: build one that covers this domain")
    chosen = dataset.select(np.flatnonzero(keep))
    return chosen.add_column("relations", _relations(chosen.to_list()))


def _relations(rows: Sequence[Row]) -> list[list[str]]:
    """Tell what each option of each row claims, from the truth of both twins; the texts don't say it."""
    claims: dict[str, dict[str, str]] = defaultdict(dict)
    for row in rows:
        claims[row["pair_id"]][row["options"][LETTERS.index(row["answer"])]] = row["answer_relation"]
    return [
        [_claim(option, claims[row["pair_id"]], row["pair_id"]) for option in row["options"]] for row in rows
    ]


def _claim(option: str, known: Mapping[str, str], pair_id: str) -> str:
    if option in known:
        return known[option]
    others = [relation for relation in RELATIONS if relation not in known.values()]
    if len(others) != 1:
        raise UserError(
            f"dataset {DATASET}: pair {pair_id} lacks one of its twins: rebuild it from whole pairs"
        )
    return others[0]


def images(row: Row) -> list[Any]:
    """Return a question's frames as PIL images, in temporal order. A clip is decoded once a process.

    Raises:
        UserError: the clip is missing from the dataset or can't be decoded; names it.
    """
    from PIL import Image

    clips, video_id = _clips(), row["video_id"]
    frames = clips.frames.get(video_id, row["frame_indices"], partial(clips.video, video_id))
    return [Image.fromarray(frame) for frame in frames]


def messages(row: Row) -> list[dict[str, Any]]:
    """Lay out a question for a chat model (Appendix D): "Frame 1: ", image, "Frame 2: ", ..., question."""
    frames = images(row)
    content = [
        {"type": "text", "text": part} if isinstance(part, str) else {"type": "image", "url": frames[part]}
        for _, part in interleave(len(frames), row["question"])
    ]
    return [{"role": "user", "content": content}]


def prompt_hash(row: Row) -> str:
    """Return the SHA-256 of everything a chat model is told: the texts, and where which frame is shown."""
    parts = interleave(len(row["frame_indices"]), row["question"])
    shown = [[kind, part if isinstance(part, str) else row["frame_indices"][part]] for kind, part in parts]
    return hashlib.sha256(json.dumps([row["video_id"], shown]).encode()).hexdigest()


def mark(row: Row, answer: str) -> dict[str, Any]:
    """Read and mark one answer.

    Returns:
        For each metric what it collects: the whole record for the first (it lands in the samples file), and
        for the others one word that carries the part they need.
    """
    match = match_option(answer, row["options"])
    relation = None if match.letter is None else row["relations"][LETTERS.index(match.letter)]
    record = AnswerRecord(
        question_id=row["question_id"],
        pair_id=row["pair_id"],
        domain=row["domain"],
        condition=row["condition"],
        relation=relation,
        correct=match.letter == row["answer"],
        setting="/".join(str(row[name]) for name in STANDARD),
    )
    word = "unread" if relation is None else "correct" if record.correct else "wrong"
    marked = MarkedAnswer(word, record)
    details = {
        **vars(record),
        "video_id": row["video_id"],
        "letter": match.letter,
        "rule": match.rule,
        "answer": row["answer"],
        "frame_indices": list(row["frame_indices"]),
        "prompt_sha256": prompt_hash(row),
    }
    return {name: details if name == REPORTED[0] else marked for name in REPORTED}


def answer_record(item: MarkedAnswer | Mapping[str, Any]) -> AnswerRecord:
    """Return the record of one collected item, also of one read back from a samples file."""
    if isinstance(item, MarkedAnswer):
        return item.record
    return AnswerRecord(**{name: item[name] for name in AnswerRecord.__dataclass_fields__})


def aggregations(score: str) -> tuple[Callable[[Sequence[Any]], Score], ...]:
    """Return the lmms-eval aggregations of a score and its two confidence bounds."""
    return tuple(partial(_aggregate, name) for name in metric_names(score))


def pool(scores: Sequence[Score], sizes: Sequence[int], weight_by_size: bool) -> Score:
    """Compute a metric of a group from the records of all its tasks (not from the tasks' values)."""
    records = [record for score in scores for record in score.records]
    return _score(scores[0].metric, records)


def reference_answer(kind: str, row: Row, rng: np.random.Generator) -> str:
    """Answer as a reference model does, in the shown letter format.

    Args:
        kind: "oracle" (the truth), "chance" (any option), "invariance" (the quantity stayed the same),
            "change" (it did not; which way is drawn). rng: of this question.
    """
    claims = dict(zip(LETTERS, row["relations"], strict=True))
    same = [letter for letter, relation in claims.items() if relation == "same"]
    choices = {
        "oracle": [row["answer"]],
        "chance": list(claims),
        "invariance": same,
        "change": [letter for letter in claims if letter not in same],
    }[kind]
    return f"({choices[rng.integers(len(choices))]})"


def _aggregate(metric: str, items: Sequence[MarkedAnswer | Mapping[str, Any]]) -> Score:
    return _score(metric, [answer_record(item) for item in items])


def _score(metric: str, records: Sequence[AnswerRecord]) -> Score:
    ordered = tuple(sorted(records, key=lambda record: record.question_id))
    return Score(_scores(ordered)[metric], metric, ordered)


@lru_cache(maxsize=16)
def _scores(records: tuple[AnswerRecord, ...]) -> dict[str, float]:
    found = conservation_scores(records)
    return {
        name: value
        for score, estimate in found.items()
        for name, value in zip(
            metric_names(score), (estimate.value, estimate.low, estimate.high), strict=True
        )
    }


def _clips() -> _Clips:
    with _loading:  # once, although several threads may ask
        return _load_clips(data.dataset_path(DATASET))


@lru_cache(maxsize=1)
def _load_clips(path: str) -> _Clips:
    table = data.load_config(DATASET, "videos")
    return _Clips(table, {video_id: row for row, video_id in enumerate(table["video_id"])}, FrameCache())
