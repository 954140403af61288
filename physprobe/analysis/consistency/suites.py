"""Models on the three suites, and what shifts of appearance and intervention cost (section 6, Table 3)."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd

from physprobe.analysis.consistency.tallies import Tally, estimates, parts, suites_of, tally
from physprobe.analysis.coverage import Missing, unranked, unranked_finding
from physprobe.analysis.finding import Finding, bootstrap_over, made_by
from physprobe.analysis.layout import PEOPLE
from physprobe.consistency.metrics import SCORES, score_totals
from physprobe.errors import UserError
from physprobe.statistics.differences import differences
from physprobe.statistics.pairwise import correct
from physprobe.text import quantity

# Score -> column, the paper's primary figures first; raw binary accuracy stands last, as in the paper.
COLUMNS = {
    "macro_f1_category": "category_f1",
    "accuracy_category": "category_accuracy",
    "macro_f1_binary": "binary_f1",
    "accuracy_balanced": "balanced",
    "recall_clean": "clean_recall",
    "recall_violated": "violated_recall",
    "iou_mean": "iou",
    "iou_above_50": "iou_50",
    "iou_above_75": "iou_75",
    "rate_invalid": "invalid",
    "accuracy_binary": "binary_accuracy",
}
HEADLINE = "macro_f1_category"
REFERENCE_SUITE = "standard"

# What always saying "violated" gets: ten of eleven images are.
MAJORITY = {"binary_accuracy": 10 / 11, "balanced": 0.5}
CHANCE = {"category_accuracy": 1 / 11}

_DROPS = ("macro_f1_category", "macro_f1_binary", "iou_mean")  # of which the paper speaks


def leaderboard(frame: pd.DataFrame, *, resamples: int = 10_000, seed: int = 0) -> tuple[Finding, ...]:
    """Rank models by category macro-F1 under intervention shift, the paper's primary result.

    Without that suite, by the last suite that was asked; models that were not asked it are not ranked.
    Neighbours are compared by a paired bootstrap over families, Holm-corrected; people are not compared.

    Args:
        frame: of Answers.

    Returns:
        The ranking: rank, model, n (images), families, each of COLUMNS with low and high. With several
        models the tests: rank, model, next, difference with low, high, p and p_holm, n (families). With some
        that are not ranked: model, missing (the suite), asked (other suites), n (images of these).

    Raises:
        UserError: the frame is empty.
    """
    suite = suites_of(frame)[-1]
    counted = {levels[0]: tally(part) for levels, part in parts(frame[frame["suite"] == suite], ("model",))}
    others = [str(name) for name in frame["model"].unique() if str(name) not in counted and name != PEOPLE]
    missing = dict.fromkeys(others, f"the {suite} suite")
    rows = [_row({"model": model}, each, resamples, seed) for model, each in counted.items()]
    table = pd.DataFrame(rows).sort_values(
        ["category_f1", "category_accuracy"], ascending=False, kind="stable", na_position="last"
    )
    ranks = table["category_f1"].rank(ascending=False, method="min", na_option="bottom").astype(int)
    table.insert(0, "rank", ranks)
    names = [str(name) for name in table["model"] if name != PEOPLE]
    ranked = Finding(
        f"Leaderboard of {quantity(len(names), 'model')}, {suite} suite",
        table.reset_index(drop=True),
        "images; box figures are over violated images",
        bootstrap_over("scene families", resamples),
        made_by(leaderboard),
        (*_notes(), *unranked(missing)),
    )
    tests = (_neighbours(counted, names, suite, resamples, seed),) if names[1:] else ()
    return (ranked, *tests, *_not_ranked(frame, missing, ranked))


def _not_ranked(frame: pd.DataFrame, missing: Missing, ranked: Finding) -> tuple[Finding, ...]:
    if not missing:
        return ()
    rows = []
    for model in missing:
        part = frame[frame["model"] == model]
        rows.append({"model": model, "asked": ", ".join(suites_of(part)), "n": len(part)})
    return (unranked_finding(pd.DataFrame(rows), missing, ranked),)


def suites(frame: pd.DataFrame, *, resamples: int = 10_000, seed: int = 0) -> tuple[Finding, ...]:
    """Score models on each suite, and say what they lose against the standard one.

    Args:
        frame: of Answers.

    Returns:
        The scores: model, suite, n (images), families, each of COLUMNS with low and high. Where the standard
        suite and another were asked, the drops: model, suite, score, standard and shifted (in percent),
        drop (standard - shifted, in points) with low, high and p, n (families of both suites).

    Raises:
        UserError: the frame is empty.
    """
    there = suites_of(frame)
    counted = {levels: tally(part) for levels, part in parts(frame)}
    rows = [
        _row({"model": model, "suite": suite}, each, resamples, seed)
        for (model, suite), each in counted.items()
    ]
    scored = Finding(
        "Scores on each suite",
        pd.DataFrame(rows),
        "images; box figures are over violated images",
        bootstrap_over("scene families", resamples),
        made_by(suites),
        _notes(),
    )
    shifted = [suite for suite in there if suite != REFERENCE_SUITE]
    drops = [
        row
        for model in dict.fromkeys(model for model, _ in counted)
        for suite in shifted
        if (model, REFERENCE_SUITE) in counted and (model, suite) in counted
        for row in _drops(model, suite, counted, resamples, seed)
    ]
    return (scored, _as_finding(drops, resamples)) if drops else (scored,)


def _row(levels: dict[str, str], counted: Tally, resamples: int, seed: int) -> dict[str, object]:
    sizes = {"n": counted.n, "families": len(counted.families)}
    return {**levels, **sizes, **estimates(counted, COLUMNS, resamples=resamples, seed=seed)}


def _drops(
    model: str, suite: str, counted: dict[tuple[str, ...], Tally], resamples: int, seed: int
) -> list[dict[str, object]]:
    """Subtract scores on disjoint families: each suite is resampled by itself."""
    before, after = counted[model, REFERENCE_SUITE], counted[model, suite]
    first, second = before.values(), after.values()
    drawn = before.drawn(resamples, seed) - after.drawn(resamples, seed + 1)
    rows = []
    for score in _DROPS:
        low, high, p = _bounds(100 * drawn[:, SCORES.index(score)])
        rows.append(
            {
                **{"model": model, "suite": suite, "score": COLUMNS[score]},
                **{"standard": 100 * first[score], "shifted": 100 * second[score]},
                **{"drop": 100 * (first[score] - second[score]), "low": low, "high": high, "p": p},
                "n": len(before.families) + len(after.families),
            }
        )
    return rows


def _bounds(drawn: np.ndarray) -> tuple[float, float, float]:
    known = drawn[~np.isnan(drawn)]
    if len(known) < 2:
        return float("nan"), float("nan"), float("nan")
    low, high = np.quantile(known, [0.025, 0.975]).tolist()
    tail = min((known <= 0).sum(), (known >= 0).sum())
    return low, high, min(2 * (int(tail) + 1) / (len(known) + 1), 1.0)


def _as_finding(rows: list[dict[str, object]], resamples: int) -> Finding:
    return Finding(
        "What a shift costs: standard suite minus shifted suite, in points",
        pd.DataFrame(rows),
        "scene families of both suites",
        f"{bootstrap_over('scene families', resamples)}, each suite by itself",
        made_by(suites),
        (
            "appearance: other geometries, materials and lights, same construction of violations; "
            "intervention: the appearance of training, another construction",
            "p: two-sided, of the bootstrap, not corrected for the number of models",
        ),
    )


def _neighbours(
    counted: dict[str, Tally], names: list[str], suite: str, resamples: int, seed: int
) -> Finding:
    rows = []
    for rank, (one, other) in enumerate(pairwise(names), 1):
        found = _paired(counted[one], counted[other], resamples, seed)
        rows.append({"rank": rank, "model": one, "next": other, **found})
    table = pd.DataFrame(rows)
    table.insert(list(table.columns).index("p") + 1, "p_holm", correct(table["p"].tolist(), "holm"))
    return Finding(
        f"Each model against the next, category macro-F1, {suite} suite",
        table,
        "scene families",
        f"paired {bootstrap_over('scene families', resamples)}",
        made_by(leaderboard),
    )


def _paired(one: Tally, other: Tally, resamples: int, seed: int) -> dict[str, float]:
    shared = [family for family in one.families if family in set(other.families)]
    if not shared:
        raise UserError("two models answered questions of different scene families: evaluate the same")
    sums = np.concatenate(
        [each.sums[[each.families.index(family) for family in shared]] for each in (one, other)], axis=1
    )
    place = SCORES.index(HEADLINE)

    def both(totals: np.ndarray) -> np.ndarray:
        halves = totals.reshape(*totals.shape[:-1], 2, -1)
        return score_totals(halves)[..., place]

    (gap,) = differences(sums, both, [(0, 1)], resamples=resamples, seed=seed)
    return {"difference": gap.value, "low": gap.low, "high": gap.high, "p": gap.p, "n": gap.n}


def _notes() -> tuple[str, ...]:
    return (
        "macro-F1: category_f1 over eleven labels, binary_f1 over clean and violated; balanced: mean of "
        "clean_recall and violated_recall",
        f"always saying violated gives binary_accuracy {MAJORITY['binary_accuracy']:.3f} and balanced "
        f"{MAJORITY['balanced']:.1f}; naming labels by lot gives category_accuracy "
        f"{CHANCE['category_accuracy']:.3f}",
        "an answer that can't be read is wrong, and without a box has IoU 0; invalid: a field is missing, "
        "malformed or contradicts another",
    )
