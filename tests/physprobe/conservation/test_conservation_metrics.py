from __future__ import annotations

import math
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physprobe.conservation.metrics import (
    CLAIMS,
    METRIC_NAMES,
    SCORES,
    AnswerRecord,
    conservation_scores,
    metric_names,
)
from physprobe.conservation.vocabulary import CONDITIONS
from physprobe.errors import UserError

RESAMPLES = 60


def record(
    pair: str, condition: str, relation: str | None, truth: str, setting: str = "direct"
) -> AnswerRecord:
    return AnswerRecord(
        question_id=f"{pair}_{condition}__{setting}",
        pair_id=pair,
        domain=pair.split("_")[0],
        condition=condition,
        relation=relation,
        correct=relation == truth,
        setting=setting,
    )


def truth_of(condition: str, number: int) -> str:
    return "same" if condition == "conserving" else ("moved_more", "moved_less")[number % 2]


def answers(choose, pairs=6, settings=("direct", "cot")) -> list[AnswerRecord]:
    """Answer both twins of some pairs in each setting; ``choose`` maps the truth to the relation chosen."""
    return [
        record(f"number_{k}", condition, choose(truth_of(condition, k)), truth_of(condition, k), setting)
        for k in range(pairs)
        for condition in CONDITIONS
        for setting in settings
    ]


def same(one, other) -> bool:
    """Compare two sets of scores, NaN equal to NaN."""
    return repr(one) == repr(other)


@st.composite
def record_lists(draw, complete: bool = False):
    chosen = []
    for k in range(draw(st.integers(1, 5))):
        for setting in draw(st.sets(st.sampled_from(["direct", "cot"]), min_size=1)):
            conditions = CONDITIONS if complete else draw(st.sets(st.sampled_from(CONDITIONS), min_size=1))
            for condition in sorted(conditions):
                relation = draw(st.sampled_from([*CLAIMS, None]))
                chosen.append(record(f"length_{k}", condition, relation, truth_of(condition, k), setting))
    return draw(st.permutations(chosen))


def test_oracle_is_always_right():
    found = conservation_scores(answers(lambda truth: truth))
    for name in SCORES[:4]:
        assert (found[name].value, found[name].low, found[name].high) == (1, 1, 1)
    assert found["rate_unread"].value == 0
    assert found["share_same"].value == 0.5
    assert found["share_moved_more"].value == found["share_moved_less"].value == 0.25
    assert found["accuracy_overall"].n == 24
    assert found["accuracy_conserving"].n == found["accuracy_nonconserving"].n == 12
    assert found["accuracy_strict_pair"].n == 12


def test_invariance_is_right_on_conserving_only():
    found = conservation_scores(answers(lambda truth: "same"))
    values = [found[name].value for name in SCORES]
    assert values == [0.5, 1, 0, 0, 0, 1, 0, 0, 0]


def test_unread_counts_as_wrong():
    found = conservation_scores(answers(lambda truth: None))
    assert [found[name].value for name in SCORES] == [0, 0, 0, 0, 1, 0, 0, 0, 0]


def test_not_knowing_is_neither_right_nor_unread():
    found = conservation_scores(answers(lambda truth: "idk"))
    assert [found[name].value for name in SCORES] == [0, 0, 0, 0, 0, 0, 0, 0, 1]


def test_counts_by_hand():
    found = conservation_scores(
        [
            record("number_1", "conserving", "same", "same"),
            record("number_1", "nonconserving", "moved_more", "moved_more"),
            record("number_2", "conserving", "same", "same"),
            record("number_2", "nonconserving", "same", "moved_less"),
            record("number_3", "conserving", None, "same"),
            record("number_3", "nonconserving", "moved_more", "moved_more"),
            record("number_4", "conserving", "same", "same"),
        ],
        resamples=RESAMPLES,
    )
    assert found["accuracy_overall"].value == pytest.approx(5 / 7)
    assert found["accuracy_conserving"].value == pytest.approx(3 / 4)
    assert found["accuracy_nonconserving"].value == pytest.approx(2 / 3)
    assert found["accuracy_strict_pair"].value == pytest.approx(1 / 3)
    assert found["accuracy_strict_pair"].n == 3
    assert found["rate_unread"].value == pytest.approx(1 / 7)
    assert found["share_moved_more"].value == pytest.approx(2 / 7)


def test_twins_of_different_settings_are_no_pair():
    found = conservation_scores(
        [
            record("number_1", "conserving", "same", "same", "direct"),
            record("number_1", "nonconserving", "moved_more", "moved_more", "cot"),
        ]
    )
    assert found["accuracy_strict_pair"].n == 0
    assert math.isnan(found["accuracy_strict_pair"].value)


def test_equal_pair_ids_of_two_domains_are_two_pairs():
    one = record("number_1", "conserving", "same", "same")
    other = replace(record("number_1", "nonconserving", "moved_more", "moved_more"), domain="length")
    assert conservation_scores([one, other])["accuracy_strict_pair"].n == 0


@pytest.mark.parametrize("condition", CONDITIONS)
def test_one_condition_alone(condition):
    present, absent = (f"accuracy_{name}" for name in (condition, *(c for c in CONDITIONS if c != condition)))
    found = conservation_scores([record(f"number_{k}", condition, None, "same") for k in range(3)])
    assert found[present].n == 3
    assert found[absent].n == 0
    for name in (absent, "accuracy_strict_pair"):
        assert all(map(math.isnan, (found[name].value, found[name].low, found[name].high)))


def test_no_record_gives_nan():
    found = conservation_scores([])
    assert tuple(found) == SCORES
    assert all(math.isnan(estimate.value) and estimate.n == 0 for estimate in found.values())


def test_one_pair_has_a_value_and_no_interval():
    found = conservation_scores(answers(lambda truth: truth, pairs=1))["accuracy_overall"]
    assert found.value == 1
    assert math.isnan(found.low)
    assert math.isnan(found.high)


@settings(max_examples=60, deadline=None)
@given(record_lists())
def test_scores_stay_in_bounds_and_shares_sum_to_one(records):
    found = conservation_scores(records, resamples=RESAMPLES)
    for estimate in found.values():
        for number in (estimate.value, estimate.low, estimate.high):
            assert math.isnan(number) or 0 <= number <= 1
        assert math.isnan(estimate.low) or estimate.low <= estimate.high
        assert math.isnan(estimate.value) == (estimate.n == 0)
    shares = [found[name].value for name in SCORES if name.startswith(("share_", "rate_"))]
    assert sum(shares) == pytest.approx(1)


@settings(max_examples=60, deadline=None)
@given(record_lists(complete=True))
def test_strict_is_at_most_the_accuracy_of_either_twin(records):
    found = {name: estimate.value for name, estimate in conservation_scores(records, resamples=1).items()}
    strict, each = (
        found["accuracy_strict_pair"],
        (found["accuracy_conserving"], found["accuracy_nonconserving"]),
    )
    assert max(0, sum(each) - 1) - 1e-12 <= strict <= min(each) + 1e-12
    assert found["accuracy_overall"] == pytest.approx(sum(each) / 2)


@settings(max_examples=40, deadline=None)
@given(record_lists(), st.randoms())
def test_order_of_records_changes_nothing(records, random):
    shuffled = list(records)
    random.shuffle(shuffled)
    assert same(
        conservation_scores(records, resamples=RESAMPLES), conservation_scores(shuffled, resamples=RESAMPLES)
    )


def test_interval_widens_with_fewer_pairs():
    def mixed(pairs):
        records = answers(lambda truth: truth, pairs=pairs)
        return [
            replace(r, relation=None, correct=False) if r.pair_id.endswith(("1", "4", "7")) else r
            for r in records
        ]

    few, many = (conservation_scores(mixed(n))["accuracy_overall"] for n in (8, 48))
    assert few.high - few.low > 1.5 * (many.high - many.low)


def test_a_question_scored_twice_is_refused():
    one = record("number_1", "conserving", "same", "same")
    with pytest.raises(UserError, match="is scored twice"):
        conservation_scores([one, one])


def test_two_answers_for_one_twin_are_refused():
    one = record("number_1", "conserving", "same", "same")
    with pytest.raises(UserError, match="two conserving answers in setting 'direct'"):
        conservation_scores([one, replace(one, question_id="another")])


@pytest.mark.parametrize(("claim", "message"), [(None, "unread"), ("idk", "I don't know")])
def test_only_a_relation_can_be_correct(claim, message):
    with pytest.raises(UserError, match=message):
        conservation_scores([replace(record("number_1", "conserving", claim, "same"), correct=True)])


def test_no_metric_name_is_part_of_another():
    assert len(set(METRIC_NAMES)) == len(METRIC_NAMES) == 3 * len(SCORES)
    assert not [(one, other) for one, other in permutations(METRIC_NAMES, 2) if one in other]
    assert not any("stderr" in name or "," in name for name in METRIC_NAMES)
    assert metric_names("rate_unread") == ("rate_unread", "ci95_low_unread", "ci95_high_unread")
