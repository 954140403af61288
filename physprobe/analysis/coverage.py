"""Which models were asked everything that any of them was: only these can be ranked."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from physprobe.analysis.finding import Finding
from physprobe.analysis.layout import PEOPLE
from physprobe.errors import UserError
from physprobe.text import quantity

# Model -> which parts of the benchmark it was not, or not wholly, asked.
Missing = Mapping[str, str]


def in_whole(frame: pd.DataFrame, part: str) -> tuple[pd.DataFrame, pd.DataFrame, Missing]:
    """Divide models by whether each question that any was asked was asked of them.

    Args:
        frame: answers that are to be compared. part: the column that divides the benchmark, such as "domain".

    Returns:
        The answers of models that were asked everything, and of people; those of the other models; and what
        these lack, in words.

    Raises:
        UserError: no model was asked everything; says what each lacks.
    """
    persons = frame["participant"] != "" if "participant" in frame else frame["model"] == PEOPLE
    models = frame[~persons]  # of persons each may be asked a few questions
    if models.empty:
        return frame, models, {}
    asked = models.groupby([part, "model"], observed=True)["question_id"].nunique().unstack(fill_value=0)
    whole = models.groupby(part, observed=True)["question_id"].nunique()
    lacking = asked.lt(whole, axis=0)
    missing = {
        str(model): ", ".join(str(level) for level in lacking.index[lacking[model]])
        for model in lacking.columns
        if lacking[model].any()
    }
    if missing and len(missing) == len(lacking.columns):
        told = "; ".join(f"{model} lacks {parts}" for model, parts in missing.items())
        raise UserError(
            f"no model was asked all the questions that others were, so none can be ranked: {told}"
        )
    partly = frame["model"].isin(list(missing))
    return frame[~partly], frame[partly], missing


def unranked(missing: Missing) -> tuple[str, ...]:
    """Say in a note which models are not ranked."""
    if not missing:
        return ()
    told = "; ".join(f"{model} (lacks {parts})" for model, parts in missing.items())
    return (f"not ranked, for lack of questions that others were asked: {told}",)


def unranked_finding(table: pd.DataFrame, missing: Missing, ranked: Finding) -> Finding:
    """Tabulate these models.

    Args:
        table: one row a model, with a column "model"; gets a column "missing" behind it. ranked: the ranking
            that they are missing from.
    """
    named = [missing[str(model)] for model in table["model"]]
    made = table.copy()
    made.insert(list(table.columns).index("model") + 1, "missing", named)
    title = f"Not ranked, for lack of questions: {quantity(len(made), 'model')}"
    return Finding(title, made, ranked.counts, ranked.interval, ranked.function)
