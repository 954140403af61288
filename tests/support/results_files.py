"""Results and samples files as lmms-eval names and fills them, as far as they are read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from physprobe.conservation.breakdown import setting_of
from physprobe.harness.conservation.marking import SCORES
from physprobe.statistics.estimates import metric_names

# Of each of the two tasks, as save_samples saves them.
QUESTIONS = 8
DATASET = {"name": "conservationbench", "version": "1.0.0", "sha256": "1" * 64, "commit": None}


def results(model: str = "physprobe_oracle", date: str = "20260101_000000", **changes: Any) -> dict[str, Any]:
    """The parts of a results file that are read, named as lmms-eval 0.7.3 names them."""
    scores = {
        f"{name},none": value
        for k, score in enumerate(SCORES)
        for name, value in zip(metric_names(score), (0.5 + k / 100, 0.25, 0.75), strict=True)
    }
    row = {"alias": "a", **scores, **{name.replace(",", "_stderr,"): "N/A" for name in scores}}
    tasks = ["conservation_number", "conservation_length"]
    return {
        "results": {name: dict(row) for name in ("conservation", *tasks)},
        "group_subtasks": {"conservation": tasks},
        "versions": {"conservation": "1.0"},
        "n-samples": {name: {"original": QUESTIONS, "effective": QUESTIONS} for name in tasks},
        "physprobe": {"conservation": {"dataset": DATASET}},
        "config": {"model": model, "model_args": ""},
        "model_name": "",
        "date": date,
        **changes,
    }


def save(folder: Path, content: dict[str, Any]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{content['date']}_results.json"
    path.write_text(json.dumps(content))
    return path


TASKS = ("conservation_number", "conservation_length")


def samples_file(place: Path, task: str) -> Path:
    return place.with_name(place.name.replace("_results.json", f"_samples_{task}.jsonl"))


def save_samples(place: Path, conserving: str, nonconserving: str) -> None:
    """Save answers to two pairs of each domain in two frame counts: what is claimed of each condition."""
    for task in TASKS:
        domain = task.removeprefix("conservation_")
        lines = []
        for pair in ("a", "b"):
            for count in (3, 16):
                setting = {"prompt_style": "direct", "frame_count": count, "extraction": "uniform"}
                for condition, claim in (("conserving", conserving), ("nonconserving", nonconserving)):
                    record = {
                        "question_id": f"{domain}{pair}{condition}{count}",
                        "pair_id": pair,
                        "domain": domain,
                        "condition": condition,
                        "relation": claim,
                        "correct": claim == "same" and condition == "conserving",
                        "setting": setting_of(setting),
                    }
                    lines.append(json.dumps({"accuracy_overall": record}))
        samples_file(place, task).write_text("\n".join(lines))
