"""Writes the answers of simulated models, and what is true of them."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray
from tqdm import tqdm  # type: ignore[import-untyped]

from physprobe.analysis.conversion import write_answers
from physprobe.analysis.layout import hashes
from physprobe.analysis.schema import LAYOUT
from physprobe.analysis.simulation.questions import questions
from physprobe.analysis.simulation.responses import UNREAD, behaviour, draw_responses, expected_scores
from physprobe.analysis.simulation.study import Model, Study, draw_model
from physprobe.conservation.metrics import CLAIMS
from physprobe.errors import UserError
from physprobe.files import whole_folder

TRUTH_FILE = "simulation.json"
SIZES_FILE = "models.csv"
TASK_VERSION = "1.0"


def simulate(study: Study, models: int, out: Path) -> None:
    """Simulate models and write their answers.

    ``out`` gets one Parquet file a model (schema of :data:`physprobe.analysis.schema.LAYOUT`), ``models.csv``
    (sizes in billions of parameters) and ``simulation.json`` (every parameter and what scores to expect). The
    same study gives the same first models however many there are.

    Raises:
        UserError: ``models`` is below 1, or ``out`` exists and is not empty.
    """
    if models < 1:
        raise UserError(f"--models {models}: simulate at least one")
    asked = questions()
    shared = _shared_columns(asked, study)
    truths = []
    with whole_folder(out) as folder:
        for number in tqdm(range(models), desc="Simulated models", disable=None):
            model = draw_model(study, number)
            known = behaviour(study, number, model, asked)
            responses = draw_responses(study, number, known)
            write_answers(
                _table(model, shared, responses, known.truth), folder / f"{model.name}.parquet", LAYOUT
            )
            truths.append({**asdict(model), "expected": expected_scores(known, asked)})
        _write_truth(folder, study, truths)


def _shared_columns(asked: pd.DataFrame, study: Study) -> dict[str, pa.Array]:
    """Encode what is the same for all models, once."""
    content = pa.array((asked["question_id"] + "|" + asked["truth"] + f"|{study.seed}").tolist())
    columns: dict[str, Any] = {name: asked[name] for name in LAYOUT.answers.names if name in asked}
    columns |= {
        "task_version": [TASK_VERSION] * len(asked),
        "dataset_version": [f"simulated-{study.seed}"] * len(asked),
    }
    encoded = {name: _encode(list(values), name) for name, values in columns.items()}
    lines = asked.groupby("task", sort=False).cumcount().to_numpy()
    return {**encoded, "content": hashes(content), "line": pa.array(lines, pa.int32())}


def _encode(values: Sequence[Any], name: str) -> pa.Array:
    kind = LAYOUT.answers.field(name).type
    if not pa.types.is_dictionary(kind):
        return pa.array(values, kind)
    return pa.array(values, pa.string()).dictionary_encode().cast(kind)


def _table(
    model: Model, shared: Mapping[str, pa.Array], responses: NDArray[np.int64], truth: NDArray[np.int64]
) -> pa.Table:
    codes = pa.array(responses, pa.int32(), mask=responses == UNREAD)
    own = {
        "model": pa.DictionaryArray.from_arrays(pa.array(np.zeros(len(responses), np.int32)), [model.name]),
        "response": pa.DictionaryArray.from_arrays(codes, list(CLAIMS)),
        "correct": pa.array(responses == truth),
    }
    return pa.table({name: {**shared, **own}[name] for name in LAYOUT.answers.names}, schema=LAYOUT.answers)


def _write_truth(folder: Path, study: Study, truths: Sequence[Mapping[str, Any]]) -> None:
    found = {"format_version": 1, "benchmark": "conservationbench", "study": asdict(study), "models": truths}
    (folder / TRUTH_FILE).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    with (folder / SIZES_FILE).open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["model", "parameters"])
        rows.writerows([truth["name"], truth["parameters"]] for truth in truths)
