"""What the reference models answer on QuantiPhy questions."""

from __future__ import annotations

import numpy as np

from physprobe.errors import UserError
from physprobe.harness.quantiphy.layout import Row
from physprobe.harness.quantiphy.measured import measured_answer
from physprobe.quantiphy.priors import read_prior
from physprobe.quantiphy.questions import kind_of
from physprobe.quantiphy.units import SI_UNITS, asked_unit, convert

_DECADES = 2.0  # chance draws from 0.01 to 100 in SI units


def reference_answer(kind: str, row: Row, rng: np.random.Generator) -> str:
    """Answer as a reference model does, with a number and its unit.

    Args:
        kind: "oracle" (the truth), "chance" (any value from 0.01 to 100 m, m/s or m/s^2, each decade equally
            likely), "invariance" (what is asked equals the number of the prior), "geometry" (measured in
            pixels, calibrated with the prior).
        row: of the question. rng: of this question.

    Raises:
        UserError: the truth is withheld, no prior is told, or a kind that has no answer here.
    """
    if kind == "oracle":
        if row["truth"] is None:
            raise UserError("physprobe_oracle can't answer: the true answers of this data set are withheld")
        return _replied(row["truth"], row)
    if kind == "chance":
        unit = asked_unit(row["unit"])
        value = 10.0 ** rng.uniform(-_DECADES, _DECADES)
        return _replied(convert(value, asked_unit(SI_UNITS[kind_of(row["unit"])]), unit), row)
    if kind == "geometry":
        return _in_style(measured_answer(row), row)
    if kind == "invariance":
        priors = read_prior(row["prior"]).priors
        return _replied(priors[0].value, row) if priors else "unknown"
    raise UserError(
        f"physprobe_{kind} has no answer to questions of quantiphy: use oracle, chance or invariance"
    )


def _replied(value: float, row: Row) -> str:
    return _in_style(f"{value!r} {row['unit']}", row)


def _in_style(answer: str, row: Row) -> str:
    return answer if row["style"] == "direct" else f"I measured it.\nAnswer: {answer}"
