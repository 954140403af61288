"""Models ranked, and by category (paper section 4, Table 1)."""

from __future__ import annotations

from itertools import pairwise

import pandas as pd

from physprobe.analysis.coverage import in_whole, unranked, unranked_finding
from physprobe.analysis.finding import Finding, bootstrap_over, made_by
from physprobe.analysis.layout import PEOPLE
from physprobe.analysis.quantiphy.selection import TITLES, Over, select
from physprobe.analysis.quantiphy.tallies import Tally, compare, of_differences, score_table, tally
from physprobe.quantiphy.codes import CATEGORIES
from physprobe.statistics.bootstrap import Method
from physprobe.statistics.pairwise import correct
from physprobe.text import quantity

# Of the paper's people, on its videos: mean over the categories (section 4). It states no chance level: a
# number has none.
HUMAN_MRA = 0.556

COLUMNS = ("mra", "mra_questions", "unread", "invalid")
NOTES = (
    "MRA is the mean of the four category means, the headline; mra_questions is the mean over questions",
    "an unread answer scores 0; invalid: unread or zero",
)


def leaderboard(
    frame: pd.DataFrame,
    over: Over = "ours",
    *,
    resamples: int = 10_000,
    seed: int = 0,
    method: Method = "bca",
) -> tuple[Finding, ...]:
    """Rank models by the mean of their four category means, and test each against the next.

    Models of equal MRA share a rank and stand in the order of their mean over questions. Models that lack
    questions that others were asked (of a category, say) are not ranked.
    Neighbours are compared by a paired cluster bootstrap over videos, Holm-corrected. Models that are not
    neighbours in the ranking are not compared, nor are people.

    Args:
        frame: of Answers. over: which questions. resamples, seed, method: of the bootstrap.

    Returns:
        The ranking: rank, model, n (questions), videos, each of COLUMNS with low and high. With several
        models the tests of neighbours: rank, model, next, difference with low, high, p and p_holm, n
        (videos). With some that are not ranked: model, missing (categories), n, videos, each of COLUMNS with
        low and high.

    Raises:
        UserError: no answers, or none of a model that was asked everything.
    """
    whole, partly, missing = in_whole(select(frame, over), "category")
    counted = tally(whole)
    table = score_table(counted, COLUMNS, resamples=resamples, seed=seed, method=method)
    table = table.sort_values(["mra", "mra_questions"], ascending=False, kind="stable", na_position="last")
    order = [int(k) for k in table.index if counted.models[k] != PEOPLE]
    table = table.reset_index(drop=True)
    ranks = table["mra"].rank(ascending=False, method="min", na_option="bottom")
    table.insert(0, "rank", ranks.astype(int))
    people = f"people: MRA {HUMAN_MRA:.3f} in the paper, on its own videos; it states no chance level"
    ranked = Finding(
        f"Leaderboard of {quantity(len(order), 'model')}, {TITLES[over]}",
        table,
        "questions",
        bootstrap_over("videos", resamples, method),
        made_by(leaderboard),
        (*NOTES, people, *_gaps(table), *unranked(missing)),
    )
    tests = (_against_the_next(counted, order, over, resamples, seed),) if order[1:] else ()
    if not missing:
        return (ranked, *tests)
    others = score_table(tally(partly), COLUMNS, resamples=resamples, seed=seed, method=method)
    return (ranked, *tests, unranked_finding(others, missing, ranked))


def _gaps(table: pd.DataFrame) -> tuple[str, ...]:
    lacking = table["mra"].isna().any()
    return ("mra is empty where a category was not asked",) if lacking else ()


def _against_the_next(counted: Tally, order: list[int], over: Over, resamples: int, seed: int) -> Finding:
    pairs = list(pairwise(order))
    found = compare(counted, pairs, "mra", resamples=resamples, seed=seed)
    table = pd.DataFrame(
        {
            "rank": range(1, len(order)),
            "model": [counted.models[i] for i, _ in pairs],
            "next": [counted.models[j] for _, j in pairs],
            **of_differences(found),
            "p_holm": correct([each.p for each in found], "holm"),
            "n": [each.n for each in found],
        }
    )
    return Finding(
        f"Each model against the next, {TITLES[over]}",
        table,
        "videos",
        f"paired {bootstrap_over('videos', resamples)}",
        made_by(leaderboard),
    )


def by_category(
    frame: pd.DataFrame, over: Over = "ours", *, resamples: int = 10_000, seed: int = 0
) -> tuple[Finding, ...]:
    """Score models in each category: their mean in the first row, then each, the best first.

    Returns:
        One finding: model, n (questions), videos, mra and the four categories with low and high.
    """
    chosen = select(frame, over)
    counted = tally(chosen)
    scores = ("mra", *CATEGORIES)
    each = score_table(counted, scores, resamples=resamples, seed=seed)
    each = each.sort_values("mra", ascending=False, kind="stable", na_position="last")
    mean = score_table(counted.pooled(), scores, resamples=resamples, seed=seed)
    asked = chosen.groupby("category", observed=True)["question_id"].nunique()
    sizes = ", ".join(f"{name} {asked[name]}" for name in CATEGORIES if name in asked.index)
    return (
        Finding(
            f"MRA by category, {TITLES[over]}",
            pd.concat([mean, each], ignore_index=True),
            f"questions ({sizes}); of all models, answers",
            bootstrap_over("videos", resamples),
            made_by(by_category),
            (
                "S: a size is given, D: a velocity or acceleration; 2, 3: dimensions of the motion",
                "the interval of all models speaks of other videos, not of other models",
            ),
        ),
    )
