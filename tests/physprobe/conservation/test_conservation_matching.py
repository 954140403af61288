from __future__ import annotations

import re
import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from physprobe.conservation import matching
from physprobe.conservation.matching import match_option
from physprobe.conservation.prompts import ORDERS, option_text
from tests.physprobe.conservation.answer_table import ANSWERS

NUMBER = ("No, the lower row has more coins.", "No, the upper row has more coins.", "Yes, they are the same.")
LENGTH = ("Yes, they are the same.", "No, the upper straw is longer.", "No, the lower straw is longer.")
UNSURE = (*LENGTH, "I don't know.")
GLASSES = (
    "No, the right glass has more water.",
    "Yes, they are the same.",
    "No, the left glass has more water.",
)

# Ways to say a letter that hold for every option of every question.
FRAMES = [
    "{}",
    "({})",
    "**{}**",
    "{}.",
    "Option {}",
    "Answer: {}",
    "The correct answer is ({}).",
    "The club hits a ball, so {}",
    "Let me count.\nFive above, five below.\n\nFinal answer: {}",
    '{{"answer": "{}"}}',
    "\\boxed{{{}}}",
    "<answer>{}</answer>",
    "<think>A or B? Not C.</think>{}",
    "答案是{}",
    "Die Antwort ist {}.",
    "La respuesta correcta es la {}",
]


@pytest.mark.parametrize(("answer", "letter"), ANSWERS, ids=range(len(ANSWERS)))
def test_an_answer_is_read_as_a_person_reads_it(answer, letter):
    found = match_option(answer, NUMBER)
    assert found.letter == letter, found.rule


def test_the_table_is_large_and_without_repeats():
    texts = [answer for answer, _ in ANSWERS]
    assert len(texts) == len(set(texts)) >= 120


@pytest.mark.parametrize(
    ("options", "answer", "letter"),
    [
        (LENGTH, "The upper straw is longer.", "B"),
        (LENGTH, "No, the lower straw is longer than the upper one.", "C"),
        (LENGTH, "Yes, the upper straw is the same length as the lower straw.", "A"),
        (LENGTH, "No, the upper straw is the same length as the lower straw.", None),
        (LENGTH, "A", "A"),
        (LENGTH, "A straw is cut.", None),
        (LENGTH, "The answer is A straw", None),
        (LENGTH, "Yes", "A"),
        (UNSURE, "D", "D"),
        (UNSURE, "I don't know.", "D"),
        (UNSURE, "Honestly, I don't know.", "D"),
        (UNSURE, "I don't know, maybe B", None),
        (UNSURE, "(E)", None),
        (GLASSES, "The right glass has more water.", "A"),
        (GLASSES, "(B) right glass", "B"),
        (GLASSES, "Right", None),
        (GLASSES[:2], "No", "A"),
        (("Yes, it is.", "Yes, but less."), "Yes", None),
        (("same", "same"), "same", None),
        ((), "A", None),
        (("", ""), "B", "B"),
        (("", ""), "hello", None),
        (("equal", "not equal"), "not equal", "B"),
    ],
)
def test_other_options(options, answer, letter):
    assert match_option(answer, options).letter == letter


@pytest.mark.parametrize(
    ("answer", "rule"),
    [
        ("<think>no end", "empty"),
        ('{"answer": "B"}', "json"),
        ("so \\boxed{B}", "boxed"),
        ("<answer>B</answer>", "answer_tag"),
        ("Answer: A. Final answer: B", "final_marker"),
        ("the answer is B", "marker"),
        ("B", "whole"),
        ("Five above.\nB", "last_line"),
        ("B\nSix above.", "first_line"),
        ("A coin enters, so B.", "conclusion"),
        ("B. A coin enters.", "leading"),
        ("see (B) here", "single_mention"),
        ("The upper row has more coins.", "option_text"),
        ("More coins in the upper row", "same_words"),
        ("Yes!", "yes_no"),
        ("A or B", "several_letters"),
        ("B. Yes, they are the same.", "text_conflict"),
        ("No, the upper row has more coins. Or: the lower row has more coins.", "several_texts"),
        ("coins", "nothing"),
    ],
)
def test_rules_are_named_and_documented(answer, rule):
    assert match_option(answer, NUMBER).rule == rule
    assert re.search(rf"\b{rule}\b", matching.__doc__ or "")


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("count", [2, 3, 4, 5, 9])
def test_any_letter_of_any_number_of_options(frame, count):
    options = [f"Statement number {k}." for k in range(count)]
    for letter in "ABCDEFGHI"[:count]:
        assert match_option(frame.format(letter), options).letter == letter


@pytest.mark.parametrize("order", ORDERS)
def test_the_text_of_an_option_is_read_in_every_order(order):
    for domain in ("number", "length"):
        options = [option_text(domain, relation, "lower") for relation in order]
        for letter, text in zip("ABC", options, strict=True):
            for answer in (text, text.lower(), f"**{text}**", f"({letter}) {text}", f"{text} ({letter})"):
                assert match_option(answer, options).letter == letter


@pytest.mark.parametrize("order", ORDERS)
def test_a_letter_beside_the_text_of_another_option_is_unread(order):
    options = [option_text("length", relation, "upper") for relation in order]
    for letter, text in zip("BCA", options, strict=True):
        for answer in (
            f"({letter}) {text}",
            f"{letter}. {text}",
            f"Answer: {letter}. {text}",
            f"{text} ({letter})",
        ):
            assert match_option(answer, options).letter is None, answer


@settings(max_examples=300, deadline=None)
@given(st.text(), st.lists(st.text(max_size=20), max_size=6))
@example("{" * 5000, ["a", "b"])
@example("[" * 100_000, ["a", "b"])
@example("\ud800", ["a", "b"])
@example('{"answer": 1e999}', ["a", "b"])
@example("B" * 100, ["\n", "İ"])
def test_never_raises_and_names_an_option_or_none(answer, options):
    letter, rule = match_option(answer, options)
    assert letter is None or letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: len(options)]
    assert rule


PIECES = st.sampled_from(
    [
        *'ABCabc().:,*?\n{}"',
        *("answer", "is", "not", "option", "so", "the", "final", "or", "yes", "no", "wait", "correct"),
        *("<think>", "</think>", "<answer>", "</answer>", "\\boxed{", "答案是", "A row"),
        *NUMBER,
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.lists(PIECES, max_size=25), st.sampled_from(["", " "]))
def test_never_raises_on_what_looks_like_answers(pieces, glue):
    letter, _ = match_option(glue.join(pieces), NUMBER)
    assert letter in (None, "A", "B", "C")


@settings(max_examples=100, deadline=None)
@given(st.sampled_from([pair for pair in ANSWERS if len(pair[0]) < 400]), st.text(" \n\t", max_size=4))
def test_white_space_around_an_answer_changes_nothing(pair, space):
    answer, letter = pair
    assert match_option(f"{space}{answer}{space}", NUMBER).letter == letter


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(exclude_characters="<>")))
def test_thoughts_are_not_part_of_the_answer(thought):
    assert match_option(f"<think>{thought}</think>Answer: B", NUMBER).letter == "B"
    assert match_option(f"<think>{thought}", NUMBER).letter is None


ADVERSARIAL = [
    "A or B ",
    "(((((B",
    "****B",
    "B\n",
    "answer is ",
    "option ",
    "not ",
    "the upper row has more coins ",
    "they are ",
    "(A) No, the lower row has more coins.\n",
    "<think>",
    "<answer>",
    "\\boxed{",
    '{"a":',
    "B?",
    "a.b.",
    "答案是B",
    "B' ",
    "```",
    "=>",
]


def steps(answer: str) -> int:
    """Count the lines of code that reading an answer executes."""
    count = 0

    def trace(frame, event, argument):
        nonlocal count
        count += 1
        return trace

    previous = sys.gettrace()
    sys.settrace(trace)
    try:
        match_option(answer, NUMBER)
    finally:
        sys.settrace(previous)
    return count


@pytest.mark.parametrize("piece", ADVERSARIAL)
def test_work_grows_no_faster_than_the_answer(piece):
    short, long = (steps((piece * size)[:size]) for size in (600, 1200))
    assert long <= 2.1 * short + 500
    assert long <= 400 * 1200


@pytest.mark.parametrize("piece", ADVERSARIAL)
def test_a_hundred_kilobytes_are_read_to_the_end(piece):
    answer = (piece * 100_000)[:100_000]
    assert match_option(answer, NUMBER).rule
    assert match_option("<think>" + answer.replace("think", "") + "</think>Answer: C", NUMBER).letter == "C"
