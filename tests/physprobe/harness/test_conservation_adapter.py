from __future__ import annotations

from collections import Counter
from typing import Any

import datasets
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from physprobe.conservation.metrics import conservation_scores
from physprobe.conservation.prompts import option_text, question_text
from physprobe.conservation.vocabulary import LETTERS, RELATIONS
from physprobe.errors import UserError
from physprobe.harness import conservation
from physprobe.harness.carriers import MarkedAnswer
from physprobe.harness.reference_models import question_rng


def row(pair: str = "p", condition: str = "conserving", **changes: Any) -> dict[str, Any]:
    """A question as the builder writes it: the moved row is the upper one, and gains a coin in the twin."""
    options = [option_text("number", relation, "upper") for relation in RELATIONS]
    truth = "same" if condition == "conserving" else "moved_more"
    made = {
        "question_id": f"{pair}_{condition}__direct_7_uniform",
        "pair_id": pair,
        "video_id": f"{pair}_{condition}",
        "domain": "number",
        "condition": condition,
        "prompt_style": "direct",
        "frame_count": 7,
        "extraction": "uniform",
        "frame_indices": [0, 1, 2, 3, 4, 5, 6],
        "question": question_text("number", "direct", options),
        "options": options,
        "answer": LETTERS[RELATIONS.index(truth)],
        "answer_relation": truth,
    }
    return {**made, **changes}


def twins(pair: str = "p") -> list[dict[str, Any]]:
    return [row(pair), row(pair, "nonconserving")]


def standard(rows: list[dict[str, Any]], domain: str = "number") -> Any:
    return conservation.standard_questions(domain, datasets.Dataset.from_list(rows))


def test_only_rows_in_the_standard_condition_are_kept() -> None:
    others = [row(prompt_style="cot"), row(frame_count=9), row(extraction="human"), row(domain="length")]
    kept = standard([*others, *twins()])
    assert kept["question_id"][:] == [r["question_id"] for r in twins()]
    assert kept["relations"][:] == [list(RELATIONS)] * 2


def test_claims_follow_the_shown_order() -> None:
    turned = [
        r | {"options": r["options"][::-1], "answer": LETTERS[2 - LETTERS.index(r["answer"])]}
        for r in twins()
    ]
    assert standard(turned)["relations"][:] == [list(RELATIONS)[::-1]] * 2


def test_what_is_missing_is_named() -> None:
    lacking = [{k: v for k, v in r.items() if k != "frame_indices"} for r in twins()]
    with pytest.raises(UserError, match="lacks column 'frame_indices'"):
        standard(lacking)
    with pytest.raises(UserError, match="no question with domain=length, prompt_style=direct"):
        standard(twins(), "length")
    with pytest.raises(UserError, match="pair p lacks one of its twins"):
        standard([row()])


def test_an_answer_becomes_a_record() -> None:
    (question, *_) = standard(twins())
    collected = conservation.mark(question, "The answer is (C).")
    assert list(collected) == list(conservation.REPORTED)
    full, *others = collected.values()
    assert (full["letter"], full["relation"], full["correct"]) == ("C", "moved_less", False)
    assert all(isinstance(item, MarkedAnswer) and item == "wrong" for item in others)
    assert {conservation.answer_record(item) for item in collected.values()} == {others[0].record}
    assert conservation.mark(question, "(A)")["rate_unread"] == "correct"


def test_an_unreadable_answer_is_unread_and_wrong() -> None:
    (question, *_) = standard(twins())
    collected = conservation.mark(question, "A or B")
    assert collected["rate_unread"] == "unread"
    record = conservation.answer_record(collected["accuracy_overall"])
    assert record.relation is None
    assert not record.correct


def test_prompt_hash_tells_text_frames_and_clip_apart() -> None:
    variants = [
        row(),
        row(question="Another?"),
        row(frame_indices=[0, 1, 2, 3, 4, 5, 7]),
        row(condition="nonconserving"),
    ]
    assert len({conservation.prompt_hash(r) for r in variants}) == len(variants)
    assert conservation.prompt_hash(row()) == conservation.prompt_hash(row())


@given(st.lists(st.sampled_from(["(A)", "(B)", "(C)", "no idea"]), min_size=8, max_size=8), st.randoms())
def test_aggregations_agree_with_the_plain_metrics_in_any_order(answers: list[str], random: Any) -> None:
    questions = [r for pair in "abcd" for r in twins(pair)]
    marked = [
        conservation.mark(q | {"relations": list(RELATIONS)}, answer)
        for q, answer in zip(questions, answers, strict=True)
    ]
    records = [conservation.answer_record(m["accuracy_overall"]) for m in marked]
    expected = conservation_scores(records)
    random.shuffle(marked)
    for score in conservation.SCORES:
        names = conservation.metric_names(score)
        found = [
            aggregate([m[name] for m in marked])
            for aggregate, name in zip(conservation.aggregations(score), names, strict=True)
        ]
        estimate = expected[score]
        assert found == [estimate.value, estimate.low, estimate.high]
        halves = [
            conservation.aggregations(score)[0]([m[score] for m in part]) for part in (marked[:3], marked[3:])
        ]
        assert conservation.pool(halves, [3, 5], False) == estimate.value


def _answer(kind: str, number: int = 0, seed: int = 0) -> str:
    question = row(f"pair_{number}") | {"relations": ["moved_more", "same", "moved_less"], "answer": "B"}
    return conservation.reference_answer(kind, question, question_rng(seed, question["question_id"]))


def test_reference_answers() -> None:
    assert {_answer("oracle", k) for k in range(20)} == {"(B)"}
    assert {_answer("invariance", k) for k in range(20)} == {"(B)"}
    assert {_answer("change", k) for k in range(20)} == {"(A)", "(C)"}


@pytest.mark.parametrize(("kind", "letters"), [("chance", "ABC"), ("change", "AC")])
def test_draws_are_uniform_and_depend_on_seed_and_question_only(kind: str, letters: str) -> None:
    drawn = [_answer(kind, k) for k in range(1500)]
    counts = Counter(drawn)
    assert set(counts) == {f"({letter})" for letter in letters}
    assert chisquare(list(counts.values())).pvalue > 1e-4
    assert drawn[::-1] == [_answer(kind, k) for k in reversed(range(1500))]
    agreement = np.mean([one == _answer(kind, k, seed=1) for k, one in enumerate(drawn)])
    assert agreement == pytest.approx(1 / len(letters), abs=0.06)
