from __future__ import annotations

import pytest

from physprobe.conservation.prompts import (
    INSTRUCTIONS,
    ORDERS,
    interleave,
    option_text,
    positions,
    question_text,
    relation_of,
)
from physprobe.conservation.vocabulary import DOMAINS, PROMPT_STYLES, RELATIONS
from physprobe.errors import UserError

POSITIONS = {domain: positions(domain) for domain in DOMAINS}
PLACES = [(domain, position) for domain in DOMAINS for position in positions(domain)]


def options(domain: str, position: str = "", order=ORDERS[0]) -> list[str]:
    return [option_text(domain, relation, position or POSITIONS[domain][0]) for relation in order]


def test_the_example_of_appendix_d():
    shown = [option_text("number", relation, "upper") for relation in ("moved_less", "moved_more", "same")]
    assert question_text("number", "direct", shown) == (
        "Is the number of coins in the upper row the same as in the lower row in the final image?\n"
        "Please choose one of the following options:\n"
        "(A) No, the lower row has more coins.\n"
        "(B) No, the upper row has more coins.\n"
        "(C) Yes, they are the same."
    )


@pytest.mark.parametrize("style", PROMPT_STYLES)
@pytest.mark.parametrize("domain", DOMAINS)
def test_prompts_are_pinned(domain, style, snapshot):
    assert question_text(domain, style, options(domain)) == snapshot


@pytest.mark.parametrize(("domain", "position"), PLACES)
def test_options_are_pinned(domain, position, snapshot):
    assert dict(zip(RELATIONS, options(domain, position, RELATIONS), strict=True)) == snapshot


def test_layout_of_a_message_is_pinned(snapshot):
    assert interleave(3, "Which?") == snapshot


def test_every_style_has_an_instruction_and_asks_once():
    assert set(INSTRUCTIONS) == set(PROMPT_STYLES)
    texts = {question_text("number", style, options("number")) for style in PROMPT_STYLES}
    assert len(texts) == len(PROMPT_STYLES)
    assert all(text.count("in the final image?") == 1 for text in texts)


@pytest.mark.parametrize("domain", DOMAINS)
def test_more_above_and_less_below_are_one_text(domain):
    for more, less in (POSITIONS[domain], POSITIONS[domain][::-1]):
        assert option_text(domain, "moved_more", more) == option_text(domain, "moved_less", less)
    assert len(set(options(domain))) == 3


@pytest.mark.parametrize(("domain", "position"), PLACES)
def test_an_option_tells_its_relation(domain, position):
    for relation in RELATIONS:
        assert relation_of(domain, option_text(domain, relation, position), position) == relation


def test_objects_lie_where_the_designs_place_them():
    assert POSITIONS == {
        "number": ("upper", "lower"),
        "length": ("upper", "lower"),
        "volume": ("left", "right"),
        "size": ("left", "right"),
    }


def test_orders_are_the_six_permutations():
    assert len(ORDERS) == len(set(ORDERS)) == 6
    assert all(sorted(order) == sorted(RELATIONS) for order in ORDERS)


def test_every_frame_is_shown_in_order_before_the_text():
    parts = interleave(7, "text")
    assert [value for kind, value in parts if kind == "image"] == list(range(7))
    assert parts[0] == ("text", "Frame 1: ")
    assert parts[-1] == ("text", "text")


def test_a_fourth_option_gets_the_next_letter():
    shown = [*options("number"), "I don't know."]
    assert question_text("number", "direct", shown).endswith("\n(D) I don't know.")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: question_text("mass", "direct", ["a", "b"]),
            "unknown domain 'mass'; valid: length, number, size, volume",
        ),
        (
            lambda: question_text("number", "poem", ["a", "b"]),
            "unknown prompt style 'poem'; valid: continuous",
        ),
        (lambda: option_text("mass", "same", "upper"), "unknown domain 'mass'"),
        (lambda: option_text("number", "more", "upper"), "unknown relation 'more'"),
        (lambda: option_text("number", "same", "left"), "position in number 'left'; valid: lower, upper"),
        (lambda: option_text("size", "same", "upper"), "position in size 'upper'; valid: left, right"),
        (lambda: question_text("number", "direct", ["a"]), "2 to 26 options, got 1"),
        (lambda: relation_of("number", "No.", "upper"), "no option of domain 'number'"),
    ],
)
def test_what_has_no_wording_is_refused(call, message):
    with pytest.raises(UserError, match=message):
        call()
