"""Adapted models: mean and standard deviation over the seeds of their training (section 6)."""

from __future__ import annotations

import re
from collections import defaultdict

import numpy as np
import pandas as pd

from physprobe.analysis.consistency.suites import COLUMNS
from physprobe.analysis.consistency.tallies import parts, suites_of, tally
from physprobe.analysis.finding import Finding, made_by
from physprobe.errors import UserError

# "llava-lora-seed1", "llava_lora_seed_2", "llava-lora/seed3", "llava-lora-s1": the seed is at the end.
_SEED = re.compile(r"(?:[\s/_.,=-]+s|[\s/_.,=-]*seed)[\s_=-]*\d+$", re.IGNORECASE)


def seeds(frame: pd.DataFrame) -> tuple[Finding, ...]:
    """Average scores of models that differ in their seed alone, as their names say, and of several runs.

    Args:
        frame: of Answers loaded with ``reruns``.

    Returns:
        One finding: model (without its seed), suite, n (runs), and for each of COLUMNS its mean and, as
        "COLUMN_sd", its standard deviation (n - 1 in the denominator).

    Raises:
        UserError: no model has two seeds or runs.
    """
    suites_of(frame)
    found: dict[tuple[str, str], list[dict[str, float]]] = defaultdict(list)
    for (model, _, suite), part in parts(frame, ("model", "run", "suite")):
        found[without_seed(model), suite].append(tally(part).values())
    rows = [
        {"model": model, "suite": suite, "n": len(runs), **_spread(runs)}
        for (model, suite), runs in found.items()
        if len(runs) > 1
    ]
    if not rows:
        raise UserError(
            "no model has two seeds: name adapted models alike up to the seed at the end (lora-seed1, "
            "lora-seed2), or give several runs of one"
        )
    return (
        Finding(
            "Adapted models over seeds",
            pd.DataFrame(rows),
            "runs",
            "none",
            made_by(seeds),
            ("names that differ only in a seed at the end are one model; sd: standard deviation",),
        ),
    )


def without_seed(model: str) -> str:
    """Return a model's name without the seed at its end; the name itself if it has none or nothing else."""
    return _SEED.sub("", model) or model


def _spread(runs: list[dict[str, float]]) -> dict[str, float]:
    cells: dict[str, float] = {}
    for score, column in COLUMNS.items():
        values = np.array([run[score] for run in runs])
        cells |= {column: float(values.mean()), f"{column}_sd": float(values.std(ddof=1))}
    return cells
