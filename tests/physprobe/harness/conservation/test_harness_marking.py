from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from physprobe.conservation.metrics import AnswerRecord, conservation_scores, metric_names
from physprobe.harness.carriers import MarkedAnswer
from physprobe.harness.conservation import marking, questions
from physprobe.harness.scoring import reported
from tests.support.conservation_rows import dataset, twins


def asked(**options: Any) -> list[dict[str, Any]]:
    return questions.standard_questions(
        dataset([r for k in range(4) for r in twins(f"number_a_{k}")]), **options
    ).to_list()


def test_an_answer_becomes_a_record() -> None:
    (question, *_) = asked()
    collected = marking.mark(question, "The answer is (C).")
    assert list(collected) == list(reported(marking.SCORES))
    full, *others = collected.values()
    assert (full["letter"], full["relation"], full["correct"]) == ("C", "moved_less", False)
    assert (full["media"], full["prompt_style"], full["frame_count"]) == ("frames", "direct", 7)
    assert all(isinstance(item, MarkedAnswer) and item == "wrong" for item in others)
    assert {item.reading.record for item in others} == {AnswerRecord.taken_from(full)}
    assert marking.mark(question, "(A)")["rate_unread"] == "correct"


def test_an_unreadable_answer_is_unread_and_keeps_its_words_for_a_second_reader() -> None:
    (question, *_) = asked()
    word = marking.mark(question, "A or B")["rate_unread"]
    assert word == "unread"
    assert (word.reading.record.relation, word.reading.record.correct) == (None, False)
    assert word.reading.text == "A or B"
    assert word.reading.details["options"] == question["options"]
    assert marking.mark(question, "(A)")["rate_unread"].reading.details is None


@pytest.mark.parametrize("answer", ["(D)", "I don't know.", "(D) I don't know."])
def test_not_knowing_is_a_claim_of_its_own(answer: str) -> None:
    (question, *_) = asked(dont_know=True)
    collected = marking.mark(question, answer)
    assert list(collected) == list(reported(marking.IDK_SCORES))
    assert collected["share_idk"] == "idk"
    details = collected[marking.DETAILS]
    assert (details["letter"], details["relation"], details["correct"]) == ("D", "idk", False)


def test_without_that_option_not_knowing_is_unread() -> None:
    (question, *_) = asked()
    assert marking.mark(question, "I don't know.")["rate_unread"] == "unread"


def test_metrics_are_declared_with_their_bounds_and_no_name_is_part_of_another() -> None:
    declared = marking.SCORING.metric_list(marking.IDK_SCORES)
    names = [entry["metric"] for entry in declared]
    assert names == list(reported(marking.IDK_SCORES))
    assert not [(one, other) for one, other in permutations(names, 2) if one in other]
    better = {entry["metric"]: entry["higher_is_better"] for entry in declared}
    assert (better["accuracy_overall"], better["ci95_low_unread"], better["share_idk"]) == (True, False, None)
    pooled = marking.SCORING.group_metric_list(marking.SCORES)
    assert [entry["metric"] for entry in pooled] == list(reported(marking.SCORES))


@given(
    st.lists(st.sampled_from(["(A)", "(B)", "(C)", "(D)", "no idea"]), min_size=8, max_size=8), st.randoms()
)
def test_aggregations_agree_with_the_plain_metrics_in_any_order(answers: list[str], random: Any) -> None:
    marked = [marking.mark(q, answer) for q, answer in zip(QUESTIONS, answers, strict=True)]
    records = [AnswerRecord.taken_from(m[marking.DETAILS]) for m in marked]
    expected = conservation_scores(records)
    random.shuffle(marked)
    aggregate = {e["metric"]: e["aggregation"] for e in marking.SCORING.metric_list(marking.IDK_SCORES)}
    for score in marking.IDK_SCORES:
        found = [aggregate[name]([m[name] for m in marked]) for name in metric_names(score)]
        estimate = expected[score]
        assert found == [estimate.value, estimate.low, estimate.high]
        halves = [aggregate[score]([m[score] for m in part]) for part in (marked[:3], marked[3:])]
        assert marking.SCORING.pool(halves, [3, 5], False) == estimate.value


QUESTIONS = asked(dont_know=True)
