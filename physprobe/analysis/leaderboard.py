"""Models ranked, as a whole and by domain (paper section 4.3, Appendices H and I)."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd

from physprobe.analysis.coverage import Missing, in_whole, unranked, unranked_finding
from physprobe.analysis.finding import Finding, made_by, pair_bootstrap
from physprobe.analysis.layout import PEOPLE
from physprobe.analysis.selection import Over, domains_in, select
from physprobe.analysis.tallies import Tally, score_table, tally
from physprobe.statistics.bootstrap import Method
from physprobe.statistics.differences import mcnemar, paired_differences
from physprobe.statistics.pairwise import correct
from physprobe.text import quantity

# Score -> column. Chance is for three options; the human accuracy is the paper's (section 4.2), on its clips.
COLUMNS = {
    "accuracy_strict_pair": "strict_pair",
    "accuracy_overall": "accuracy",
    "accuracy_conserving": "conserving",
    "accuracy_nonconserving": "nonconserving",
    "rate_unread": "unread",
}
CHANCE = {"strict_pair": 1 / 9, "accuracy": 1 / 3}
HUMAN_ACCURACY = 0.9835


def leaderboard(
    frame: pd.DataFrame,
    over: Over = "standard",
    *,
    resamples: int = 10_000,
    seed: int = 0,
    method: Method = "bca",
) -> tuple[Finding, ...]:
    """Rank models by strict pair accuracy, each with intervals, and test each against the next.

    Models of equal strict pair accuracy share a rank and stand in the order of their accuracy. Models that
    lack questions that others were asked (of a domain, say) are not ranked. Neighbours are
    compared twice: by a paired cluster bootstrap of the strict pair accuracy, and, where each pair was asked
    in one setting, by McNemar's exact test. Each family of tests is Holm-corrected. Models that are not
    neighbours in the ranking are not compared, nor are people.

    Args:
        frame: of Answers. over: which answers. resamples, seed, method: of the bootstrap.

    Returns:
        The ranking: rank, model, n (questions), pairs, each score with low and high. With several models the
        tests of neighbours: rank, model, next, difference of their strict pair accuracies with low, high, p
        and p_holm, mcnemar_p and mcnemar_p_holm (NaN where pairs were asked repeatedly), n (pairs). With some
        that are not ranked: model, missing (domains), n, pairs, each score with low and high.

    Raises:
        UserError: no answers, or none of a model that was asked everything.
    """
    whole, partly, missing = in_whole(select(frame, over), "domain")
    counted = tally(whole)
    table = score_table(counted, COLUMNS, resamples=resamples, seed=seed, method=method)
    table = table.sort_values(["strict_pair", "accuracy"], ascending=False, kind="stable")
    order = [int(k) for k in table.index if counted.models[k] != PEOPLE]
    table = table.reset_index(drop=True)
    table.insert(
        0, "rank", table["strict_pair"].rank(ascending=False, method="min", na_option="bottom").astype(int)
    )
    notes = (
        "chance: " + ", ".join(f"{name.replace('_', ' ')} {value:.3f}" for name, value in CHANCE.items()),
        f"people: accuracy {HUMAN_ACCURACY:.3f} in the paper, on its own clips",
        "an unread answer counts as wrong",
        *_unvaried(table),
        *unranked(missing),
    )
    where = (pair_bootstrap(resamples, method), made_by(leaderboard), notes)
    ranked = Finding(
        f"Leaderboard of {quantity(len(order), 'model')}, {over} questions",
        table,
        "questions; strict pairs are over pairs",
        *where,
    )
    tests = _against_the_next(counted, order, over, resamples, seed) if order[1:] else ()
    return (ranked, *tests, *_not_ranked(partly, missing, ranked, resamples, seed, method))


def _not_ranked(
    partly: pd.DataFrame, missing: Missing, ranked: Finding, resamples: int, seed: int, method: Method
) -> tuple[Finding, ...]:
    if not missing:
        return ()
    table = score_table(tally(partly), COLUMNS, resamples=resamples, seed=seed, method=method)
    return (unranked_finding(table, missing, ranked),)


def _unvaried(table: pd.DataFrame) -> tuple[str, ...]:
    alike = table.loc[table["strict_pair_low"] == table["strict_pair_high"], "model"].tolist()
    if not alike:
        return ()
    return (
        f"all pairs alike for {', '.join(alike)}: an interval without width is the bootstrap's blind spot, "
        "not certainty",
    )


def _against_the_next(
    counted: Tally, order: list[int], over: Over, resamples: int, seed: int
) -> tuple[Finding, ...]:
    return (
        Finding(
            f"Each model against the next, {over} questions",
            _neighbours(counted, order, resamples, seed),
            "pairs",
            f"paired {pair_bootstrap(resamples)}",
            made_by(leaderboard),
            ("p: of the bootstrap; mcnemar_p: exact, where each pair was asked once",),
        ),
    )


def _neighbours(counted: Tally, order: list[int], resamples: int, seed: int) -> pd.DataFrame:
    pairs = list(pairwise(order))
    strict = counted.of("accuracy_strict_pair")
    gaps = paired_differences(strict, pairs, resamples=resamples, seed=seed)
    once = strict[:, :, 1].max(initial=0) <= 1
    exact = [mcnemar(*_outcomes(strict, i, j)).p_exact if once else float("nan") for i, j in pairs]
    names = counted.models
    return pd.DataFrame(
        {
            "rank": range(1, len(order)),
            "model": [names[i] for i, _ in pairs],
            "next": [names[j] for _, j in pairs],
            "difference": [gap.value for gap in gaps],
            "low": [gap.low for gap in gaps],
            "high": [gap.high for gap in gaps],
            "p": [gap.p for gap in gaps],
            "p_holm": correct([gap.p for gap in gaps], "holm"),
            "mcnemar_p": exact,
            "mcnemar_p_holm": correct(exact, "holm"),
            "n": [gap.n for gap in gaps],
        }
    )


def _outcomes(strict: np.ndarray, i: int, j: int) -> tuple[np.ndarray, np.ndarray]:
    """Return which of the pairs that both models completed each answered strictly correctly."""
    both = (strict[:, i, 1] > 0) & (strict[:, j, 1] > 0)
    return strict[both, i, 0] > 0, strict[both, j, 0] > 0


def by_domain(
    frame: pd.DataFrame, over: Over = "standard", *, resamples: int = 10_000, seed: int = 0
) -> tuple[Finding, ...]:
    """Score models in each domain: their mean first, then each of them.

    Returns:
        Two findings with columns domain, model, n, pairs, and each score with low and high.
    """
    chosen = select(frame, over)
    counted = {domain: tally(chosen[chosen["domain"] == domain]) for domain in domains_in(chosen)}
    means = [_domain_rows(domain, part.pooled(), resamples, seed) for domain, part in counted.items()]
    each = [_domain_rows(domain, part, resamples, seed) for domain, part in counted.items()]
    where = (pair_bootstrap(resamples), made_by(by_domain))
    note = "the interval speaks of other pairs, not of other models"
    return (
        Finding(f"Mean over models by domain, {over} questions", _join(means), "questions", *where, (note,)),
        Finding(f"Models by domain, {over} questions", _join(each), "questions", *where),
    )


def _domain_rows(domain: str, counted: Tally, resamples: int, seed: int) -> pd.DataFrame:
    table = score_table(counted, COLUMNS, resamples=resamples, seed=seed)
    table.insert(0, "domain", domain)
    return table


def _join(tables: list[pd.DataFrame]) -> pd.DataFrame:
    return pd.concat(tables, ignore_index=True)
