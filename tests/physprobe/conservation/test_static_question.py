from __future__ import annotations

import pytest

from physprobe.conservation.prompts import STATIC_QUESTIONS, option_text, question_text, static_question
from physprobe.conservation.vocabulary import DOMAINS, RELATIONS, TRANSFORMATION
from physprobe.errors import UserError


def options(domain: str) -> list[str]:
    return [option_text(domain, relation, "upper") for relation in RELATIONS]


@pytest.mark.parametrize("domain", STATIC_QUESTIONS)
def test_static_questions_are_pinned(domain, snapshot):
    assert static_question(domain, options(domain)) == snapshot


@pytest.mark.parametrize("domain", STATIC_QUESTIONS)
def test_it_is_the_direct_question_without_the_word_of_a_sequence(domain):
    direct = question_text(domain, "direct", options(domain))
    assert direct.count(" in the final image") == 1
    assert static_question(domain, options(domain)) == direct.replace(" in the final image", "")


def test_domains_are_those_in_which_the_last_frame_suffices():
    assert {d for d in DOMAINS if TRANSFORMATION[d] == "helpful"} == set(STATIC_QUESTIONS)


@pytest.mark.parametrize("domain", ["volume", "size", "weight"])
def test_other_domains_are_refused(domain):
    with pytest.raises(UserError, match=rf"{domain}.*length, number"):
        static_question(domain, ["a", "b", "c"])
