from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from physprobe.judging.votes import FAULTS, Ballot, decide


def ballots(*said: str | None) -> list[Ballot]:
    """A verdict, None for garbage, "!" for a judge that can't be reached."""
    return [
        Ballot(f"j{k}", None, "timeout", "1 s") if word == "!" else Ballot(f"j{k}", word)
        for k, word in enumerate(said)
    ]


@pytest.mark.parametrize(
    ("said", "decision", "outcome", "reasons"),
    [
        (("A", "A", "A", "A"), "A", "accepted", "agree agree agree agree"),
        (("A", "B", "A", "A"), "A", "accepted", "agree disagree agree agree"),
        (("A", "A", None, "A"), "A", "accepted", "agree agree garbage agree"),
        (("A", "A", "!", "A"), "A", "accepted", "agree agree timeout agree"),
        (("fail", "fail", "fail", "A"), "fail", "accepted", "agree agree agree disagree"),
        (("A", "A", "B", "B"), None, "fail", "disagree disagree disagree disagree"),
        (("A", "A", "B", None), None, "fail", "disagree disagree disagree garbage"),
        ((None, None, None, None), None, "fail", "garbage garbage garbage garbage"),
        (("A", "A", "B", "!"), None, "pending", "disagree disagree disagree timeout"),
        (("A", "B", "C", "!"), None, "fail", "disagree disagree disagree timeout"),
        (("A", "!", "!", "B"), None, "pending", "disagree timeout timeout disagree"),
        (("!", "!", "!", "!"), None, "pending", "timeout timeout timeout timeout"),
        (("!", "!", None, None), None, "fail", "timeout timeout garbage garbage"),
    ],
)
def test_three_of_four_decide(said: tuple[str, ...], decision: str, outcome: str, reasons: str) -> None:
    verdict = decide("x", ballots(*said), 3)
    assert (verdict.item_id, verdict.decision, verdict.outcome) == ("x", decision, outcome)
    assert [judge.reason for judge in verdict.verdicts] == reasons.split()
    assert [judge.judge for judge in verdict.verdicts] == ["j0", "j1", "j2", "j3"]


@pytest.mark.parametrize(("judges", "needed"), [(4, 2), (4, 5), (1, 0), (2, 1)])
def test_a_quorum_is_a_majority(judges: int, needed: int) -> None:
    with pytest.raises(ValueError, match="no majority"):
        decide("x", ballots(*["A"] * judges), needed)


@given(st.lists(st.sampled_from(["A", "B", "fail", None, "!"]), min_size=1, max_size=9), st.data())
def test_decisions_rest_on_votes_and_pending_on_absence(said: list[str | None], data: st.DataObject) -> None:
    needed = data.draw(st.integers(len(said) // 2 + 1, len(said)))
    verdict = decide("x", ballots(*said), needed)
    votes = Counter(word for word in said if word not in (None, "!"))
    winners = [word for word, count in votes.items() if count >= needed]
    assert [verdict.decision] == (winners or [None])
    could = any(
        decide("x", ballots(*[word if w == "!" else w for w in said]), needed).decision
        for word in ("A", "B", "fail")
    )
    assert (verdict.outcome == "pending") == (not winners and could)
    assert sum(judge.reason == "agree" for judge in verdict.verdicts) == (votes[winners[0]] if winners else 0)
    assert sum(judge.reason in FAULTS for judge in verdict.verdicts) == said.count("!")
