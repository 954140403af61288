"""Results folders as lmms-eval leaves them, from answers given in a test."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from physprobe.harness.conservation.marking import SCORES, mark
from tests.support.conservation_rows import row

Row = Mapping[str, Any]

PAIRS = ("number_a_1", "number_a_2", "length_b_1", "length_b_2")


def asked(
    pair: str, condition: str, media: str = "frames", idk: bool = False, **changes: Any
) -> dict[str, Any]:
    """A row as a task hands it to ``mark``."""
    made = row(pair, condition, **changes)
    options, relations = list(made["options"]), ["same", "moved_more", "moved_less"]
    if idk:
        options, relations = [*options, "I don't know."], [*relations, "idk"]
    return {**made, "options": options, "relations": relations, "media": media, "labelled": True}


def both_twins(pairs: Sequence[str] = PAIRS, **changes: Any) -> list[dict[str, Any]]:
    return [
        asked(pair, condition, **changes) for pair in pairs for condition in ("conserving", "nonconserving")
    ]


def truth(question: Row) -> str:
    return str(question["answer"])


def save_run(
    folder: Path,
    model: str,
    tasks: Mapping[str, Sequence[Row]],
    answer: Callable[[Row], str] = truth,
    *,
    version: str = "1.0",
    date: str = "20260101_000000",
    dataset: str = "",
    sha256: str = "",
    matching: str = "stage1-only",
    benchmark: str = "conservation",
    scores: Sequence[str] = SCORES,
    marked: Callable[[Row, str], Mapping[str, Any]] = mark,
    told: Mapping[str, Any] | None = None,
    whole: int = 0,
) -> Path:
    """Save one model's answers to some tasks; return the results file.

    ``told`` goes under the benchmark. ``whole``: how many questions each task has, where not all were asked.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for task, rows in tasks.items():
        lines = []
        for number, each in enumerate(rows):
            reply = answer(each)
            sample = {
                "doc_id": number,
                "filtered_resps": reply,
                **marked(each, reply),
                "input": each["question"],
            }
            lines.append(json.dumps(sample))
        path = folder / f"{date}_samples_{task}.jsonl"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    saved = {
        "results": {task: {f"{score},none": 0.5 for score in scores} for task in tasks},
        "configs": {task: {} for task in tasks},
        "group_subtasks": {task: [] for task in tasks},
        "versions": dict.fromkeys(tasks, version),
        "n-samples": {
            task: {"original": whole or len(rows), "effective": len(rows)} for task, rows in tasks.items()
        },
        "config": {"model": model, "model_args": ""},
        "model_name": model,
        "date": date,
        "physprobe": {
            benchmark: {
                "matching": {"matching": matching},
                **({"dataset": {"version": dataset, "sha256": sha256}} if dataset else {}),
                **(told or {}),
            }
        },
    }
    place = folder / f"{date}_results.json"
    place.write_text(json.dumps(saved), encoding="utf-8")
    return place
