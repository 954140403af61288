"""The same questions asked in another way: without video, without prior, step by step, without background.

Paper sections 5.2 and 5.3.
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from physprobe.analysis.finding import Finding, bootstrap_over, made_by
from physprobe.analysis.quantiphy.selection import control, select, whole
from physprobe.analysis.quantiphy.tallies import Tally, compare, of_differences, tally
from physprobe.errors import UserError
from physprobe.statistics.pairwise import correct
from physprobe.text import quantity

INPUTS = {"quantiphy_prior_only": "prior without video", "quantiphy_no_prior": "video without prior"}
PROMPTS = {"quantiphy_cot": "step by step"}
BACKGROUNDS = {"quantiphy_segmented": "without background"}

_NOTE = (
    "over the questions that a model answered both ways; mra, or mra_questions where these lack a category"
)


def inputs(frame: pd.DataFrame, *, resamples: int = 10_000, seed: int = 0) -> tuple[Finding, ...]:
    """Compare what models answer with video and prior to what they answer without one of them.

    A model that measures needs both; one that guesses from what it knows of the world loses little.

    Returns:
        Two findings, of all models together and of each: asked, model, score, standard, changed, kept
        (changed / standard), difference (changed - standard) with low, high, p (and p_holm), n (questions).

    Raises:
        UserError: no model answered both ways.
    """
    return _contrast(frame, INPUTS, "Without video, and without prior", inputs, resamples, seed)


def prompts(frame: pd.DataFrame, *, resamples: int = 10_000, seed: int = 0) -> tuple[Finding, ...]:
    """Compare the prompt that asks for steps with the direct one.

    Returns, Raises: as :func:`inputs`.
    """
    return _contrast(frame, PROMPTS, "Step by step against direct", prompts, resamples, seed)


def segmented(frame: pd.DataFrame, *, resamples: int = 10_000, seed: int = 0) -> tuple[Finding, ...]:
    """Compare answers on videos without their background with those on whole ones.

    Returns, Raises: as :func:`inputs`.
    """
    return _contrast(frame, BACKGROUNDS, "Without background", segmented, resamples, seed)


def paired(frame: pd.DataFrame, task: str) -> pd.DataFrame:
    """Choose each model's standard answers and those to a control task, to the questions that it has both of.

    Returns:
        Rows of ``frame`` with "changed" (bool); questions and videos are named as those with the background.
        May be empty.
    """
    parts = [select(frame).assign(changed=False), control(frame, task).assign(changed=True)]
    both = pd.concat([_named(part) for part in parts], ignore_index=True)
    ways = both.groupby(["model", "question_id"], observed=True)["changed"].transform("nunique")
    return both[ways == 2]


def _named(part: pd.DataFrame) -> pd.DataFrame:
    names = {name: whole(part[name]) for name in ("question_id", "video_id")}
    return part.assign(model=part["model"].astype(str), **names)


def _contrast(
    frame: pd.DataFrame, tasks: Mapping[str, str], title: str, function: object, resamples: int, seed: int
) -> tuple[Finding, ...]:
    means, each = [], []
    for task, name in tasks.items():
        both = paired(frame, task)
        if both.empty:
            continue
        together, apart = tally(both, ("changed",)), tally(both, ("model", "changed"))
        score = together.headline()
        models = tuple(sorted(both["model"].unique()))
        mean = _rows(together, ("",), score, resamples, seed).assign(
            model=f"all {quantity(len(models), 'model')}"
        )
        means.append(mean.assign(asked=name)[["asked", *mean.columns]])
        rows = _rows(apart, models, score, resamples, seed)
        rows.insert(0, "asked", name)
        rows.insert(list(rows.columns).index("p") + 1, "p_holm", correct(rows["p"], "holm"))
        each.append(rows)
    if not means:
        raise UserError(f"no model answered both quantiphy and {' or '.join(tasks)}: evaluate both")
    where = (bootstrap_over("videos", resamples), made_by(function), (_NOTE,))
    table = pd.concat(each, ignore_index=True)
    return (
        Finding(f"{title}, mean over models", pd.concat(means, ignore_index=True), "answers", *where),
        Finding(f"{title}, by model", table, "questions", *where),
    )


def _rows(counted: Tally, models: tuple[str, ...], score: str, resamples: int, seed: int) -> pd.DataFrame:
    prefixes = [f"{model}/" if model else "" for model in models]
    order = [counted.models.index(f"{prefix}{changed}") for changed in (True, False) for prefix in prefixes]
    ordered, count = counted.only(order), len(models)
    found = compare(ordered, [(k, k + count) for k in range(count)], score, resamples=resamples, seed=seed)
    scores = ordered.values(score)
    table = pd.DataFrame({"model": models, "score": score, "standard": scores[count:]})
    table["changed"] = scores[:count]
    table["kept"] = table["changed"] / table["standard"].where(table["standard"] > 0)
    return table.assign(**of_differences(found), n=ordered.questions[:count])
