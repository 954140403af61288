"""Examples of conservationbench: frames, prompt, and what a few models answered."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import pandas as pd

from physprobe.analysis.answers import Answers
from physprobe.analysis.controls import CONTROLS, IDK_TASKS
from physprobe.analysis.selection import FULL_TASK, STANDARD_TASKS, standard
from physprobe.analysis.static import STATIC_TASK
from physprobe.errors import unknown_name
from physprobe.report.examples.clips import clip_pictures, frame_name, why_no_pictures
from physprobe.report.model import Answered, Example, Examples, Picture, ReportOptions

DATASET = "conservationbench"
_SHOWN_MODELS = 6
_LONGEST_ANSWER = 4000

_TASKS = {
    **dict.fromkeys(STANDARD_TASKS, "standard"),
    FULL_TASK: "all settings",
    STATIC_TASK: "last frame",
    **CONTROLS,
    **{task: f"“I don’t know” offered, {shown}" for task, shown in IDK_TASKS.items()},
}
_CLAIMS = {
    "same": "the same",
    "moved_more": "the moved one has more",
    "moved_less": "the moved one has less",
    "idk": "don’t know",
}
_ORDER = ["task", "prompt_style", "extraction", "frame_count", "question_id"]
_COLUMNS = [
    *("task", "question_id", "domain", "condition", "prompt_style", "frame_count", "extraction"),
    *("video_id", "media", "truth", "model", "response", "correct", "source", "line"),
]


def examples(answers: Answers, options: ReportOptions) -> Examples:
    """Make all questions browsable, with the answers of a few models.

    Args:
        answers: to conservationbench. options: ``example_models`` says whose answers; none: a few, spread
            over the ranking by accuracy.

    Raises:
        UserError: a model in ``options`` has no answers.
    """
    models = _models(answers.frame, options.example_models)
    frame = answers.frame[answers.frame["model"].isin(models)][_COLUMNS]
    paths = [source.path for source in answers.sources]
    notes = _notes(answers, models)
    why = why_no_pictures(DATASET, {source.dataset_version for source in answers.sources})
    if why:
        notes = (*notes, f"No pictures: {why}.")
    pictures = partial(clip_pictures, DATASET) if not why else _no_pictures
    return Examples(models, _items(frame, paths, models, with_pictures=not why), pictures, notes)


def _no_pictures(names: frozenset[str]) -> Iterator[tuple[str, bytes]]:
    return iter(())


def _models(frame: pd.DataFrame, asked: Sequence[str]) -> tuple[str, ...]:
    there = [str(model) for model in frame["model"].cat.categories]
    for model in asked:
        if model not in there:
            raise unknown_name("model", model, there)
    if asked or len(there) <= _SHOWN_MODELS:
        return tuple(asked) or tuple(there)
    chosen = standard(frame)
    accuracy = (chosen if len(chosen) else frame).groupby("model", observed=True)["correct"].mean()
    ranked = [str(model) for model in accuracy.sort_values(ascending=False, kind="stable").index]
    last = len(ranked) - 1
    return tuple(ranked[k * last // (_SHOWN_MODELS - 1)] for k in range(min(_SHOWN_MODELS, len(ranked))))


def _notes(answers: Answers, models: Sequence[str]) -> tuple[str, ...]:
    found = []
    count = answers.frame["model"].nunique()
    if count > len(models):
        found.append(
            f"Answers of {len(models)} of {count} models, spread over the ranking; --example-model chooses "
            "others."
        )
    if not any(source.path.suffix == ".jsonl" for source in answers.sources):
        found.append("These results keep neither prompts nor the words of answers, only what was understood.")
    return tuple(found)


def _items(
    frame: pd.DataFrame, paths: Sequence[Path], models: Sequence[str], *, with_pictures: bool
) -> Iterator[Example]:
    """Yield questions task by task, so that few files are in memory, both twins of a clip together."""
    order = {task: number for number, task in enumerate(_TASKS)}
    frame = frame.assign(order=frame["task"].map(lambda task: order.get(task, len(order))).astype(int))
    for _, part in frame.groupby("order", sort=True):
        told = {source: _samples(paths[source]) for source in part["source"].unique()}
        records = part.sort_values(_ORDER, kind="stable").to_dict("records")
        for _, rows in groupby(records, key=itemgetter("task", "question_id")):
            yield _item(list(rows), told, models, with_pictures)


def _samples(path: Path) -> list[dict[str, Any]]:
    """Read from a samples file what is shown, line by line; nothing from files that keep no words."""
    if path.suffix != ".jsonl":
        return []
    with path.open(encoding="utf-8") as lines:
        return [_kept(json.loads(line)) for line in lines]


def _kept(sample: Mapping[str, Any]) -> dict[str, Any]:
    raw = sample.get("filtered_resps")
    raw = raw[0] if isinstance(raw, list) and raw else raw
    record = sample["accuracy_overall"]
    text = str(raw)
    cut = len(text) - _LONGEST_ANSWER
    return {
        "raw": text
        if cut <= 0
        else f"{text[:_LONGEST_ANSWER]} … ({cut:,} more characters in the samples file)",
        "prompt": str(sample.get("input", "")),
        **{name: record.get(name) for name in ("letter", "rule", "options", "answer", "frame_indices")},
    }


def _item(
    rows: Sequence[Mapping[Any, Any]],
    told: Mapping[int, Sequence[Mapping[str, Any]]],
    models: Sequence[str],
    with_pictures: bool,
) -> Example:
    first = rows[0]
    samples = {
        str(row["model"]): told[row["source"]][row["line"]] if told[row["source"]] else {} for row in rows
    }
    kept: Mapping[str, Any] = next((sample for sample in samples.values() if sample), {})
    by_model = {str(row["model"]): row for row in rows}
    return Example(
        key=str(first["question_id"]),
        facets={
            "task": _TASKS.get(str(first["task"]), str(first["task"]).removeprefix("conservation_")),
            "domain": str(first["domain"]),
            "condition": str(first["condition"]).replace("nonc", "non-c"),
            "prompt": str(first["prompt_style"]),
            "frames": f"{first['frame_count']} frames" if first["frame_count"] != 1 else "1 frame",
            "choice of frames": str(first["extraction"]),
        },
        prompt=str(kept.get("prompt", "")),
        truth=_option(kept, "answer") or _CLAIMS[str(first["truth"])],
        pictures=_pictures(first, kept) if with_pictures else (),
        answers=tuple(
            _answered(model, by_model[model], samples[model]) for model in models if model in by_model
        ),
    )


def _option(sample: Mapping[str, Any], name: str) -> str:
    letter, options = sample.get(name), sample.get("options") or ()
    place = ord(letter) - ord("A") if letter else -1
    return f"({letter}) {options[place]}" if 0 <= place < len(options) else ""


def _answered(model: str, row: Mapping[Any, Any], sample: Mapping[str, Any]) -> Answered:
    unread = pd.isna(row["response"])
    parsed = "" if unread else _option(sample, "letter") or _CLAIMS[str(row["response"])]
    rule = f"read by rule “{sample['rule']}”" if sample.get("rule") and not unread else ""
    return Answered(model, sample.get("raw"), parsed, None if unread else bool(row["correct"]), rule)


def _pictures(row: Mapping[Any, Any], sample: Mapping[str, Any]) -> tuple[Picture, ...]:
    """Name the frames that were shown; nothing was seen of others."""
    if str(row["media"]) not in ("frames", "image"):
        return ()
    video = str(row["video_id"])
    return tuple(
        Picture(frame_name(video, index), f"frame {index}") for index in sample.get("frame_indices") or ()
    )
