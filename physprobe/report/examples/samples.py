"""What answers to browse have in common: what is shown of which, and what samples files keep."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import pandas as pd

from physprobe.analysis.answers import Answers
from physprobe.errors import unknown_name
from physprobe.report.examples.clips import no_pictures, why_no_pictures
from physprobe.report.model import Example, Examples

_SHOWN_MODELS = 6
_LONGEST_ANSWER = 4000

Sample = Mapping[str, Any]


@dataclass(frozen=True)
class Asked:
    """One question, and what some models said.

    Attributes:
        rows: of the answers' data frame, one a model. samples: model -> its record in the samples file with
            "raw" (its words) and "prompt"; empty where results keep no words.
    """

    rows: Mapping[str, Mapping[Any, Any]]
    samples: Mapping[str, Sample]

    @property
    def first(self) -> Mapping[Any, Any]:
        """What is the same for all models, as columns."""
        return next(iter(self.rows.values()))

    @property
    def record(self) -> Sample:
        """What is the same for all models, as recorded; empty where results keep no words."""
        return next((sample for sample in self.samples.values() if sample), {})


def choose_models(frame: pd.DataFrame, asked: Sequence[str], score: str) -> tuple[str, ...]:
    """Choose whose answers are shown: those asked for, else a few over the ranking by a column's mean.

    Raises:
        UserError: a model has no answers.
    """
    there = [str(model) for model in frame["model"].unique()]
    for model in asked:
        if model not in there:
            raise unknown_name("model", model, there)
    if asked or len(there) <= _SHOWN_MODELS:
        return tuple(asked) or tuple(sorted(there))
    means = frame.groupby("model", observed=True)[score].mean()
    ranked = [str(model) for model in means.sort_values(ascending=False, kind="stable").index]
    last = len(ranked) - 1
    return tuple(ranked[k * last // (_SHOWN_MODELS - 1)] for k in range(_SHOWN_MODELS))


def browsable(
    answers: Answers,
    models: tuple[str, ...],
    asked: Iterable[Asked],
    item: Callable[[Asked, bool], Example],
    dataset: str,
    pictures: Callable[[frozenset[str]], Iterator[tuple[str, bytes]]],
) -> Examples:
    """Make questions browsable, with pictures if the dataset is there.

    Args:
        models: whose answers are shown. asked: see :func:`questions`. item: (question, whether with pictures)
            -> what is shown of it. dataset: for example "quantiphy". pictures: yields its pictures.
    """
    why = why_no_pictures(dataset, {source.dataset_version for source in answers.sources})
    return Examples(
        models,
        (item(each, not why) for each in asked),
        no_pictures if why else pictures,
        (*_notes_on(answers, models), *((f"No pictures: {why}.",) if why else ())),
    )


def _notes_on(answers: Answers, models: Sequence[str]) -> tuple[str, ...]:
    """Say what is not shown of the answers."""
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


def questions(
    answers: Answers,
    models: Sequence[str],
    record: str,
    columns: Sequence[str],
    order: Sequence[str],
    tasks: Sequence[str],
) -> Iterator[Asked]:
    """Yield questions with the answers of some models, in order; tasks apart: few files are in memory.

    Args:
        record: the metric whose item in a samples file is a question's whole record. columns: of the frame
            that are needed beside model, task, question_id, source and line. order: columns to sort by within
            tasks. tasks: in order; others follow together.
    """
    needed = list(dict.fromkeys(("model", "task", "question_id", "source", "line", *columns, *order)))
    frame = answers.frame[answers.frame["model"].isin(models)][needed]
    places = {task: place for place, task in enumerate(tasks)}
    frame = frame.assign(rank=frame["task"].astype(str).map(lambda task: places.get(task, len(places))))
    for _, part in frame.groupby("rank", sort=True):
        told = {source: _samples(answers.sources[source].path, record) for source in part["source"].unique()}
        rows = part.sort_values(["task", *order, "question_id"], kind="stable").to_dict("records")
        for _, same in groupby(rows, key=itemgetter("task", "question_id")):
            by_model = {str(row["model"]): row for row in same}
            ordered = {model: by_model[model] for model in models if model in by_model}
            yield Asked(
                ordered,
                {
                    model: told[row["source"]][row["line"]] if told[row["source"]] else {}
                    for model, row in ordered.items()
                },
            )


def _samples(path: Path, record: str) -> list[Sample]:
    """Read from a samples file what is shown, line by line; nothing from files that keep no words."""
    if path.suffix != ".jsonl":
        return []
    with path.open(encoding="utf-8") as lines:
        return [_kept(json.loads(line), record) for line in lines]


def _kept(sample: Mapping[str, Any], record: str) -> Sample:
    raw = sample.get("filtered_resps")
    text = str(raw[0] if isinstance(raw, list) and raw else raw)
    cut = len(text) - _LONGEST_ANSWER
    if cut > 0:
        text = f"{text[:_LONGEST_ANSWER]} … ({cut:,} more characters in the samples file)"
    return {**sample[record], "raw": text, "prompt": str(sample.get("input", ""))}
