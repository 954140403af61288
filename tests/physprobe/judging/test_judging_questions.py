from __future__ import annotations

from string import ascii_uppercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from physprobe.judging.questions import JudgeItem, after_thoughts, parse_verdict

VERDICTS = ("A", "B", "C", "fail")


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ("B", "B"),
        (" fail\n", "fail"),
        ("<think>A? No, B.</think>\n\nB", "B"),
        ("It may be A ... so</think>C", "C"),
        ("<think>the answer quotes </think> A</think>\nB", "B"),
        ("<THINKING>hm</THINKING>A", "A"),
    ],
)
def test_reads_a_reply_that_is_one_verdict(reply: str, verdict: str) -> None:
    assert parse_verdict(reply, VERDICTS) == verdict


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "b",
        "B.",
        "(B)",
        "**B**",
        "D",
        "FAIL",
        "A B",
        "A\nB",
        "A, because it says so",
        "The verdict is B",
        "B\n\nExplanation: the answer says B.",
        '{"verdict": "B"}',
        "1",
        "<think>B",
        "<think>B</think>",
        "B<think>or is it",
        "<think>x</think>B<think>y",
        "В",  # Cyrillic
    ],
)
def test_reads_nothing_else(reply: str) -> None:
    assert parse_verdict(reply, VERDICTS) is None


@given(st.text())
def test_a_parsed_verdict_is_the_whole_of_what_was_said(reply: str) -> None:
    verdict = parse_verdict(reply, VERDICTS)
    assert verdict is None or reply.strip() == verdict


@given(st.text(alphabet="AB <>/think\n", max_size=60), st.sampled_from(VERDICTS))
def test_closed_thoughts_never_matter(thoughts: str, verdict: str) -> None:
    assert parse_verdict(f"<think>{thoughts}</think>{verdict}", VERDICTS) == verdict


@given(st.text(), st.sampled_from(VERDICTS), st.text(alphabet=ascii_uppercase, min_size=1))
def test_more_words_make_it_garbage(before: str, verdict: str, more: str) -> None:
    assert parse_verdict(f"{before.replace('>', '')}{more} {verdict}", VERDICTS) is None


def test_verdicts_may_be_phrases() -> None:
    rubric = ("correct", "partially correct", "incorrect")
    assert parse_verdict("partially correct", rubric) == "partially correct"
    assert parse_verdict("partially", rubric) is None


def test_thoughts_end_at_the_last_closing_tag() -> None:
    assert after_thoughts("no thoughts") == "no thoughts"
    assert after_thoughts("<think>a</think> b <think>c</think> d ") == "d"


def test_an_item_is_hashed_as_it_is_sent() -> None:
    item = JudgeItem("x", "half a pair: \ud83d", VERDICTS, "v1")
    assert item.text == "half a pair: ?"
    assert item.prompt_sha256 == JudgeItem("y", item.text, ("A",), "v2").prompt_sha256
