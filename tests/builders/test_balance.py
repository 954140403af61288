"""What counts as balanced."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from builders.conservation.balance import QUESTION_CELL, balance_problems

TEXTS = ("more", "less", "same")


def rows(answers: str, extraction: str = "uniform", condition: str = "conserving") -> list[dict[str, Any]]:
    """One question a clip, each with another order of options."""
    return [
        {
            "pair_id": f"pair_{k}",
            "video_id": f"pair_{k}_{condition}",
            "domain": "number",
            "condition": condition,
            "prompt_style": "direct",
            "frame_count": 7,
            "extraction": extraction,
            "options": order,
            "answer": answer,
            "answer_relation": "same" if condition == "conserving" else "moved_more",
        }
        for k, (answer, order) in enumerate(zip(answers, permutations(TEXTS), strict=False))
    ]


def problems(asked: list[dict[str, Any]], complete: bool) -> list[str]:
    return list(balance_problems(asked, QUESTION_CELL, complete))


def test_of_a_complete_dataset_letters_are_even() -> None:
    told = "number conserving direct 7 uniform: right letters are unbalanced: {'A': 3, 'B': 2, 'C': 1}"
    assert problems(rows("AABBCC"), complete=True) == []
    assert problems(rows("AAABBC"), complete=True) == [told]
    assert problems(rows("AAABBC"), complete=False) == []
    assert len(problems(rows("AAAABC"), complete=False)) == 1


def test_orders_are_even() -> None:
    asked = rows("AABBCC")
    asked[0]["options"] = asked[1]["options"]
    told = "the 6 orders of the options are unbalanced: shown [0, 1, 1, 1, 1, 2] times"
    assert problems(asked, complete=True) == [f"number conserving direct 7 uniform: {told}"]
    assert problems(asked, complete=False) == []


def test_a_cell_that_lacks_clips_may_be_less_even() -> None:
    chosen = rows("AAB", "human")
    assert problems([*rows("AABBCC"), *chosen], complete=True) == []
    assert problems(chosen, complete=True) == [
        "number conserving direct 7 human: right letters are unbalanced: {'A': 2, 'B': 1, 'C': 0}"
    ]


@pytest.mark.parametrize("condition", ["conserving", "nonconserving"])
def test_each_direction_is_even(condition: str) -> None:
    """Whether a pair gains or loses is what its non-conserving twin does."""
    asked = rows("AABBCC") if condition == "conserving" else []
    twins = rows("AABBCC", condition="nonconserving")
    for row in twins[3:]:
        row["answer_relation"] = "moved_less"
    found = problems([*asked, *twins], complete=True)
    cell = f"number {condition} direct 7 uniform"
    assert f"{cell} gain: right letters are unbalanced: {{'A': 2, 'B': 1, 'C': 0}}" in found
    assert f"{cell} loss: right letters are unbalanced: {{'A': 0, 'B': 1, 'C': 2}}" in found
