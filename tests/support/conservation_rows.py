"""Rows of conservationbench as the builder writes them, and clips to go with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import datasets
import numpy as np

from generation.media.video import encode_mp4
from physprobe.conservation.prompts import option_text, question_text, static_question
from physprobe.conservation.vocabulary import LETTERS, RELATIONS
from physprobe.harness.clips import Clips
from physprobe.harness.conservation.clips import DATASET
from physprobe.video import FrameCache

POSITION = {"number": "upper", "length": "upper", "volume": "left", "size": "left"}
FRAMES, WIDTH, HEIGHT = 12, 64, 48


def row(
    pair: str = "number_a_1", condition: str = "conserving", style: str = "direct", **changes: Any
) -> dict[str, Any]:
    """A question with 7 uniform frames; the moved object is up or left, and gains in the twin."""
    domain = pair.split("_")[0]
    options = [option_text(domain, relation, POSITION[domain]) for relation in RELATIONS]
    truth = "same" if condition == "conserving" else "moved_more"
    made = {
        "question_id": f"{pair}_{condition}__{style}_7_uniform",
        "pair_id": pair,
        "video_id": f"{pair}_{condition}",
        "domain": domain,
        "condition": condition,
        "prompt_style": style,
        "frame_count": 7,
        "extraction": "uniform",
        "frame_indices": [0, 1, 2, 3, 4, 5, 6],
        "question": question_text(domain, style, options),
        "options": options,
        "answer": LETTERS[RELATIONS.index(truth)],
        "answer_relation": truth,
    }
    return {**made, **changes}


def twins(pair: str = "number_a_1", **changes: Any) -> list[dict[str, Any]]:
    return [row(pair, **changes), row(pair, "nonconserving", **changes)]


def static_row(condition: str) -> dict[str, Any]:
    """A row of the ``static`` config, its image still a plain value."""
    asked = row("number_a_1", condition)
    for name in ("prompt_style", "frame_count", "extraction", "frame_indices"):
        del asked[name]
    question = static_question("number", asked["options"])
    return {**asked, "question_id": f"{asked['video_id']}__static", "question": question, "frame_index": 11}


def dataset(rows: list[dict[str, Any]]) -> Any:
    return datasets.Dataset.from_list(rows)


def clips(folder: Path, *video_ids: str) -> Clips:
    """Clips whose brightness tells the frame's index, 20 more with each frame, and a little the clip's."""
    table = []
    for number in range(len(video_ids)):
        file = folder / f"{number}.mp4"
        encode_mp4((np.full((HEIGHT, WIDTH, 3), 20 * k + number, np.uint8) for k in range(FRAMES)), file, 24)
        table.append({"video": {"bytes": file.read_bytes()}})
    return Clips(DATASET, table, {video_id: k for k, video_id in enumerate(video_ids)}, FrameCache())
