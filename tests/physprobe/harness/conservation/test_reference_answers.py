from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

from physprobe.errors import UserError
from physprobe.harness.conservation import reference_answer
from physprobe.harness.reference_models import question_rng
from tests.support.conservation_rows import row

CLAIMS = ["moved_more", "same", "moved_less"]


def _answer(kind: str, number: int = 0, seed: int = 0, claims: list[str] = CLAIMS) -> str:
    question = row(f"number_a_{number}", relations=claims, answer="B")
    return reference_answer(kind, question, question_rng(seed, question["question_id"]))


@pytest.mark.parametrize("claims", [CLAIMS, [*CLAIMS, "idk"]])
def test_reference_answers(claims: list[str]) -> None:
    assert {_answer("oracle", k, claims=claims) for k in range(20)} == {"(B)"}
    assert {_answer("invariance", k, claims=claims) for k in range(20)} == {"(B)"}
    assert {_answer("change", k, claims=claims) for k in range(20)} == {"(A)", "(C)"}
    shown = {f"({letter})" for letter, _ in zip("ABCD", claims, strict=False)}
    assert {_answer("chance", k, claims=claims) for k in range(60)} == shown


def test_requests_without_options_are_answered_truly() -> None:
    rng = question_rng(0, "q")
    assert reference_answer("chance", {"question_id": "q", "answer": "Images: 7"}, rng) == "Images: 7"


@pytest.mark.parametrize(("kind", "letters"), [("chance", "ABC"), ("change", "AC")])
def test_draws_are_uniform_and_depend_on_seed_and_question_only(kind: str, letters: str) -> None:
    drawn = [_answer(kind, k) for k in range(1500)]
    counts = Counter(drawn)
    assert set(counts) == {f"({letter})" for letter in letters}
    assert chisquare(list(counts.values())).pvalue > 1e-4
    assert drawn[::-1] == [_answer(kind, k) for k in reversed(range(1500))]
    agreement = np.mean([one == _answer(kind, k, seed=1) for k, one in enumerate(drawn)])
    assert agreement == pytest.approx(1 / len(letters), abs=0.06)


def test_a_kind_without_an_answer_names_those_that_have_one() -> None:
    with pytest.raises(
        UserError, match=r"physprobe_majority has no answer .*: use oracle, chance, invariance, change"
    ):
        _answer("majority", 0)
