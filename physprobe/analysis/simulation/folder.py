"""What a simulated study leaves behind: answers of models, and what is true of them."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
from tqdm import tqdm  # type: ignore[import-untyped]

from physprobe.analysis.conversion import write_answers
from physprobe.analysis.layout import Layout
from physprobe.errors import UserError
from physprobe.files import whole_folder

TRUTH_FILE = "simulation.json"
SIZES_FILE = "models.csv"
TASK_VERSION = "1.0"


class Simulated(NamedTuple):
    """One simulated model.

    Attributes:
        model: a dataclass of its parameters, with "name", and "parameters" in billions.
        table: its answers, of schema ``layout.answers``. expected: score -> what is to be expected.
    """

    model: Any
    table: pa.Table
    expected: Mapping[str, float]


def write_study(out: Path, layout: Layout, study: Any, models: int, one: Callable[[int], Simulated]) -> None:
    """Simulate models and write their answers.

    ``out`` gets one Parquet file a model (schema ``layout.answers``), ``models.csv`` (sizes in billions of
    parameters) and ``simulation.json`` (every parameter and what scores to expect).

    Args:
        study: a dataclass of what models have in common. one: simulates a model, from its number alone, so
            that the same study gives the same first models however many there are.

    Raises:
        UserError: ``models`` is below 1, or ``out`` exists and is not empty.
    """
    if models < 1:
        raise UserError(f"--models {models}: simulate at least one")
    truths = []
    with whole_folder(out) as folder:
        for number in tqdm(range(models), desc="Simulated models", disable=None):
            made = one(number)
            write_answers(made.table, folder / f"{made.model.name}.parquet", layout)
            truths.append({**asdict(made.model), "expected": dict(made.expected)})
        _write_truth(folder, layout, study, truths)


def encoded(columns: Mapping[str, Sequence[Any]], layout: Layout) -> dict[str, pa.Array]:
    """Encode columns as the layout's schema says."""
    made = {}
    for name, values in columns.items():
        kind = layout.answers.field(name).type
        words = pa.types.is_dictionary(kind)
        made[name] = (
            pa.array(list(values), pa.string()).dictionary_encode().cast(kind)
            if words
            else pa.array(list(values), kind)
        )
    return made


def _write_truth(folder: Path, layout: Layout, study: Any, truths: Sequence[Mapping[str, Any]]) -> None:
    found = {"format_version": 1, "benchmark": layout.title, "study": asdict(study), "models": truths}
    (folder / TRUTH_FILE).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    with (folder / SIZES_FILE).open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["model", "parameters"])
        rows.writerows([truth["name"], truth["parameters"]] for truth in truths)
