"""Scores of a model on conservationbench, each with a confidence interval (paper sections 4.1 and 4.3).

All scores are ratios of counts over questions or pairs, so no order of the records can change them. An unread
answer counts as wrong (Stage 2 of the paper's scoring) and is reported as a rate of its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any, Literal

from physprobe.conservation.vocabulary import RELATIONS, Condition, Relation
from physprobe.errors import UserError
from physprobe.statistics.bootstrap import Method, cluster_bootstrap, cluster_sums
from physprobe.statistics.estimates import Estimate, metric_names

# What an answer claims: a relation, or that it can't be told, where a question offers that as an option.
Claim = Relation | Literal["idk"]

CLAIMS: tuple[Claim, ...] = (*RELATIONS, "idk")

# The scores, in the order in which tables show them.
SCORES: tuple[str, ...] = (
    "accuracy_overall",
    "accuracy_conserving",
    "accuracy_nonconserving",
    "accuracy_strict_pair",
    "rate_unread",
    "share_same",
    "share_moved_more",
    "share_moved_less",
    "share_idk",
)


@dataclass(frozen=True)
class AnswerRecord:
    """One answer, read and marked.

    Attributes:
        question_id: unique among the scored records.
        pair_id: shared by a conserving clip and its nonconserving twin; the unit that is resampled.
        domain, condition: of the clip.
        relation: what the chosen option claims, or None when the answer could not be read.
        correct: whether that is the truth; False when unread, and for "idk".
        setting: what else tells two questions on one clip apart (prompt style, frame count, extraction), as
            one string: a pair is judged within a setting.
    """

    question_id: str
    pair_id: str
    domain: str
    condition: Condition
    relation: Claim | None
    correct: bool
    setting: str = ""

    @classmethod
    def taken_from(cls, row: Mapping[str, Any]) -> AnswerRecord:
        """Take the record out of a longer one, such as a line of a samples file."""
        return cls(**{name: row[name] for name in cls.__dataclass_fields__})


METRIC_NAMES: tuple[str, ...] = tuple(chain.from_iterable(map(metric_names, SCORES)))


def conservation_scores(
    records: Iterable[AnswerRecord],
    *,
    resamples: int = 1000,
    seed: int = 0,
    confidence: float = 0.95,
    method: Method = "percentile",
) -> dict[str, Estimate]:
    """Compute every score with a confidence interval from a bootstrap over pairs.

    A pair is the resampled unit, with all its questions in all settings. Definitions, over questions unless
    said otherwise:
        accuracy_overall, accuracy_conserving, accuracy_nonconserving: share answered correctly.
        accuracy_strict_pair: share of pairs whose two twins, asked in the same setting, are both answered
            correctly; over pairs with both answers present, each counted once per setting.
        rate_unread: share whose answer could not be read.
        share_same, share_moved_more, share_moved_less, share_idk: shares of the claim chosen; these four and
            rate_unread sum to 1.

    Args:
        records: answers of one model, in any order; any number of domains and settings.
        resamples, seed, confidence, method: see :func:`physprobe.statistics.bootstrap.cluster_bootstrap`.

    Returns:
        One estimate per name of SCORES. A score over nothing (no record, no complete pair, one condition
        missing) has value and bounds NaN and n = 0. Fewer than two pairs: bounds are NaN.

    Raises:
        UserError: a question scored twice; two answers for one clip in one setting; an unread answer or "I
            don't know" marked correct.
    """
    ordered = sorted(records, key=lambda record: record.question_id)
    _refuse_duplicates(ordered)
    clusters, rows = _count(ordered)
    _, sums = cluster_sums(clusters, rows)
    if not len(sums):
        return {name: Estimate(float("nan"), float("nan"), float("nan"), 0) for name in SCORES}
    found = cluster_bootstrap(sums, resamples=resamples, seed=seed, confidence=confidence, method=method)
    n = sums.sum(axis=0)[len(SCORES) :].astype(int).tolist()
    numbers = zip(found.value.tolist(), found.low.tolist(), found.high.tolist(), n, strict=True)
    return {name: Estimate(*row) for name, row in zip(SCORES, numbers, strict=True)}


def _refuse_duplicates(ordered: Sequence[AnswerRecord]) -> None:
    for earlier, later in pairwise(ordered):
        if earlier.question_id == later.question_id:
            raise UserError(f"question {later.question_id!r} is scored twice: keep one record of it")
    for record in ordered:
        if record.correct and record.relation not in RELATIONS:
            told = "unread" if record.relation is None else '"I don\'t know"'
            raise UserError(f"question {record.question_id!r} is marked correct but its answer is {told}")


def _cluster(record: AnswerRecord) -> str:
    return f"{record.domain}/{record.pair_id}"


def _count(ordered: Sequence[AnswerRecord]) -> tuple[list[str], list[list[bool]]]:
    """Turn questions and complete pairs into rows (see :func:`_row`), each with its cluster."""
    clusters: list[str] = []
    rows: list[list[bool]] = []
    twins: dict[tuple[str, str], dict[str, bool]] = defaultdict(dict)
    for record in ordered:
        clusters.append(_cluster(record))
        rows.append(_row(_question_shares(record)))
        pair = twins[_cluster(record), record.setting]
        if record.condition in pair:
            raise UserError(
                f"pair {record.pair_id!r} has two {record.condition} answers in setting {record.setting!r}: "
                "tell them apart by the setting"
            )
        pair[record.condition] = record.correct
    for (cluster, _), pair in twins.items():
        if len(pair) == 2:
            clusters.append(cluster)
            rows.append(_row({"accuracy_strict_pair": all(pair.values())}))
    return clusters, rows


def _question_shares(record: AnswerRecord) -> dict[str, bool]:
    return {
        "accuracy_overall": record.correct,
        f"accuracy_{record.condition}": record.correct,
        "rate_unread": record.relation is None,
        **{f"share_{claim}": record.relation == claim for claim in CLAIMS},
    }


def _row(shares: dict[str, bool]) -> list[bool]:
    """Lay out what one question or pair adds: numerators, then denominators, in the order of SCORES."""
    return [*(shares.get(name, False) for name in SCORES), *(name in shares for name in SCORES)]
