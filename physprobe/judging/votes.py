"""Counts the votes of a panel (ConservationBench, Appendix F: at least three of four judges agree)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

Fault = Literal["timeout", "http_status", "connection", "bad_response", "not_asked"]
Reason = Literal["agree", "disagree", "garbage"] | Fault
Outcome = Literal["accepted", "fail", "pending"]

FAULTS: frozenset[str] = frozenset(get_args(Fault))


@dataclass(frozen=True)
class Ballot:
    """What came back from one judge.

    Attributes:
        judge: its name. verdict: its valid verdict, or None.
        fault: why there is no reply at all, or None. detail: more about a fault or garbage, for people.
        cached: the reply was in the cache before this run.
    """

    judge: str
    verdict: str | None
    fault: Fault | None = None
    detail: str = ""
    cached: bool = False


@dataclass(frozen=True)
class JudgeVerdict:
    """One judge's part in a panel's verdict.

    Attributes:
        judge: its name. verdict: what it said, None when it abstained.
        reason: "agree" or "disagree" with the decision (every vote disagrees when there is no decision);
            "garbage": it replied, but not with one of the verdicts; "timeout", "http_status", "connection",
            "bad_response" (no chat completion): no reply after all attempts; "not_asked": given up before.
        detail: for people ("429", "ConnectError", "reply cut off"). cached: replied in an earlier run.
    """

    judge: str
    verdict: str | None
    reason: Reason
    detail: str
    cached: bool


@dataclass(frozen=True)
class PanelVerdict:
    """A panel's verdict on one item.

    Attributes:
        item_id: as asked. decision: the verdict that reached the quorum, or None.
        outcome: "accepted"; "fail": no verdict reached the quorum and none can; "pending": none did, but the
            judges that could not be reached might still turn the vote.
        verdicts: one per judge, in the panel's order.
    """

    item_id: str
    decision: str | None
    outcome: Outcome
    verdicts: tuple[JudgeVerdict, ...]


def decide(item_id: str, ballots: Sequence[Ballot], needed: int) -> PanelVerdict:
    """Count the ballots of all judges of a panel.

    Args:
        item_id: of the item. ballots: one per judge. needed: the quorum, more than half of the judges.

    Raises:
        ValueError: ``needed`` is no majority, so that two verdicts could reach it.
    """
    if not len(ballots) / 2 < needed <= len(ballots):
        raise ValueError(f"a quorum of {needed} is no majority of {len(ballots)} judges")
    counts = Counter(ballot.verdict for ballot in ballots if ballot.verdict is not None)
    leader, most = counts.most_common(1)[0] if counts else (None, 0)
    decision = leader if most >= needed else None
    absent = sum(ballot.fault is not None for ballot in ballots)
    outcome: Outcome = "accepted" if decision else "pending" if absent and most + absent >= needed else "fail"
    verdicts = tuple(_judge_verdict(ballot, decision) for ballot in ballots)
    return PanelVerdict(item_id, decision, outcome, verdicts)


def _judge_verdict(ballot: Ballot, decision: str | None) -> JudgeVerdict:
    reason: Reason
    if ballot.fault is not None:
        reason = ballot.fault
    elif ballot.verdict is None:
        reason = "garbage"
    else:
        reason = "agree" if ballot.verdict == decision else "disagree"
    return JudgeVerdict(ballot.judge, ballot.verdict, reason, ballot.detail, ballot.cached)
