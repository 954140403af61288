"""Which questions each task asks: rows of the dataset, with what showing and marking them needs.

A row says by itself how it is shown and marked, in columns that are added here:

    relations    what each shown option claims: "same", "moved_more", "moved_less" or "idk"
    media        what the model sees: "frames" of the clip, "white" images of their size, "nothing", the
                 "image" in the row, or "captions" of the frames
    labelled     whether "Frame 1: " stands before the first image, and so on
    clip_frames  every frame of the row's clip that the task shows
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from loguru import logger

from physprobe import data
from physprobe.conservation.controls import with_dont_know
from physprobe.conservation.subset import human_subset
from physprobe.conservation.vocabulary import DOMAINS, LETTERS, RELATIONS
from physprobe.errors import UserError
from physprobe.harness.columns import require_columns, with_columns
from physprobe.harness.conservation.clips import DATASET

# What tells questions on one clip apart, and its value in the standard condition (Appendix D).
STANDARD: Mapping[str, object] = {"prompt_style": "direct", "frame_count": 7, "extraction": "uniform"}
_NEEDED = (
    *("question_id", "pair_id", "video_id", "domain", "condition"),
    *("question", "options", "answer", "answer_relation"),
)

Row = Mapping[str, Any]


def standard_questions(
    dataset: Any, domain: str | None = None, media: str = "frames", dont_know: bool = False
) -> Any:
    """Keep the questions in the standard condition: 7 uniform frames, direct prompt.

    Args:
        dataset: the ``questions`` config, a ``datasets.Dataset``. domain: only this one; None: all there are.
        media: what is shown. dont_know: offer "I don't know" as a fourth option.

    Returns:
        The rows in their order, with the columns of this module.

    Raises:
        UserError: a column or the questions are missing, or a clip has no twin.
    """
    chosen = _select(dataset, {**({"domain": domain} if domain else {}), **STANDARD})
    chosen = _complete(chosen, media)
    return _offer_dont_know(chosen) if dont_know else chosen


def all_questions(dataset: Any) -> Any:
    """Keep every question: all prompt styles, frame counts and ways to pick frames that are there.

    Raises:
        UserError: as :func:`standard_questions`.
    """
    return _complete(_select(dataset, {}), "frames")


def human_subset_questions(dataset: Any) -> Any:
    """Keep one pair in eight, both twins: direct prompt, 7 frames, every way to pick frames that is there.

    Raises:
        UserError: as :func:`standard_questions`.
    """
    asked = {name: value for name, value in STANDARD.items() if name != "extraction"}
    chosen = _select(dataset, asked)
    pairs = _subset(chosen.to_list())
    inside = [k for k, pair in enumerate(chosen["pair_id"]) if pair in pairs]
    return _complete(chosen.select(inside), "frames")


def static_questions(dataset: Any) -> Any:
    """Prepare the ``static`` config, whose rows bring their image.

    Raises:
        UserError: a column is missing, or a clip has no twin.
    """
    require_columns(dataset, DATASET, (*_NEEDED, "frame_index", "image"))
    dataset = with_columns(
        dataset,
        prompt_style=["static"] * len(dataset),
        frame_count=[1] * len(dataset),
        extraction=["last"] * len(dataset),
        frame_indices=[[index] for index in dataset["frame_index"]],
    )
    return _complete(dataset, "image", labelled=False)


def domain_tasks(tasks: Sequence[str]) -> list[str]:
    """Leave out tasks ("conservation_size") whose domain the dataset does not have, with one warning.

    Raises:
        UserError: none is left, or the dataset can't be loaded.
    """
    there = set(data.load_config(DATASET, "questions").unique("domain"))
    absent = [task for task in tasks if task.rpartition("_")[2] not in there]
    if len(absent) == len(tasks):
        raise UserError(f"dataset {DATASET} has no questions on any of {', '.join(DOMAINS)}: rebuild it")
    if absent:
        logger.warning(f"left out, for dataset {DATASET} has no questions for it: {', '.join(absent)}")
    return [task for task in tasks if task not in absent]


def _select(dataset: Any, wanted: Mapping[str, object]) -> Any:
    require_columns(dataset, DATASET, (*_NEEDED, "frame_indices", *STANDARD))
    keep = np.ones(len(dataset), dtype=bool)
    for name, value in wanted.items():
        keep &= np.array(dataset[name][:]) == value
    if not keep.any():
        asked = ", ".join(f"{name}={value}" for name, value in wanted.items())
        raise UserError(f"dataset {DATASET} has no question{asked and f' with {asked}'}: build one that has")
    return dataset.select(np.flatnonzero(keep))


def _complete(dataset: Any, media: str, labelled: bool = True) -> Any:
    names = ["pair_id", "video_id", "options", "answer", "answer_relation", "frame_indices"]
    rows = dataset.select_columns(names).to_list()
    clip_frames: dict[str, set[int]] = defaultdict(set)
    for row in rows:
        clip_frames[row["video_id"]].update(row["frame_indices"])
    return with_columns(
        dataset,
        relations=_relations(rows),
        media=[media] * len(rows),
        labelled=[labelled] * len(rows),
        clip_frames=[sorted(clip_frames[row["video_id"]]) for row in rows],
    )


def _offer_dont_know(dataset: Any) -> Any:
    offered = [with_dont_know(*row) for row in zip(dataset["question"], dataset["options"], strict=True)]
    return with_columns(
        dataset,
        question=[question for question, _ in offered],
        options=[options for _, options in offered],
        relations=[[*relations, "idk"] for relations in dataset["relations"]],
    )


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


def _subset(rows: Sequence[Row]) -> set[str]:
    directions: dict[str, dict[str, str]] = defaultdict(dict)
    for row in rows:
        if row["condition"] == "nonconserving":
            gained = row["answer_relation"] == "moved_more"
            directions[row["domain"]][row["pair_id"]] = "gain" if gained else "loss"
    return {pair for domain in directions.values() for pair in human_subset(domain)}
