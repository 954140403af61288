"""Do larger models do better (paper section 4.5)?"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict

import numpy as np
import pandas as pd

from physprobe.analysis.finding import Finding, made_by
from physprobe.analysis.layout import models_only
from physprobe.analysis.leaderboard import COLUMNS
from physprobe.analysis.selection import Over, select
from physprobe.analysis.tallies import tally
from physprobe.errors import UserError
from physprobe.statistics.regression import log_regression

# "7B", "0.5b", "8x7B"; not the "A3B" that mixtures of experts add for the active part.
SIZE = re.compile(r"(?<![A-Za-z0-9.])(?:(\d+)x)?(\d+(?:\.\d+)?)B(?![A-Za-z0-9])", re.IGNORECASE)


def size_in_name(model: str) -> float:
    """Read a model's parameters, in billions, from its name ("Qwen2.5-VL-7B"); NaN if it says none."""
    found = SIZE.search(model)
    return float(found[1] or 1) * float(found[2]) if found else float("nan")


def scaling(
    frame: pd.DataFrame, sizes: Mapping[str, float] | None = None, over: Over = "standard"
) -> tuple[Finding, ...]:
    """Regress each score on the logarithm of the parameters, at 7 frames.

    Args:
        frame: of Answers. sizes: model -> parameters in billions, before what its name says. over: with
            "full", all prompt styles and extractions at 7 frames, as in the paper.

    Returns:
        Two findings: score, slope (per factor of ten) with low and high, intercept (at 1B), r_squared, p, n;
        and the points.

    Raises:
        UserError: the size of fewer than three models is known.
    """
    chosen = select(models_only(frame), over)
    counted = tally(chosen[chosen["frame_count"] == 7])
    given = sizes or {}
    known = np.array([given.get(model, size_in_name(model)) for model in counted.models])
    if np.isfinite(known).sum() < 3:
        raise UserError(
            "fewer than three models of known size: give a CSV with columns model, parameters (--sizes)"
        )
    points = pd.DataFrame({"model": counted.models, "parameters": known})
    rows = []
    for score, name in COLUMNS.items():
        points[name] = counted.values(score)
        rows.append({"score": name, **asdict(log_regression(known, counted.values(score)))})
    points["n"] = counted.of("accuracy_overall")[:, :, 1].sum(axis=0).astype(int)
    lacking = points.loc[points["parameters"].isna(), "model"].tolist()
    notes = (f"left out, size unknown: {', '.join(lacking)}",) if lacking else ()
    interval = "t interval of the slope; models of one family are not independent"
    title = f"Scores over log10 of billions of parameters, {over} questions at 7 frames"
    return (
        Finding(title, pd.DataFrame(rows), "models", interval, made_by(scaling), notes),
        Finding("Models by size", points, "questions", "none", made_by(scaling)),
    )


def read_sizes(table: pd.DataFrame) -> dict[str, float]:
    """Take sizes from a table with columns model and parameters (in billions).

    Raises:
        UserError: a column is missing, or a size is not above 0.
    """
    if not {"model", "parameters"} <= set(table.columns):
        raise UserError("the table of sizes needs the columns 'model' and 'parameters' (in billions)")
    sizes = pd.to_numeric(table["parameters"], errors="coerce")
    if not (sizes > 0).all():
        raise UserError(f"the size of {table['model'][~(sizes > 0)].iloc[0]!r} is no number above 0")
    return dict(zip(table["model"].astype(str), sizes.astype(float), strict=True))
