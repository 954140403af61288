"""Do prompt, frame count and the choice of frames matter (paper section 4.4; version 2, Appendix M)?"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pandas as pd
from scipy.stats import t as t_distribution

from physprobe.analysis.finding import MODEL_T, Finding, made_by
from physprobe.analysis.layout import models_only
from physprobe.analysis.selection import GROUP_TITLES, GROUPS, select
from physprobe.conservation.breakdown import SETTING
from physprobe.errors import UserError
from physprobe.statistics.anova import means, repeated_measures_anova
from physprobe.statistics.pairwise import Correction, pairwise_comparisons


def anova(
    frame: pd.DataFrame, *, top: int | None = None, method: Correction = "bonferroni"
) -> tuple[Finding, ...]:
    """Test prompt, frame count and extraction with models as units, separately for both kinds of domains.

    For each factor a model's accuracy is averaged over the other two, then tested by a one-way
    repeated-measures ANOVA, with Bonferroni-corrected paired t tests of its levels (also where the factor is
    not significant: read those only where it is).

    Args:
        frame: of Answers, with the full task. top: only the k models with the highest accuracy. method: of
            correcting the paired comparisons.

    Returns:
        Three findings: effects, means of the levels, paired comparisons.

    Raises:
        UserError: fewer than two models answered the full task, or no factor has two levels.
    """
    chosen = _top(select(models_only(frame), "full"), top)
    effects, levels, compared, notes = _tests(chosen, method)
    if not effects:
        raise UserError("no factor can be tested: two models must have answered conservation_full")
    models = f"the best {top} of the models" if top else "all models"
    function = made_by(anova)
    return (
        Finding(
            f"Repeated-measures ANOVA of accuracy, {models}",
            pd.DataFrame(effects).rename(columns={"subjects": "n"}),
            "models",
            "none; p_gg and p_hf are corrected for lack of sphericity",
            function,
            tuple(notes),
        ),
        Finding(f"Means of the levels, {models}", _front(levels), "models", MODEL_T, function),
        Finding(
            f"Paired comparisons, {models}",
            _front(compared),
            "models",
            f"{MODEL_T}, of each difference alone; p_corrected by {method.title()}",
            function,
        ),
    )


def _tests(
    chosen: pd.DataFrame, method: Correction
) -> tuple[list[dict[str, Any]], list[pd.DataFrame], list[pd.DataFrame], list[str]]:
    """Return effects, means of levels, paired comparisons, and notes, of each group of domains and factor."""
    effects, levels, compared, notes = [], [], [], []
    for group, domains in GROUPS.items():
        part = chosen[chosen["domain"].isin(domains)]
        for factor in SETTING:
            table, note = _by_level(part, factor)
            notes += [f"{GROUP_TITLES[group]}, {factor}: {note}"] if note else []
            if table is None:
                continue
            where = {"domains": GROUP_TITLES[group]}
            (effect,) = repeated_measures_anova(_long(table), "accuracy", "subject", ["level"])
            effects.append({**where, **asdict(effect), "effect": factor})
            levels.append(_level_means(table).assign(**where, factor=factor))
            compared.append(pairwise_comparisons(table, method=method).assign(**where, factor=factor))
    return effects, levels, compared, notes


def _top(frame: pd.DataFrame, top: int | None) -> pd.DataFrame:
    if top is None:
        return frame
    accuracy = frame.groupby("model", observed=True)["correct"].mean()
    best = accuracy.sort_values(ascending=False, kind="stable").index[:top]
    return frame[frame["model"].isin(best)]


def _by_level(part: pd.DataFrame, factor: str) -> tuple[pd.DataFrame | None, str]:
    """Average accuracy by model and level, models without gaps alone; and say what is wrong, if anything."""
    if part.empty:
        return None, "not asked"
    data = means(part, "correct", "model", [factor])
    table = data.pivot(index="model", columns=factor, values="correct").astype(float)
    table.columns = table.columns.astype(object)
    whole = table.dropna()
    if len(whole) < 2 or whole.shape[1] < 2:
        return None, f"not tested, {len(whole)} models with {whole.shape[1]} levels"
    asked = part.groupby(factor, observed=True)["question_id"].nunique()
    gone = f"{len(table) - len(whole)} models lack a level" if len(whole) < len(table) else ""
    uneven = "levels differ in their questions, so in more than this factor" if asked.nunique() > 1 else ""
    return whole, "; ".join(filter(None, (gone, uneven)))


def _long(table: pd.DataFrame) -> pd.DataFrame:
    """Stack levels; "model" is a level of extraction, so models go by "subject"."""
    stacked = table.melt(ignore_index=False, var_name="level", value_name="accuracy")
    return stacked.rename_axis("subject").reset_index()


def _level_means(table: pd.DataFrame) -> pd.DataFrame:
    n = len(table)
    margin = t_distribution.ppf(0.975, n - 1) * table.std(ddof=1) / n**0.5
    mean = table.mean()
    return pd.DataFrame(
        {"level": mean.index, "accuracy": mean, "low": mean - margin, "high": mean + margin, "n": n}
    )


def _front(tables: list[pd.DataFrame]) -> pd.DataFrame:
    joined = pd.concat(tables, ignore_index=True)
    keys = ["domains", "factor"]
    return joined[[*keys, *(name for name in joined.columns if name not in keys)]]
