"""Does what else is in the picture help (paper section 5.1)?"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import pandas as pd

from physprobe.analysis.finding import Finding, bootstrap_over, made_by
from physprobe.analysis.layout import models_only
from physprobe.analysis.quantiphy.selection import TITLES, Over, select
from physprobe.analysis.quantiphy.tallies import Tally, compare, of_differences, score_table, tally
from physprobe.quantiphy.codes import BACKGROUNDS, OBJECT_NUMBERS
from physprobe.statistics.pairwise import correct

BACKGROUND_TITLES = {"X": "plain", "S": "simple", "C": "complex"}
_SHOWN = ("mra", "mra_questions")
_ANY = "any"


def scenes(
    frame: pd.DataFrame, over: Over = "ours", *, resamples: int = 10_000, seed: int = 0
) -> tuple[Finding, ...]:
    """Compare scenes with one and several objects, and with different backgrounds.

    Other scenes are other videos, so differences are between groups of videos; nothing else is held constant.

    Returns:
        Three findings: the mean over models for each background and number of objects ("any": all of them);
        the differences of these means, with Holm-corrected p values, and how many models share the sign;
        each model's scores.
    """
    chosen = _marked(select(frame, over))
    pooled = _tables(chosen, True, resamples, seed)
    where = ("questions", bootstrap_over("videos", resamples), made_by(scenes))
    return (
        Finding(f"Mean over models by scene, {TITLES[over]}", pooled, "answers", *where[1:]),
        Finding(
            f"Differences between scenes, {TITLES[over]}",
            _differences(models_only(chosen), resamples, seed),
            "videos",
            *where[1:],
            (
                "difference: first minus second; higher: models for which the first is higher",
                "score: mra, or mra_questions where a category was not asked in both",
            ),
        ),
        Finding(f"Models by scene, {TITLES[over]}", _tables(chosen, False, resamples, seed), *where),
    )


def _marked(chosen: pd.DataFrame) -> pd.DataFrame:
    return chosen[(chosen["background"] != "") & (chosen["objects"] != "")]


def _tables(chosen: pd.DataFrame, pool: bool, resamples: int, seed: int) -> pd.DataFrame:
    made = []
    for background in (_ANY, *BACKGROUNDS):
        for objects in (_ANY, *OBJECT_NUMBERS):
            part = _part(chosen, background, objects)
            if part.empty or background == objects == _ANY:
                continue
            counted = tally(part)
            table = score_table(counted.pooled() if pool else counted, _SHOWN, resamples=resamples, seed=seed)
            table.insert(0, "objects", objects)
            table.insert(0, "background", BACKGROUND_TITLES.get(background, background))
            made.append(table.drop(columns="model") if pool else table)
    return pd.concat(made, ignore_index=True)


def _part(chosen: pd.DataFrame, background: str, objects: str) -> pd.DataFrame:
    inside = pd.Series(True, index=chosen.index)
    for name, level in (("background", background), ("objects", objects)):
        if level != _ANY:
            inside &= chosen[name] == level
    return chosen[inside]


def _differences(chosen: pd.DataFrame, resamples: int, seed: int) -> pd.DataFrame:
    rows = [
        *(_row(_part(chosen, level, _ANY), "objects", ("multiple", "single"), level, resamples, seed)
          for level in (_ANY, *BACKGROUNDS)),
        *(_row(_part(chosen, _ANY, level), "background", pair, level, resamples, seed)
          for level in (_ANY, *OBJECT_NUMBERS) for pair in combinations(BACKGROUNDS, 2)),
    ]  # fmt: skip
    table = pd.DataFrame([row for row in rows if row])
    if not table.empty:
        table.insert(list(table.columns).index("p") + 1, "p_holm", correct(table["p"], "holm"))
    return table


def _row(
    part: pd.DataFrame, factor: str, levels: Sequence[str], within: str, resamples: int, seed: int
) -> dict[str, object]:
    part = part[part[factor].isin(levels)]
    if part[factor].nunique() < 2:
        return {}
    by_level = tally(part, (factor,))
    places = [by_level.models.index(level) for level in levels]
    score = by_level.headline()
    (gap,) = compare(by_level, [(places[0], places[1])], score, resamples=resamples, seed=seed)
    first, second = (_each(tally(part[part[factor] == level]), score) for level in levels)
    both = first.index.intersection(second.index)
    return {
        "first": BACKGROUND_TITLES.get(levels[0], levels[0]),
        "second": BACKGROUND_TITLES.get(levels[1], levels[1]),
        "within": BACKGROUND_TITLES.get(within, within),
        "score": score,
        **{name: found[0] for name, found in of_differences([gap]).items()},
        "higher": int((first[both] > second[both]).sum()),
        "models": len(both),
        "n": gap.n,
    }


def _each(counted: Tally, score: str) -> pd.Series:
    return pd.Series(counted.values(score), index=list(counted.models))
