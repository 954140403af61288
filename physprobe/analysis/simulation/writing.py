"""Simulates models on conservationbench: their answers, and what is true of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from physprobe.analysis.layout import hashes
from physprobe.analysis.schema import LAYOUT
from physprobe.analysis.simulation.folder import TASK_VERSION, Simulated, encoded, write_study
from physprobe.analysis.simulation.questions import questions
from physprobe.analysis.simulation.responses import UNREAD, behaviour, draw_responses, expected_scores
from physprobe.analysis.simulation.study import Model, Study, draw_model
from physprobe.conservation.metrics import CLAIMS


def simulate(study: Study, models: int, out: Path) -> None:
    """Simulate models and write their answers, as :func:`physprobe.analysis.simulation.folder.write_study`.

    Raises:
        UserError: ``models`` is below 1, or ``out`` exists and is not empty.
    """
    asked = questions()
    shared = _shared_columns(asked, study)

    def one(number: int) -> Simulated:
        model = draw_model(study, number)
        known = behaviour(study, number, model, asked)
        responses = draw_responses(study, number, known)
        return Simulated(model, _table(model, shared, responses, known.truth), expected_scores(known, asked))

    write_study(out, LAYOUT, study, models, one)


def _shared_columns(asked: pd.DataFrame, study: Study) -> dict[str, pa.Array]:
    """Encode what is the same for all models, once."""
    content = pa.array((asked["question_id"] + "|" + asked["truth"] + f"|{study.seed}").tolist())
    columns: dict[str, Any] = {name: asked[name] for name in LAYOUT.answers.names if name in asked}
    columns |= {
        "task_version": [TASK_VERSION] * len(asked),
        "dataset_version": [f"simulated-{study.seed}"] * len(asked),
    }
    lines = asked.groupby("task", sort=False).cumcount().to_numpy()
    return {**encoded(columns, LAYOUT), "content": hashes(content), "line": pa.array(lines, pa.int32())}


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
